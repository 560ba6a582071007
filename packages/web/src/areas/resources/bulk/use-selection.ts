// The selected records of a list. A search for others ends the selection; another order keeps it.

import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Item } from '../../../api/records.ts'
import { notify, notifyProblem } from '../../../common/notify.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { fetchRows, pathOf, type RowList } from '../use-rows.ts'
import { bulkTexts } from './dictionary.ts'

/** How many can be selected: each of them is a request. */
export const mostSelected = 500

export interface SelectedRecord {
  readonly pk: string
  /** What the list calls it. */
  readonly title: string
}

export interface RowSelection {
  readonly records: ReadonlyMap<string, SelectedRecord>
  readonly titleOf: (row: Item) => string
  /** Selects a row or takes it out; with `isRange`, all rows from the last one that was clicked to this one. */
  readonly toggle: (index: number, row: Item, isRange: boolean) => void
  /** Selects the first rows of the list, as many as there can be. */
  readonly selectAll: (total: number) => void
  readonly remove: (records: readonly SelectedRecord[]) => void
  readonly clear: () => void
}

type Records = RowSelection['records']

const none: Records = new Map()

export const useSelection = (listing: RowList, titleOf: (row: Item) => string): RowSelection => {
  const t = useText(bulkTexts)
  const client = useQueryClient()
  const search = `${pathOf(listing)} ${listing.filter} ${listing.search ?? ''}`
  const [state, setState] = useState({ search, records: none })
  const anchor = useRef({ order: '', index: 0 })
  const order = `${search} ${listing.sort}`
  const change = (next: (records: Records) => Records) =>
    setState(known => {
      const records = [...next(known.search === search ? known.records : none)]
      if (records.length > mostSelected) notify(t('most', { count: mostSelected }))
      return { search, records: new Map(records.slice(0, mostSelected)) }
    })
  const add = (rows: readonly Item[]) =>
    change(records => new Map([...records, ...rows.map(row => [row.pk, { pk: row.pk, title: titleOf(row) }] as const)]))
  const take = (gone: readonly { readonly pk: string }[]) =>
    change(records => {
      const pks = new Set(gone.map(({ pk }) => pk))
      return new Map([...records].filter(([pk]) => !pks.has(pk)))
    })
  const records = state.search === search ? state.records : none
  return {
    records,
    titleOf,
    toggle: (index, row, isRange) => {
      const setRows = records.has(row.pk) ? take : add
      const from = isRange && anchor.current.order === order ? anchor.current.index : index
      anchor.current = { order, index }
      if (from === index) return setRows([row])
      // A range may hold rows that were scrolled past before they arrived.
      const first = Math.max(Math.min(from, index), Math.max(from, index) - mostSelected)
      fetchRows(client, listing, { first, last: Math.max(from, index) }).then(setRows, notifyProblem)
    },
    selectAll: total => {
      const last = Math.min(total, mostSelected) - 1
      fetchRows(client, listing, { first: 0, last }).then(add, notifyProblem)
    },
    remove: take,
    clear: () => change(() => none),
  }
}
