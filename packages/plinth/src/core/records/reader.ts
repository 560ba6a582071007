// Typed reading: rows of a definition, as far as the reader's permissions go.

import type { ResourceDefinition } from '../model/define.ts'
import { both, type Filter, type LinkFilters, type Query } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { RecordReader } from '../model/records.ts'
import type { Resource } from '../model/resource.ts'
import type { Row, RowQuery, SortBy, Where } from '../model/row.ts'
import type { Reader } from '../model/transaction.ts'
import { Problem } from '../problem.ts'
import { type PlainQuery, type PlainWhere, toFilter, toQuery } from './query.ts'

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
