// The search is part of the URL: it can be bookmarked and shared, and survives a reload.

import { useSearchParams } from 'react-router'
import type { ListSearch } from '../../common/records/filter.ts'

const prefix = 'w.'

export interface ListState extends ListSearch {
  readonly sort: string
}

const read = (parameters: URLSearchParams, defaultSort: string): ListState => ({
  quick: parameters.get('q') ?? '',
  text: parameters.get('filter') ?? '',
  sort: parameters.get('sort') ?? defaultSort,
  conditions: Object.fromEntries(
    [...parameters]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  ),
})

const write = ({ quick, text, sort, conditions }: ListState, defaultSort: string): URLSearchParams => {
  const parameters = new URLSearchParams()
  const values: Record<string, string> = { q: quick, filter: text, sort: sort === defaultSort ? '' : sort }
  for (const [name, value] of Object.entries(conditions)) values[prefix + name] = value
  for (const [name, value] of Object.entries(values)) if (value !== '') parameters.set(name, value)
  return parameters
}

export const useSearch = (defaultSort: string): [ListState, (change: Partial<ListState>) => void] => {
  const [parameters, setParameters] = useSearchParams()
  const state = read(parameters, defaultSort)
  const change = (changed: Partial<ListState>) =>
    setParameters(known => write({ ...read(known, defaultSort), ...changed }, defaultSort), { replace: true })
  return [state, change]
}
