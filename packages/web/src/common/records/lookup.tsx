// To find related records by their names.

import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Item, recordsOf } from '../../api/records.ts'
import { useText } from '../../i18n/dictionary.ts'
import { resourceTexts } from './dictionary.ts'
import { composeFilter } from './filter.ts'
import type { Relation } from './ui-schema.ts'

/** A related record as records show it: an identifier and a name. */
export type Related = Pick<Item, 'pk'> & Readonly<Record<string, unknown>>

interface LookupProps {
  readonly relation: Relation
  readonly label: string
  readonly description?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly error?: ReactNode
}

const nameOf = (record: Related, { label }: Relation): string => String((label && record[label]) ?? record.pk)

const useCandidates = (relation: Relation, typed: string) => {
  const [text] = useDebouncedValue(typed, 250)
  const { resource, label = null } = relation
  const { filter } = composeFilter({ quick: text, text: '', conditions: {} }, [], label ? [label] : [])
  const { data, isFetching } = useQuery({
    queryKey: ['lookup', resource, filter],
    queryFn: async ({ signal }) => {
      const [fields, sort] = label === null ? [['pk'], ''] : [[label], label]
      return recordsOf(resource).find({ filter, sort, fields, limit: 20, total: 'none', signal })
    },
    placeholderData: known => known,
  })
  return { found: data?.items ?? [], isFetching }
}

/** What was chosen stays in the list, whatever is typed. */
const optionsOf = (found: readonly Related[], chosen: readonly Related[], relation: Relation) => {
  const all = new Map([...chosen, ...found].map(record => [record.pk, record]))
  return { all, data: [...all.values()].map(record => ({ value: record.pk, label: nameOf(record, relation) })) }
}

/** The service has searched already. */
const asFound = ({ options }: { options: readonly unknown[] }) => options as never

interface OneProps extends LookupProps {
  /** May it be without a value? */
  readonly clearable?: boolean
  readonly value: Related | null
  readonly onChange: (value: Related | null) => void
}

export const LookupOne = ({ relation, value, clearable = true, onChange, ...input }: OneProps) => {
  const t = useText(resourceTexts)
  const [typed, setTyped] = useState('')
  const isShown = value !== null && typed === nameOf(value, relation)
  const { found, isFetching } = useCandidates(relation, isShown ? '' : typed)
  const { all, data } = optionsOf(found, value ? [value] : [], relation)
  return (
    <Select
      {...input}
      searchable
      clearable={clearable}
      clearButtonProps={{ 'aria-label': t('clearSearch') }}
      data={data}
      filter={asFound}
      value={value?.pk ?? null}
      onChange={pk => onChange(pk === null ? null : (all.get(pk) ?? null))}
      onSearchChange={setTyped}
      placeholder={t('lookupHint')}
      nothingFoundMessage={isFetching ? t('rowLoading') : t('lookupNothing')}
    />
  )
}

interface ManyProps extends LookupProps {
  readonly value: readonly Related[]
  readonly onChange: (value: readonly Related[]) => void
}

export const LookupMany = ({ relation, value, onChange, ...input }: ManyProps) => {
  const t = useText(resourceTexts)
  const [typed, setTyped] = useState('')
  const { found, isFetching } = useCandidates(relation, typed)
  const { all, data } = optionsOf(found, value, relation)
  return (
    <MultiSelect
      {...input}
      searchable
      data={data}
      filter={asFound}
      value={value.map(({ pk }) => pk)}
      onChange={pks => onChange(pks.flatMap(pk => all.get(pk) ?? []))}
      onSearchChange={setTyped}
      placeholder={value.length === 0 ? t('lookupHint') : undefined}
      nothingFoundMessage={isFetching ? t('rowLoading') : t('lookupNothing')}
    />
  )
}
