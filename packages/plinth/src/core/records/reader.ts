// Typed reading: rows of a definition, as far as the reader's permissions go.

import type { ResourceDefinition } from '../model/define.ts'
import {
  both,
  type Comparison,
  everything,
  type Filter,
  type LinkFilters,
  type Path,
  pathTo,
  type Query,
  type SortKey,
} from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { RecordReader } from '../model/records.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource } from '../model/resource.ts'
import type { Row, RowQuery, SortBy, Where } from '../model/row.ts'
import type { Reader } from '../model/transaction.ts'
import { Problem } from '../problem.ts'

/** What can be read. Without it, everything can. */
export interface ReadPermissions {
  /** Problem `unauthorized` or `forbidden` when none of them can. */
  visible(resource: Resource): Filter | null
  linkFilters(resource: Resource): LinkFilters
}

/** For code that has a store or a transaction at hand and reads as the service itself. */
export const readerOf = (reader: Reader): RecordReader => new RowReader(reader, null)

/**
 * The types of definitions end here: below, all resources are alike. What the store gives for a definition is its row, since
 * its table is made from the same definition.
 */
export class RowReader implements RecordReader {
  protected readonly reader: Reader
  readonly #permissions: ReadPermissions | null

  constructor(reader: Reader, permissions: ReadPermissions | null) {
    this.reader = reader
    this.#permissions = permissions
  }

  protected resource(definition: ResourceDefinition): Resource {
    return this.reader.resource(definition)
  }

  protected visible(resource: Resource): Filter | null {
    return this.#permissions?.visible(resource) ?? null
  }

  async get<D extends ResourceDefinition>(definition: D, pk: string): Promise<Row<D>> {
    const record = await this.#peek(this.resource(definition), pk)
    if (!record) throw new Problem('not_found')
    return record as Row<D>
  }

  async first<D extends ResourceDefinition>(
    definition: D,
    where: Where<D>,
    sort?: readonly SortBy<D>[],
  ): Promise<Row<D> | null> {
    const resource = this.resource(definition)
    const pk = soleKey(where as PlainWhere)
    if (pk !== null) return (await this.#peek(resource, pk)) as Row<D> | null
    const query = this.#query(resource, { where: where as PlainWhere, limit: 1, ...(sort && { sort }) })
    const { records } = await this.reader.find(resource, query)
    return (records[0] ?? null) as Row<D> | null
  }

  async find<D extends ResourceDefinition>(definition: D, query: RowQuery<D> = {}): Promise<readonly Row<D>[]> {
    if (query.limit !== undefined) {
      const resource = this.resource(definition)
      const { records } = await this.reader.find(resource, this.#query(resource, query as PlainQuery))
      return records as readonly Row<D>[]
    }
    const found: Row<D>[] = []
    for await (const batch of this.stream(definition, query)) found.push(...batch)
    return found
  }

  stream<D extends ResourceDefinition>(definition: D, query: RowQuery<D> = {}): AsyncIterable<readonly Row<D>[]> {
    const resource = this.resource(definition)
    const batches = this.reader.stream(resource, this.#query(resource, query as PlainQuery))
    return batches as AsyncIterable<readonly Row<D>[]>
  }

  count<D extends ResourceDefinition>(definition: D, where?: Where<D>): Promise<number> {
    const resource = this.resource(definition)
    return this.reader.count(resource, both(toFilter(resource, where as PlainWhere), this.visible(resource)))
  }

  #peek(resource: Resource, pk: string): Promise<StoredRecord | null> {
    if (!this.#permissions) return this.reader.get(resource, pk)
    const linkFilters = this.#permissions.linkFilters(resource)
    return this.reader.get(resource, pk, { visible: this.visible(resource), linkFilters })
  }

  #query(resource: Resource, plain: PlainQuery): Query {
    const query = toQuery(resource, plain)
    if (!this.#permissions) return query
    const linkFilters = this.#permissions.linkFilters(resource)
    return { ...query, filter: both(query.filter, this.visible(resource)), linkFilters }
  }
}

/** The pk, where it alone is asked for: such a record is read without a search. */
export const soleKey = (where: PlainWhere): string | null => {
  const [only, ...others] = Object.keys(where)
  return only === 'pk' && others.length === 0 && typeof where.pk === 'string' ? where.pk : null
}

// Typed conditions and queries of module code → the data that the store understands.

/** A typed query, once its types have done their work. */
export interface PlainQuery {
  readonly where?: PlainWhere
  readonly sort?: readonly string[]
  readonly limit?: number
  readonly after?: StoredRecord
}

export type PlainWhere = { readonly [name: string]: unknown }

const batchSize = 500

export const everyRecord: Filter = { op: 'const', value: true }

export const toQuery = (resource: Resource, { where, sort = [], limit = batchSize, after }: PlainQuery): Query => {
  const query = everything(resource, toFilter(resource, where), limit)
  const given = sort.map(key => toSortKey(resource, key))
  const isTotal = given.some(({ path }) => path.member === resource.pk)
  const keys = isTotal ? given : [...given, ...query.sort]
  if (!after) return { ...query, sort: keys }
  return { ...query, sort: keys, window: { kind: 'after', values: keys.map(key => sortValue(after, key)), limit } }
}

/** References are compared by their pks. */
const sortValue = (record: StoredRecord, { path }: SortKey): unknown => {
  const value = record[path.member.name] ?? null
  return typeof value === 'object' && value !== null && 'pk' in value ? value.pk : value
}

const toSortKey = (resource: Resource, key: string): SortKey => {
  const descending = key.startsWith('-')
  return { path: pathTo(resource, descending ? key.slice(1) : key), descending }
}

/** A typed condition as a filter, for searches that callers narrow further. */
export const whereOf = <D extends ResourceDefinition>(registry: Registry, definition: D, where: Where<D>): Filter =>
  toFilter(registry.resource(definition), where as PlainWhere) ?? everyRecord

/** Null when there are no conditions. */
export const toFilter = (resource: Resource, where: PlainWhere = {}): Filter | null => {
  const parts = Object.entries(where).flatMap(([name, condition]): Filter[] => {
    // It would match everything, and is most likely a value that is missing by mistake.
    if (condition === undefined) throw new Error(`${resource.name}: the condition on '${name}' is undefined`)
    if (name === 'or') return [anyOf(resource, condition as readonly PlainWhere[])]
    return comparisons(pathTo(resource, name), condition)
  })
  if (parts.length === 1) return parts[0] ?? null
  return parts.length === 0 ? null : { op: 'and', parts }
}

const anyOf = (resource: Resource, alternatives: readonly PlainWhere[]): Filter => ({
  op: 'or',
  parts: alternatives.map(one => toFilter(resource, one) ?? everyRecord),
})

const comparisons = (path: Path, condition: unknown): Comparison[] => {
  if (typeof condition !== 'object' || condition === null) return [{ op: 'eq', path, value: condition }]
  return Object.entries(condition).flatMap(([op, value]): Comparison[] => {
    switch (op) {
      case 'ne':
      case 'gt':
      case 'ge':
      case 'lt':
      case 'le':
        return [{ op, path, value }]
      case 'in':
        return [{ op: 'in', path, values: value as readonly unknown[] }]
      case 'notIn':
        return [{ op: 'out', path, values: value as readonly unknown[] }]
      default:
        throw new Error(`${path.member.owner.name}.${path.member.name}: there is no comparison '${op}'`)
    }
  })
}
