// All fields of a record; what the service keeps by itself stands apart.

import { Box, Text, Title } from '@mantine/core'
import type { Item } from '../../api/records.ts'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { fieldsFor, isPart } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'
import classes from './field-list.module.css'
import { FieldValue } from './field-value.tsx'

const bookkeeping = new Set(['pk', 'createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy', 'version'])

interface FieldsProps {
  readonly fields: readonly FieldWithWidget[]
  readonly record: Item
}

const Fields = ({ fields, record }: FieldsProps) => {
  return (
    <dl className={classes.fields}>
      {fields.map(field => (
        <div key={field.name} className={classes.field}>
          <Text component="dt" size="sm" c="dimmed">
            {field.label}
          </Text>
          <dd>
            <FieldValue value={record[field.name]} field={field} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export const FieldList = ({ schema, record }: { readonly schema: Schema; readonly record: Item }) => {
  const t = useText(resourceTexts)
  // Parts of the record have tabs of their own.
  const fields = fieldsFor(schema, 'view').filter(field => !isPart(field))
  return (
    <Box className="surface" p={{ base: 'sm', sm: 'lg' }} maw={920}>
      <Fields fields={fields.filter(({ name }) => !bookkeeping.has(name))} record={record} />
      <Title order={2} size="h6" mt="lg" mb="xs">
        {t('bookkeeping')}
      </Title>
      <Fields fields={fields.filter(({ name }) => bookkeeping.has(name))} record={record} />
    </Box>
  )
}
