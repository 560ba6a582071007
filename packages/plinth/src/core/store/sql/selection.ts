// What is selected for a record, and how a row becomes a record again.

import type { Filter, LinkFilters } from '../../model/query.ts'
import type { Link, StoredRecord } from '../../model/record.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import type { ResultRow } from '../connection.ts'
import { columnTypeOf, holdingOf, linkTableOf, quote, targetOf } from './columns.ts'
import type { Dialect, RowLock } from './dialect.ts'
import { baseScope, type OpenSqlScope, openScope, recordScope, type SqlScope, StatementDraft } from './from.ts'
import type { QueryShape } from './shape.ts'
import type { SelectStatement } from './statement.ts'
import { countAt, expressionAt, filterSql } from './where.ts'

export interface RecordSelection {
  readonly columns: readonly string[]
  readonly decode: (row: ResultRow) => StoredRecord
}

/** The fields that a record shows, and those among them that a link filter can restrict. */
export interface SelectedFields {
  readonly fields: readonly ResourceField[]
  readonly filtered: ReadonlySet<string>
}

export const selectedFields = (resource: Resource): SelectedFields => {
  const fields = [...resource.fields.values()].filter(isShown)
  const filtered = fields.filter(
    ({ definition, target }) =>
      ['links', 'inverse', 'count'].includes(definition.role) || (definition.role === 'one' && target?.label),
  )
  return { fields, filtered: new Set(filtered.map(field => field.name)) }
}

const isShown = ({ definition }: ResourceField): boolean => {
  if (definition.options.writeOnly) return false
  if (definition.role === 'inverse') return definition.single === true
  return definition.role !== 'links' || definition.embed
}

/** A field's part of the row: its columns, and how they are read; null reads the first column as it is. */
interface SelectedPart {
  readonly name: string
  readonly columns: readonly string[]
  readonly read: ((row: ResultRow, at: number) => unknown) | null
}

