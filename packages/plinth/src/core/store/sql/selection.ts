// What is selected for a record, and how a row becomes a record again.

import type { Filter, LinkFilters } from '../../model/query.ts'
import type { Link, StoredRecord } from '../../model/record.ts'
import type { Member, Resource } from '../../model/resource.ts'
import type { ResultRow } from '../connection.ts'
import { columnTypeOf, holdingOf, quote, targetOf } from './columns.ts'
import type { Dialect, RowLock } from './dialect.ts'
import { baseScope, openScope, type SqlScope, StatementDraft } from './from.ts'
import type { QueryShape } from './shape.ts'
import type { SelectStatement } from './statement.ts'
import { countAt, expressionAt, filterSql } from './where.ts'

export interface RecordSelection {
  readonly columns: readonly string[]
  readonly decode: (row: ResultRow) => StoredRecord
}

/** The members that a record shows, and those among them that a link filter can restrict. */
export interface ShownMembers {
  readonly members: readonly Member[]
  readonly filtered: ReadonlySet<string>
}

export const shownOf = (resource: Resource): ShownMembers => {
  const members = [...resource.members.values()].filter(isShown)
  const filtered = members.filter(
    ({ field, target }) =>
      ['links', 'inverse', 'count'].includes(field.role) || (field.role === 'one' && target?.label),
  )
  return { members, filtered: new Set(filtered.map(member => member.name)) }
}

const isShown = ({ field }: Member): boolean => {
  if (field.options.writeOnly) return false
  if (field.role === 'inverse') return field.single === true
  return field.role !== 'links' || field.embed
}

/** A member's part of the row: its columns, and how they are read; null reads the first column as it is. */
interface SelectedPart {
  readonly name: string
  readonly columns: readonly string[]
  readonly read: ((row: ResultRow, at: number) => unknown) | null
}

export const selectionOf = (scope: SqlScope, { members }: ShownMembers, linkFilters: LinkFilters): RecordSelection => {
  const parts = members.map(member => partOf(scope, member, linkFilters.get(member.name)))
  const starts: number[] = []
  const columns: string[] = []
  for (const part of parts) {
    starts.push(columns.length)
    columns.push(...part.columns)
  }
  const decode = (row: ResultRow): StoredRecord => {
    const record: Record<string, unknown> = {}
    for (let index = 0; index < parts.length; index++) {
      const { name, read } = parts[index] as SelectedPart
      const at = starts[index] as number
      record[name] = read === null ? row[at] : read(row, at)
    }
    return record as StoredRecord
  }
  return { columns, decode }
}

const partOf = (scope: SqlScope, member: Member, linkFilter: Filter | false | undefined): SelectedPart => {
  const { name, field } = member
  switch (field.role) {
    case 'one':
      return linkPart(scope, member, linkFilter)
    case 'links':
      return listPart(scope, member, linkFilter)
    case 'inverse':
      return ownPart(scope, member, linkFilter)
    case 'count':
      return {
        name,
        columns: [countAt(scope, scope.alias, { member, counting: countedOf(linkFilter) })],
        read: null,
      }
    default: {
      const decode = decoderOf(scope.draft.dialect, member)
      return {
        name,
        columns: [`${scope.alias}.${quote(name)}`],
        read: decode && ((row, at) => decode(row[at])),
      }
    }
  }
}

const countedOf = (linkFilter: Filter | false | undefined): Filter | undefined =>
  linkFilter === false ? { op: 'const', value: false } : linkFilter

export const decoderOf = (dialect: Dialect, member: Member): ((cell: unknown) => unknown) | null =>
  dialect.decode[columnTypeOf(member)] ?? null

const linkPart = (scope: SqlScope, member: Member, linkFilter: Filter | false | undefined): SelectedPart => {
  const target = targetOf(member)
  const reference = `${scope.alias}.${quote(member.name)}`
  if (!target.label || linkFilter === false || (member.field.role === 'one' && member.field.bare)) {
    return { name: member.name, columns: [reference], read: (row, at) => toLink(row[at], null) }
  }
  const steps = [{ relation: member, target, linkFilter: linkFilter ?? null }]
  const label = expressionAt(scope, { steps, member: target.label })
  return { name: member.name, columns: [reference, label], read: (row, at) => toLink(row[at], row[at + 1]) }
}

