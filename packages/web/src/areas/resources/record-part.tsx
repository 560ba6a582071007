// A record that belongs to another one and has a page of its own, such as the contact details of a user.

import { Button, Group } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Item } from '../../api/records.ts'
import { commonTexts } from '../../common/dictionary.ts'
import { Loading } from '../../common/loading.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { fieldsFor, isPart, useSchema } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { useItem } from '../../common/records/use-item.ts'
import { isRelated } from '../../common/records/value-text.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'
import { FieldList } from './field-list.tsx'

export interface RecordPart {
  readonly field: FieldWithWidget
  readonly resource: string
  readonly pk: string
}

/** The parts of a record that the caller may see. */
export const partsOfRecord = (schema: Schema, record: Item): readonly RecordPart[] =>
  fieldsFor(schema, 'view').flatMap(field => {
    const value = record[field.name]
    const resource = field.relation?.resource
    return isPart(field) && resource !== undefined && isRelated(value) ? [{ field, resource, pk: value.pk }] : []
  })

export const PartPanel = ({ resource, pk }: RecordPart) => {
  const t = useText(commonTexts)
  const schema = useSchema(resource)
  const item = useItem(resource, pk)
  const error = schema.error ?? item.error
  if (error) return <ProblemAlert error={error} onRetry={() => void item.refetch()} />
  if (!schema.data || !item.data) return <Loading />
  return (
    <>
      {schema.data.rights.patch && (
        <Group mb="sm">
          <Button
            component={Link}
            to={`/resources/${resource}/${encodeURIComponent(pk)}/edit`}
            variant="default"
            leftSection={<IconEdit size={16} aria-hidden />}
          >
            {t('edit')}
          </Button>
        </Group>
      )}
      <FieldList schema={schema.data} record={item.data} />
    </>
  )
}