export const selectionOf = (scope: SqlScope, { fields }: SelectedFields, linkFilters: LinkFilters): RecordSelection => {
  const parts = scope.draft.facts.selecting(() =>
    fields.map(field => partOf(scope, field, linkFilters.get(field.name))),
  )
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

const partOf = (scope: SqlScope, field: ResourceField, linkFilter: Filter | false | undefined): SelectedPart => {
  const { name, definition } = field
  switch (definition.role) {
    case 'one':
      return linkPart(scope, field, linkFilter)
    case 'links':
      return listPart(scope, field, linkFilter)
    case 'inverse':
      return ownPart(scope, field, linkFilter)
    case 'count':
      return {
        name,
        columns: [countAt(scope, scope.alias, { field, counting: countedOf(linkFilter) })],
        read: null,
      }
    default: {
      const decode = decoderOf(scope.draft.dialect, field)
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

export const decoderOf = (dialect: Dialect, field: ResourceField): ((cell: unknown) => unknown) | null =>
  dialect.decode[columnTypeOf(field)] ?? null

const linkPart = (scope: SqlScope, field: ResourceField, linkFilter: Filter | false | undefined): SelectedPart => {
  const target = targetOf(field)
  const reference = `${scope.alias}.${quote(field.name)}`
  if (!target.label || linkFilter === false || (field.definition.role === 'one' && field.definition.bare)) {
    return { name: field.name, columns: [reference], read: (row, at) => toLink(row[at], null) }
  }
  const steps = [{ relation: field, target, linkFilter: linkFilter ?? null }]
  const label = expressionAt(scope, { steps, field: target.label })
  return { name: field.name, columns: [reference, label], read: (row, at) => toLink(row[at], row[at + 1]) }
}

const toLink = (pk: unknown, label: unknown): Link | null =>
  pk === null ? null : { pk: pk as string, label: label as string | null }

/** The one record that refers here, as a list of at most one: a link filter may hide it. */
const ownPart = (scope: SqlScope, field: ResourceField, linkFilter: Filter | false | undefined): SelectedPart => {
  const { name, inverseOf } = field
  if (linkFilter === false || !inverseOf) return { name, columns: [], read: () => null }
  const { draft, alias } = scope
  const target = targetOf(field)
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

const listPart = (scope: SqlScope, field: ResourceField, linkFilter: Filter | false | undefined): SelectedPart => {
  if (linkFilter === false) return { name: field.name, columns: [], read: () => [] }
  const { draft, alias } = scope
  const holding = holdingOf(field)
  if (holding.kind !== 'pairs') throw new Error(`${field.name} has no pairs to list`)
  const target = targetOf(field)
  const inner = openScope(draft, target)
  const pairs = draft.alias(linkTableOf(holding.links))
  const label = target.label ? `${inner.alias}.${quote(target.label.name)}` : 'NULL'
  const visible = linkFilter ? ` AND ${filterSql(inner, linkFilter)}` : ''
  const which = `${pairs}.${holding.near} = ${alias}."pk" AND ${inner.alias}."pk" = ${pairs}.${holding.far}${visible}`
  const list = draft.dialect.pairs(`${inner.alias}."pk"`, label)
  const toLists = draft.dialect.decode.json ?? (cell => cell)
  return {
    name: field.name,
    columns: [`(SELECT ${list} FROM ${holding.table} AS ${pairs}, ${inner.from.sql} WHERE ${which})`],
    read: (row, at) => (toLists(row[at]) as [string, string | null][]).map(([pk, label]) => ({ pk, label })),
  }
}

export const noLinkFilters: LinkFilters = new Map()

/** What a statement that selects records is made from. */
export interface SelectSource {
  readonly resource: Resource
  readonly selected: SelectedFields
  readonly shape: QueryShape
  readonly linkFilters: LinkFilters
}

/** Selects records from what a write returns, as `b`. */
export const selectingWritten = (source: SelectSource): SelectStatement =>
  selecting(source, baseScope(new StatementDraft(source.shape), 'b'), () => '')

/** `tail` gives what follows FROM. */
const selecting = (
  { selected, linkFilters }: SelectSource,
  scope: OpenSqlScope,
  tail: () => string,
): SelectStatement => {
  const { columns, decode } = selectionOf(scope, selected, linkFilters)
  const rest = tail()
  return { ...scope.draft.statement(`SELECT ${columns.join(', ')} FROM ${scope.from.sql}${rest}`), decode }
}

interface OneCondition {
  readonly visible: Filter | null
  /** The unique field that the record is found by; its pk unless given. */
  readonly by?: ResourceField | undefined
  readonly lock?: RowLock | undefined
}

/** One record by its key, which is the first cell after that of the source. */
export const oneStatement = (source: SelectSource, { visible, by, lock }: OneCondition): SelectStatement => {
  const { shape, resource, selected } = source
  const { dialect } = shape
  const scope = recordScope(new StatementDraft(shape), resource)
  const statement = selecting(source, scope, () => {
    const hidden = visible ? ` AND ${filterSql(scope, visible)}` : ''
    return ` WHERE b.${quote(by?.name ?? 'pk')} = ${dialect.placeholder(shape.source ? 2 : 1)}${hidden}${lock ? dialect.lock('b', lock) : ''}`
  })
  const countsNothing = selected.fields.every(({ definition }) => definition.role !== 'count')
  return { ...statement, quick: visible === null && shape.source === null && countsNothing }
}

/** The records of several keys, which are the first cell. */
export const manyStatement = (source: SelectSource): SelectStatement => {
  const { shape, resource } = source
  const { dialect } = shape
  const scope = recordScope(new StatementDraft(shape), resource)
  const statement = selecting(source, scope, () => ` WHERE ${dialect.among('b."pk"', dialect.placeholder(1), 'text')}`)
  return { ...statement, quick: true }
}
