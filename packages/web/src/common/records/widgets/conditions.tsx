// Searches by one field: what people enter, and the filter that the service understands.

import { Group, MultiSelect, Select } from '@mantine/core'
import { containing } from '@plinth/client'
import { useQuery } from '@tanstack/react-query'
import { recordsOf } from '../../../api/records.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { commonTexts } from '../../dictionary.ts'
import { DebouncedInput } from '../debounced-input.tsx'
import { resourceTexts } from '../dictionary.ts'
import { readDurationText } from '../duration-text.ts'
import { LookupOne } from '../lookup.tsx'
import { optionText } from '../value-text.ts'
import type { ConditionProps, FilterCondition } from './widget.ts'

const TextCondition = ({ field, value, onChange }: ConditionProps) => (
  <DebouncedInput type="text" label={field.label} value={value} onSettle={onChange} />
)

export const equals: FilterCondition = {
  Input: TextCondition,
  toCondition: value => value,
}

/** The condition that a text contains another; of an identifier the whole is searched. */
export const contains: FilterCondition = {
  Input: TextCondition,
  toCondition: (value, { format }) => (format === 'uuid' ? value : { ilike: containing(value) }),
}

export const oneOf: FilterCondition = {
  Input: ({ field, value, onChange }) => {
    const t = useText(resourceTexts)
    return (
      <MultiSelect
        label={field.label}
        data={(field.options ?? []).map(option => ({ value: option, label: optionText(option, field) }))}
        value={value === '' ? [] : value.split(',')}
        onChange={chosen => onChange(chosen.join(','))}
        placeholder={value === '' ? t('any') : undefined}
      />
    )
  },
  toCondition: value => ({ in: value.split(',') }),
}

export const yesNo: FilterCondition = {
  Input: ({ field, value, onChange }) => {
    const t = useText(resourceTexts)
    const common = useText(commonTexts)
    return (
      <Select
        label={field.label}
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
  },
  toCondition: equals.toCondition,
}

export const related: FilterCondition = {
  Input: ({ field: { relation, label }, value, onChange }) => {
    const resource = relation?.resource ?? ''
    // The address holds the identifier alone; the name is asked for.
    const { data } = useQuery({
      queryKey: ['item', resource, value],
      queryFn: () => recordsOf(resource).get(value),
      enabled: value !== '',
    })
    if (!relation) return null
    const chosen = value === '' ? null : (data ?? { pk: value })
    return <LookupOne relation={relation} label={label} value={chosen} onChange={one => onChange(one?.pk ?? '')} />
  },
  toCondition: equals.toCondition,
}

type End = 'from' | 'to'

const rangeInput =
  (type: 'number' | 'date' | 'text') =>
  ({ field: { label }, value, onChange }: ConditionProps) => {
    const t = useText(resourceTexts)
    const [from = '', to = ''] = value.split('..')
    const change = (ends: readonly string[]) => onChange(ends.every(end => end === '') ? '' : ends.join('..'))
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

const rangeCondition =
  (endOf: (text: string, end: End) => string) =>
  (value: string): object | undefined => {
    const [from = '', to = ''] = value.split('..')
    if (from === '' && to === '') return undefined
    return { ...(from !== '' && { ge: endOf(from, 'from') }), ...(to !== '' && { le: endOf(to, 'to') }) }
  }

const asGiven = (text: string): string => text

/** A day that is meant whole: from its first moment to its last, where the person is. */
const momentOf = (text: string, end: End): string => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text
  return new Date(`${text}T${end === 'from' ? '00:00:00.000' : '23:59:59.999'}`).toISOString()
}

export const numberRange: FilterCondition = { Input: rangeInput('number'), toCondition: rangeCondition(asGiven) }
export const dateRange: FilterCondition = { Input: rangeInput('date'), toCondition: rangeCondition(asGiven) }
export const momentRange: FilterCondition = { Input: rangeInput('date'), toCondition: rangeCondition(momentOf) }

/** What is no duration goes to the service as it is, which says so. */
export const durationRange: FilterCondition = {
  Input: rangeInput('text'),
  toCondition: rangeCondition(text => readDurationText(text) ?? text),
}
