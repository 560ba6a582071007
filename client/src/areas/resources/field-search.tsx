// A search by single members, drawn from what the service says can be searched.

import { Fieldset, Group, MultiSelect, Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchItem } from '../../api/records.ts'
import { commonTexts } from '../../common/dictionary.ts'
import { useText } from '../../i18n/dictionary.ts'
import { DebouncedInput } from './debounced-input.tsx'
import { resourceTexts } from './dictionary.ts'
import { type Conditions, conditionKind } from './filter.ts'
import { LookupOne, type Related } from './lookup.tsx'
import type { MemberUse } from './schema.ts'
import { optionText } from './value-text.ts'

interface ConditionProps {
  readonly member: MemberUse
  readonly value: string
  readonly onChange: (value: string) => void
}

const inputTypes: Readonly<Record<string, 'number' | 'date'>> = {
  number: 'number',
  money: 'number',
  date: 'date',
  datetime: 'date',
}

const RangeCondition = ({ member, value, onChange }: ConditionProps) => {
  const t = useText(resourceTexts)
  const { label } = member
  const [from = '', to = ''] = value.split('..')
  const change = (ends: readonly string[]) => onChange(ends.every(end => end === '') ? '' : ends.join('..'))
  const type = inputTypes[member.widget] ?? 'number'
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <DebouncedInput
        type={type}
        label={`${label} ${t('from')}`}
        value={from}
        onSettle={text => change([text, to])}
        style={{ flex: 1, minWidth: 0 }}
      />
      <DebouncedInput
        type={type}
        label={t('to')}
        aria-label={`${label} ${t('to')}`}
        value={to}
        onSettle={text => change([from, text])}
        style={{ flex: 1, minWidth: 0 }}
      />
    </Group>
  )
}

const RelatedCondition = ({ member, value, onChange }: ConditionProps) => {
  const { label } = member
  const resource = member.relation?.resource ?? ''
  // The address holds the identifier alone; the name is asked for.
  const { data } = useQuery({
    queryKey: ['item', resource, value],
    queryFn: () => fetchItem<Related>(resource, value),
    enabled: value !== '',
  })
  if (!member.relation) return null
  const chosen = value === '' ? null : (data?.record ?? { pk: value })
  return (
    <LookupOne relation={member.relation} label={label} value={chosen} onChange={found => onChange(found?.pk ?? '')} />
  )
}

const Condition = (props: ConditionProps) => {
  const { member, value, onChange } = props
  const t = useText(resourceTexts)
  const common = useText(commonTexts)
  const { label } = member
  switch (conditionKind(member)) {
    case 'range':
      return <RangeCondition {...props} />
    case 'related':
      return <RelatedCondition {...props} />
    case 'oneOf':
      return (
        <MultiSelect
          label={label}
          data={(member.options ?? []).map(value => ({ value, label: optionText(value, member) }))}
          value={value === '' ? [] : value.split(',')}
          onChange={chosen => onChange(chosen.join(','))}
          placeholder={value === '' ? t('any') : undefined}
        />
      )
    case 'yesNo':
      return (
        <Select
          label={label}
          data={[
            { value: '', label: t('any') },
            { value: 'true', label: common('yes') },
            { value: 'false', label: common('no') },
          ]}
          value={value}
          allowDeselect={false}
          onChange={chosen => onChange(chosen ?? '')}
        />
      )
    default:
      return <DebouncedInput type="text" label={label} value={value} onSettle={onChange} />
  }
}

interface FieldSearchProps {
  readonly members: readonly MemberUse[]
  readonly conditions: Conditions
  readonly onChange: (conditions: Conditions) => void
}

export const FieldSearch = ({ members, conditions, onChange }: FieldSearchProps) => {
  const t = useText(resourceTexts)
  return (
    <Fieldset legend={t('fields')} variant="filled">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm" style={{ alignItems: 'end' }}>
        {members.map(member => (
          <Condition
            key={member.name}
            member={member}
            value={conditions[member.name] ?? ''}
            onChange={value => onChange({ ...conditions, [member.name]: value })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  )
}
