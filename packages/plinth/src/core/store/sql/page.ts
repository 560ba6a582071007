// Statements that select a page of records.

import { isInOrder } from '../../model/index-order.ts'
import type { Query } from '../../model/query.ts'
import type { ResultRow } from '../connection.ts'
import { type RankedRecords, rankedRecordsOf } from '../near/ranked.ts'
import { columnTypeOf, quote, tableOf } from './columns.ts'
import { baseScope, recordScope, type SqlScope, StatementDraft } from './from.ts'
import { isFoundFirst, staysAtHome } from './index-use.ts'
import { orderSql } from './keyset.ts'
import {
  type KeysParts,
  keysSql,
  orderedKey,
  type SelectedKey,
  type WindowSlots,
  walksOf,
  windowSql,
} from './page-keys.ts'
import { type ReferenceWalk, referenceWalkOf, referenceWalkSql } from './reference-walk.ts'
import { decoderOf, type RecordSelection, type SelectSource, selectionOf } from './selection.ts'
import type { QueryShape } from './shape.ts'
import type { SelectStatement } from './statement.ts'

export interface PageStatement extends SelectStatement {
  /** The sort keys' values of a row, in stored form. */
  readonly keysOf: (row: ResultRow) => readonly unknown[]
  /** Does an index give the matches in their order? Then no others are visited. */
  readonly isInOrder: boolean
  /** The last page read by it was followed by another one, so a total had to be counted. */
  hadNext: boolean
}

export const pageStatement = (source: SelectSource, query: Query, slots: WindowSlots): PageStatement => {
  const parts: KeysParts = { draft: new StatementDraft(source.shape), slots }
  const ranked = rankedRecordsOf(source.shape, source.resource)
  if (ranked) return { ...rankedPage(source, query, { ...parts, ranked }), isInOrder: false, hadNext: false }
  const byReference = source.shape.dialect.walksReferences ? referenceWalkOf(query) : null
  const isTwoStep = byReference || isFoundFirst(query) || walksOf(source.resource, query, parts).length > 1
  const page = isTwoStep ? twoStepPage(source, query, { ...parts, byReference }) : oneStepPage(source, query, parts)
  return { ...page, isInOrder: query.filter === null || isInOrder(query), hadNext: false }
}

type Page = Omit<PageStatement, 'isInOrder' | 'hadNext'>

const oneStepPage = (source: SelectSource, query: Query, { draft, slots }: KeysParts): Page => {
  const scope = recordScope(draft, source.resource)
  const reading = staysAtHome(query) && !joinsLabels(source) ? subselecting(draft) : scope
  const { select, decode, keysOf } = readingOf(reading, source, query)
  const { where, order } = windowSql(scope, query, { slots })
  return { decode, keysOf, ...draft.statement(`${select} FROM ${scope.from.sql}${where}${order}`) }
}

/** Do labels come by joins? Otherwise by subselects, which need no order of joins to be planned at every search. */
const joinsLabels = ({ shape, selected }: SelectSource): boolean =>
  selected.fields.filter(({ definition, target }) => definition.role === 'one' && target?.label).length <=
  shape.dialect.joinedLabels

interface TwoStepParts extends KeysParts {
  readonly byReference: ReferenceWalk | null
}

/** Labels come by subselects: for a page of records, PostgreSQL may read all of another table for a join. */
const twoStepPage = (source: SelectSource, query: Query, { byReference, ...parts }: TwoStepParts): Page => {
  const { draft } = parts
  const { select, order, decode, keysOf } = readingOf(subselecting(draft), source, query)
  const found = byReference
    ? referenceWalkSql(source.resource, query, { ...byReference, ...parts })
    : keysSql(source.resource, query, parts)
  const among = draft.dialect.amongKeys('b."pk"', found)
  const { from } = recordScope(draft, source.resource)
  return { decode, keysOf, ...draft.statement(`${select} FROM ${from.sql} WHERE ${among} ORDER BY ${order}`) }
}

interface RankedParts extends KeysParts {
  readonly ranked: RankedRecords
}

/** Ranks first: only the records of the page are read. Where nothing restricts them, their keys alone say which these are. */
const rankedPage = (source: SelectSource, query: Query, { draft, slots, ranked }: RankedParts): Page => {
  const { resource } = source
  const { dialect } = draft
  const { rank } = ranked
  const isByRank = query.sort[0]?.path.field === rank && query.sort.length === 2
  const isWhole = query.filter === null && slots.cursor === null && isByRank
  const keyed = recordScope(draft, resource, `(${ranked.select(isWhole ? 'key' : 'record')})`)
  const { where, order } = windowSql(keyed, query, { slots })
  const keys = `SELECT b."pk", b.${quote(rank.name)} FROM ${keyed.from.sql}${where}${order}`
  const rows = `(SELECT r.*, k.${quote(rank.name)} FROM (${keys}) AS k ${dialect.search.join} ${tableOf(resource)} AS r ON r."pk" = k."pk")`
  const scope = baseScope(draft, `${rows} AS b`)
  const { select, order: again, decode, keysOf } = readingOf(subselecting(draft), source, query)
  return {
    decode: row => ({ ...decode(row), [rank.name]: Number(row.at(-1)) }),
    keysOf,
    ...draft.statement(`${select}, b.${quote(rank.name)} FROM ${scope.from.sql} ORDER BY ${again}`),
  }
}

const subselecting = (draft: StatementDraft): SqlScope => ({ draft, alias: 'b', from: null })

/** What is read of each record, and how. */
const readingOf = (scope: SqlScope, source: SelectSource, query: Query) => {
  const selection = selectionOf(scope, source.selected, source.linkFilters)
  const keys = scope.draft.facts.selecting(() => query.sort.map(key => orderedKey(scope, key)))
  const { columns, keysOf } = withKeys(selection, keys, scope)
  const select = `SELECT ${columns.join(', ')}`
  return { select, order: orderSql(keys, scope.draft.dialect), decode: selection.decode, keysOf }
}

/** Selects the sort keys that are not selected yet, and reads all of them. */
const withKeys = (selection: RecordSelection, keys: readonly SelectedKey[], { draft }: SqlScope) => {
  const columns = [...selection.columns]
  const readers = keys.map(({ path, sql }) => {
    const selected = columns.indexOf(sql)
    return { at: selected >= 0 ? selected : columns.push(sql) - 1, decode: decoderOf(draft.dialect, path.field) }
  })
  const keysOf = (row: ResultRow) => readers.map(({ at, decode }) => (decode ? decode(row[at]) : row[at]))
  return { columns, keysOf }
}

/** The window's values as cells; the key says all of the window that the text depends on. */
export const windowOf = (shape: QueryShape, { sort, window, total }: Query): { key: string; slots: WindowSlots } => {
  if (window.kind === 'end') throw new Error('the last records are found as the first ones in the opposite order')
  if (window.kind === 'offset') {
    const limit = shape.add(window.limit + 1, 'integer')
    const key = `${total} ${window.offset === 0 ? 'start' : 'offset'}`
    return { key, slots: { limit, offset: shape.add(window.offset, 'integer'), cursor: null } }
  }
  const cursor = sort.map(({ path }, index) => {
    const value = window.values[index] ?? null
    return value === null ? null : shape.add(value, columnTypeOf(path.field))
  })
  const limit = shape.add(window.limit + 1, 'integer')
  return {
    key: `${total} cursor${cursor.map(slot => (slot === null ? 0 : 1)).join('')}`,
    slots: { limit, offset: null, cursor },
  }
}
