// The shape of a query: everything about it but its values. Queries of one shape share one prepared statement; the values are
// collected beside the shape, in one walk, and are all that is new for a further query of that shape.

import type { Comparison, Filter, LinkFilters, Path, Query, SortKey } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { ColumnType } from '../../model/value-field.ts'
import type { Cell } from '../connection.ts'
import { asOfSelects, asOfTables, entriesAfter, historyTableOf, type TableName } from '../history/columns.ts'
import { nearKey, nearSelect, nearTables } from '../near/near.ts'
import { foundCells, foundKey, foundSelect, foundTables } from '../search/matches.ts'
import { trashSource, trashTables } from '../trash/columns.ts'
import { columnTypeOf, quote, recordTableOf, searchesEntries, sourceOf } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { matchingRange, textIndexCells, textIndexOf } from './text-indexes.ts'
import { matchingOf } from './text-patterns.ts'

/** Other rows than those of the table: the records of a moment, deleted ones, those found by words or near a vector, or all that the history holds. */
export type StatementSource = NonNullable<Query['source']> | { readonly kind: 'history' }

export class QueryShape {
  readonly dialect: Dialect
  readonly cells: Cell[] = []
  /** The source of the records, when it is not the table; part of the key of each statement. */
  readonly source: StatementSource | null
  /** The slots by identity: a link filter that is met on several ways lends all of them the same cells. */
  #slots: Map<Comparison, number> | null = null

  constructor(dialect: Dialect, source: StatementSource | null = null) {
    this.dialect = dialect
    this.source = source
    if (source?.kind === 'asOf') this.cells.push(entriesAfter(source.moment))
    if (source?.kind === 'trash') this.cells.push(source.by ?? '')
    if (source?.kind === 'found') this.cells.push(...foundCells(source))
    if (source?.kind === 'near') this.add(source.vector, 'vector')
  }

  get key(): string {
    if (this.source?.kind === 'near') return nearKey(this.source)
    return this.source?.kind === 'found' ? foundKey(this.source) : (this.source?.kind ?? '')
  }

  /** What the records of a statement are selected from. What the source depends on is the first cell. */
  sourceOf(resource: Resource): string {
    switch (this.source?.kind) {
      case 'asOf':
        return `(${this.#asOf(resource).join(' UNION ALL ')})`
      case 'trash':
        return trashSource(resource, this.dialect.placeholder(1), this.dialect)
      case 'history':
        return quote(historyTableOf(resource))
      case 'found':
        return `(${foundSelect({ resource, dialect: this.dialect, found: this.source })})`
      case 'near':
        return `(${nearSelect({ resource, dialect: this.dialect, near: this.source }, 'record')})`
      default:
        return sourceOf(resource)
    }
  }

  /** The tables behind `sourceOf … AS b`, by the names that they have there. */
  tablesOf(resource: Resource): readonly TableName[] {
    switch (this.source?.kind) {
      case 'asOf':
        return asOfTables(resource)
      case 'trash':
        return trashTables(resource)
      case 'history':
        return [['b', historyTableOf(resource)]]
      case 'found':
        return foundTables(resource)
      case 'near':
        return nearTables(resource)
      default: {
        const table = recordTableOf(resource)
        return resource.definition.storedIn
          ? [
              ['b', table],
              [table, table],
            ]
          : [['b', table]]
      }
    }
  }

  /** The same in parts that have no record in common, each of which can be read in the order of an index. */
  sourcesOf(resource: Resource): readonly string[] {
    return this.source?.kind === 'asOf' ? this.#asOf(resource).map(select => `(${select})`) : [this.sourceOf(resource)]
  }