const toLink = (pk: unknown, label: unknown): Link | null =>
  pk === null ? null : { pk: pk as string, label: label as string | null }

/** The one record that refers here, as a list of at most one: a link filter may hide it. */
const ownPart = (scope: SqlScope, member: Member, linkFilter: Filter | false | undefined): SelectedPart => {
  const { name, inverseOf } = member
  if (linkFilter === false || !inverseOf) return { name, columns: [], read: () => null }
  const { draft, alias } = scope
  const target = targetOf(member)
  const inner = openScope(draft, target)
  const label = target.label ? `${inner.alias}.${quote(target.label.name)}` : 'NULL'
  const visible = linkFilter ? ` AND ${filterSql(inner, linkFilter)}` : ''
  const list = draft.dialect.pairs(`${inner.alias}."pk"`, label)
  const which = `${inner.alias}.${quote(inverseOf.name)} = ${alias}."pk"${visible}`
  const toLists = draft.dialect.decode.json ?? (cell => cell)
  return {
    name,
    columns: [`(SELECT ${list} FROM ${inner.from.sql} WHERE ${which})`],
    read: (row, at) => {
      const [found] = toLists(row[at]) as [string, string | null][]
      return found ? { pk: found[0], label: found[1] } : null
    },
  }
}

const listPart = (scope: SqlScope, member: Member, linkFilter: Filter | false | undefined): SelectedPart => {
  if (linkFilter === false) return { name: member.name, columns: [], read: () => [] }
  const { draft, alias } = scope
  const holding = holdingOf(member)
  if (holding.kind !== 'pairs') throw new Error(`${member.name} has no pairs to list`)
  const target = targetOf(member)
  const inner = openScope(draft, target)
  const pairs = draft.alias()
  const label = target.label ? `${inner.alias}.${quote(target.label.name)}` : 'NULL'
  const visible = linkFilter ? ` AND ${filterSql(inner, linkFilter)}` : ''
  const which = `${pairs}.${holding.near} = ${alias}."pk" AND ${inner.alias}."pk" = ${pairs}.${holding.far}${visible}`
  const list = draft.dialect.pairs(`${inner.alias}."pk"`, label)
  const toLists = draft.dialect.decode.json ?? (cell => cell)
  return {
    name: member.name,
    columns: [`(SELECT ${list} FROM ${holding.table} AS ${pairs}, ${inner.from.sql} WHERE ${which})`],
    read: (row, at) => (toLists(row[at]) as [string, string | null][]).map(([pk, label]) => ({ pk, label })),
  }
}

export const noLinkFilters: LinkFilters = new Map()

/** What a statement that selects records is made from. */
export interface SelectSource {
  readonly resource: Resource
  readonly selected: ShownMembers
  readonly shape: QueryShape
  readonly linkFilters: LinkFilters
}

/** Selects records from the table, or from what a write returns; `tail` gives what follows FROM. */
export const selecting = (source: SelectSource, from: string, tail: (scope: SqlScope) => string): SelectStatement => {
  const draft = new StatementDraft(source.shape)
  const scope = baseScope(draft, from)
  const { columns, decode } = selectionOf(scope, source.selected, source.linkFilters)
  const rest = tail(scope)
  return { sql: `SELECT ${columns.join(', ')} FROM ${scope.from.sql}${rest}`, constants: draft.constants, decode }
}

/** One record by its pk, which is the first cell after that of the source. */
export const oneStatement = (source: SelectSource, visible: Filter | null, lock?: RowLock): SelectStatement => ({
  ...selecting(source, `${source.shape.sourceOf(source.resource)} AS b`, scope => {
    const { dialect } = source.shape
    const hidden = visible ? ` AND ${filterSql(scope, visible)}` : ''
    return ` WHERE b."pk" = ${dialect.placeholder(source.shape.source ? 2 : 1)}${hidden}${lock ? dialect.lock('b', lock) : ''}`
  }),
  quick:
    visible === null &&
    source.shape.source === null &&
    source.selected.members.every(({ field }) => field.role !== 'count'),
})
