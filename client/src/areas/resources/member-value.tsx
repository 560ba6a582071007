// A member's value as a page shows it.

import { Anchor, Badge, Code, Group, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { commonTexts } from '../../common/dictionary.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useFormats } from '../../i18n/format.ts'
import { resourceTexts } from './dictionary.ts'
import { type MemberUse, partsOf } from './schema.ts'
import { relatedText, shortId, valueText, type Words } from './value-text.ts'

export const useWords = (): Words => {
  const t = useText(commonTexts)
  return { formats: useFormats(), yes: t('yes'), no: t('no') }
}

const pkOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'pk' in value && typeof value.pk === 'string' ? value.pk : null

const RelatedLink = ({ value, field }: ValueProps) => {
  const pk = pkOf(value)
  const text = relatedText(value, field)
  if (pk === null || !field.relation) return text
  return (
    <Anchor component={Link} to={`/resources/${field.relation.resource}/${encodeURIComponent(pk)}`}>
      <bdi>{text}</bdi>
    </Anchor>
  )
}

interface ValueProps {
  readonly value: unknown
  readonly field: MemberUse
}

const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text) || /^\/(?!\/)/.test(text)

const ListValue = ({ value, field }: { readonly value: readonly unknown[]; readonly field: MemberUse }) => (
  <Group gap={6}>
    {value.map(entry => (
      <Badge key={JSON.stringify(entry)} variant="light" tt="none" size="lg" fw={500}>
        {field.widget === 'lookups' ? <RelatedLink value={entry} field={field} /> : String(entry)}
      </Badge>
    ))}
  </Group>
)

interface PartsProps {
  readonly value: object
  /** In words, if the service chose the names of the parts. */
  readonly toName?: (key: string) => string
}

const Parts = ({ value, toName = key => key }: PartsProps) => {
  const { yes, no } = useWords()
  const show = (part: unknown): string => {
    if (typeof part === 'boolean') return part ? yes : no
    if (typeof part !== 'object' || part === null) return String(part ?? '–')
    const pk = pkOf(part)
    return pk === null ? JSON.stringify(part) : shortId(pk)
  }
  return (
    <Table withRowBorders={false} verticalSpacing={2} layout="auto">
      <Table.Tbody>
        {Object.entries(value).map(([key, part]) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={500} c="dimmed" ps={0} w="1%" style={{ whiteSpace: 'nowrap' }}>
              {toName(key)}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{show(part)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const Structure = ({ value, field }: { readonly value: object; readonly field: MemberUse }) => {
  const parts = partsOf(field.json)
  return <Parts value={value} toName={key => parts[key]?.title ?? key} />
}

/** With room: everything there is. */
export const MemberValue = ({ value, field }: ValueProps) => {
  const t = useText(resourceTexts)
  const words = useWords()
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  if (isEmpty || (field.widget === 'map' && Object.keys(Object(value)).length === 0)) {
    return (
      <Text component="span" c="dimmed" fs="italic">
        {t('empty')}
      </Text>
    )
  }
  if (field.widget === 'lookup') return <RelatedLink value={value} field={field} />
  if (field.widget === 'structures' && Array.isArray(value))
    return value.map(entry => <Structure key={JSON.stringify(entry)} value={Object(entry)} field={field} />)
  if (Array.isArray(value) && field.widget !== 'json') return <ListValue value={value} field={field} />
  if (field.widget === 'structure') return <Structure value={Object(value)} field={field} />
  if (field.widget === 'map') return <Parts value={Object(value)} />
  if (field.widget === 'json') return <Code block>{JSON.stringify(value, null, 2)}</Code>
  const text = valueText(value, field, words)
  if (field.format?.startsWith('uri') && isWebAddress(text)) {
    return (
      <Anchor href={text} target="_blank" rel="noreferrer" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Anchor>
    )
  }
  return (
    <Text component="bdi" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
}