  #asOf(resource: Resource): readonly string[] {
    return asOfSelects(resource, this.dialect.placeholder(1), this.dialect)
  }

  /** Takes a value in; its slot counts from 1. */
  add(value: unknown, column: ColumnType): number {
    return this.cells.push(this.dialect.cell(value, column))
  }

  /** The placeholder of the comparison's value; `at` counts those of a comparison that has several. */
  placeholder(comparison: Comparison, at = 0): string {
    return this.dialect.placeholder(this.slotOf(comparison) + at)
  }

  /** The slot of the comparison's value, or of the first of several. */
  slotOf(comparison: Comparison): number {
    const slot = this.#slots?.get(comparison)
    if (slot === undefined) throw new Error(`a '${comparison.op}' comparison without a value was given a placeholder`)
    return slot
  }

  filter(filter: Filter): string {
    switch (filter.op) {
      case 'const':
        return filter.value ? 'T' : 'F'
      case 'and':
      case 'or': {
        let key = filter.op === 'and' ? '(&' : '(|'
        for (const part of filter.parts) key += this.filter(part)
        return `${key})`
      }
      case 'not':
        return `(!${this.filter(filter.part)})`
      default:
        return `(${this.path(filter.path)}${this.#comparison(filter)})`
    }
  }

  path({ steps, field, counting }: Path): string {
    let key = ''
    // A slash parts the steps, since the name of a way back may hold a dot.
    for (const { relation, linkFilter } of steps) {
      key += linkFilter ? `${relation.name}{${this.filter(linkFilter)}}/` : `${relation.name}/`
    }
    return counting ? `${key}${field.name}{${this.filter(counting)}}` : key + field.name
  }

  sort(keys: readonly SortKey[]): string {
    let text = ''
    for (const { path, descending } of keys) text += (descending ? '-' : '+') + this.path(path)
    return text
  }

  /** Adds the link filters of fields that the statement shows: the others have no place for their cells. */
  linkFilters(linkFilters: LinkFilters | undefined, names: ReadonlySet<string>): string {
    if (!linkFilters || linkFilters.size === 0) return ''
    let key = ''
    for (const [name, linkFilter] of linkFilters) {
      if (names.has(name)) key += linkFilter === false ? `${name}-` : `${name}{${this.filter(linkFilter)}}`
    }
    return key
  }

  #comparison(comparison: Comparison): string {
    const column = columnTypeOf(comparison.path.field)
    switch (comparison.op) {
      case 'null':
        return comparison.isNull ? '=0' : '!0'
      case 'in':
      case 'out': {
        const { present, hasNull } = split(comparison.values)
        return `${comparison.op}${hasNull ? 0 : ''}@${this.#slot(comparison, () => [this.dialect.list(present, column)])}`
      }
      case 'like':
      case 'unlike': {
        const { pattern, ignoreCase } = comparison
        const range = matchingRange(comparison)
        if (range) return `range@${this.#slot(comparison, () => range)}`
        const matching = matchingOf(pattern, ignoreCase)
        const indexCells = textIndexCells(comparison, this.dialect)
        const slot = this.#slot(comparison, () => [this.dialect.pattern(pattern, matching), ...indexCells])
        return `${comparison.op}${matching}${textIndexOf(comparison) ?? ''}@${slot}`
      }
      default: {
        const { op, value } = comparison
        if (isValueless(comparison)) return `${op}0`
        const slot = this.#slot(comparison, () => [
          searchesEntries(comparison.path.field)
            ? this.dialect.list([value].flat(), column)
            : this.dialect.cell(value, column),
        ])
        return `${op}@${slot}`
      }
    }
  }

  /** The slot of the first of its cells. */
  #slot(comparison: Comparison, cells: () => readonly Cell[]): number {
    this.#slots ??= new Map()
    const known = this.#slots.get(comparison)
    if (known !== undefined) return known
    const slot = this.cells.length + 1
    this.cells.push(...cells())
    this.#slots.set(comparison, slot)
    return slot
  }
}

/** The values of a list without its nulls, and without the lists that a search by a list field wraps around each. */
const split = (values: readonly unknown[]): { present: readonly unknown[]; hasNull: boolean } => {
  const flat = values.flat()
  const present = flat.filter(value => value !== null && value !== undefined)
  return { present, hasNull: present.length < flat.length }
}

export const hasNull = (values: readonly unknown[]): boolean => split(values).hasNull

/** Comparisons whose text holds no placeholder: with null, and of order where there is none. */
export const isValueless = ({ op, path, value }: ValueComparison): boolean =>
  value === null || value === undefined || (searchesEntries(path.field) && op !== 'eq' && op !== 'ne')

type ValueComparison = Extract<Comparison, { readonly value: unknown }>
