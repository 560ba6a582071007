// All members of a record; what the service keeps by itself stands apart.

import { Box, Text, Title } from '@mantine/core'
import type { Item } from '../../api/records.ts'
import { useText } from '../../i18n/dictionary.ts'
import { resourceTexts } from './dictionary.ts'
import classes from './member-list.module.css'
import { MemberValue } from './member-value.tsx'
import { isPart, membersFor } from './schema.ts'
import type { Schema } from './ui-schema.ts'
import type { FieldWithWidget } from './widgets/widget.ts'

const bookkeeping = new Set(['pk', 'createdDate', 'createdBy', 'lastModifiedDate', 'lastModifiedBy', 'version'])

interface MembersProps {
  readonly members: readonly FieldWithWidget[]
  readonly record: Item
}

const Members = ({ members, record }: MembersProps) => {
  return (
    <dl className={classes.members}>
      {members.map(member => (
        <div key={member.name} className={classes.member}>
          <Text component="dt" size="sm" c="dimmed">
            {member.label}
          </Text>
          <dd>
            <MemberValue value={record[member.name]} member={member} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export const MemberList = ({ schema, record }: { readonly schema: Schema; readonly record: Item }) => {
  const t = useText(resourceTexts)
  // Parts of the record have tabs of their own.
  const fields = membersFor(schema, 'view').filter(member => !isPart(member))
  return (
    <Box className="surface" p={{ base: 'sm', sm: 'lg' }} maw={920}>
      <Members members={fields.filter(({ name }) => !bookkeeping.has(name))} record={record} />
      <Title order={2} size="h6" mt="lg" mb="xs">
        {t('bookkeeping')}
      </Title>
      <Members members={fields.filter(({ name }) => bookkeeping.has(name))} record={record} />
    </Box>
  )
}
