// Typed reading: rows of a definition, as far as the reader's permissions go.

import type { ResourceDefinition } from '../model/define.ts'
import { linkFiltersOf } from '../model/link-filters.ts'
import { both, type Filter, type LinkFilters, type Query, toFilter as toVisible } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { RecordReader } from '../model/records.ts'
import type { Registry } from '../model/registry.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import type { AggregateQuery, GroupRow } from '../model/row-aggregate.ts'
import type { CountQuery, FirstQuery, RowQuery, RowView, StreamQuery } from '../model/row-query.ts'
import type { RowField, RowOf, RowPath } from '../model/row-view.ts'
import type { Where } from '../model/row-where.ts'
import type { Reader, ReadOptions } from '../model/transaction.ts'
import type { Visibility } from '../model/views.ts'
import { missingRecord } from '../problem.ts'
import { createScope } from '../query/scope.ts'
import { type PlainAggregate, toGroupQuery, toGroupRows } from './aggregates.ts'
import { matchingAll, type PlainWhere, toCondition } from './condition.ts'
import { fullVisibility, type RecordContext } from './context.ts'
import { type PlainView, withView } from './inclusion.ts'
import { findNear } from './near-query.ts'
import { checkOptions, type PlainQuery, toQuery } from './plain-query.ts'
import { TrackedCalls } from './tracked.ts'
import { withSimilar, withWords } from './word-query.ts'

/** What can be read. Without it, everything can. */
interface ReadPermissions {
  /** Problem `unauthorized` or `forbidden` when none of them can. */
  visible(resource: Resource): Filter | null
  linkFilters(resource: Resource): LinkFilters
  /**
   * The visibility for the length of one call: what it decides for a resource is the same wherever the query meets it.
   */
  visibility(): Visibility
}

const permissionsOf = ({ platform, caller, visibility }: RecordContext): ReadPermissions => ({
  visible: resource => toVisible(platform.access.permit(resource, 'read', caller)),
  linkFilters: resource => linkFiltersOf(visibility.view(resource), visibility),
  visibility: () => createScope(visibility).visibility,
})

/**
 * The types of definitions end here: below, all resources are alike. What the store gives for a definition is its row, since
 * its table is made from the same definition.
 */
export class RowReader<C extends RecordContext> extends TrackedCalls implements RecordReader {
  protected readonly context: C
  protected readonly reader: Reader
  /** The resource of a definition. */
  protected readonly resource: Reader['resource']
  readonly #permissions: ReadPermissions | null

  constructor(context: C) {
    super(context)
    this.context = context
    this.reader = context.tx ?? context.platform.store
    this.resource = this.reader.resource
    this.#permissions = context.isService ? null : permissionsOf(context)
  }

  protected visible(resource: Resource): Filter | null {
    return this.#permissions?.visible(resource) ?? null
  }

  /** The condition as a filter, as far as the permissions go along its relations. */
  protected condition(resource: Resource, where: PlainWhere | undefined): Filter | null {
    return toCondition(resource, where, this.#visibility())
  }

  get<D extends ResourceDefinition, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    pk: string,
    view?: RowView<F, I>,
  ): Promise<RowOf<D, F, I>> {
    return this.call(this.get, definition, async () => {
      const resource = this.resource(definition)
      const record = await this.reader.get(resource, pk, this.readOptions(resource))
      if (!record) throw missingRecord(resource, pk)
      const [row] = await this.#viewed(resource, [record], view)
      return row as RowOf<D, F, I>
    })
  }

  first<D extends ResourceDefinition, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query: FirstQuery<D, F, I> = {},
  ): Promise<RowOf<D, F, I> | null> {
    return this.call(this.first, definition, async () => {
      const resource = this.resource(definition)
      const plain = query as PlainQuery
      const records = await this.#firstOf(resource, plain)
      const [row = null] = await this.#viewed(resource, records, plain)
      return row as RowOf<D, F, I> | null
    })
  }

  find<D extends ResourceDefinition, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query: RowQuery<D, F, I> = {},
  ): Promise<readonly RowOf<D, F, I>[]> {
    return this.call(this.find, definition, () => this.rows(definition, query))
  }

  /** The same as a part of another call. */
  protected async rows<
    D extends ResourceDefinition,
    const F extends RowField<D> = never,
    const I extends RowPath<D> = never,
  >(definition: D, query: RowQuery<D, F, I>): Promise<readonly RowOf<D, F, I>[]> {
    if (query.limit !== undefined || query.offset !== undefined || query.near !== undefined) {
      const resource = this.resource(definition)
      const records = await this.#page(resource, query as PlainQuery)
      return (await this.#viewed(resource, records, query as PlainView)) as readonly RowOf<D, F, I>[]
    }
    const found: RowOf<D, F, I>[] = []
    for await (const batch of this.#batches(definition, query)) found.push(...batch)
    return found
  }

  stream<D extends ResourceDefinition, const F extends RowField<D> = never, const I extends RowPath<D> = never>(
    definition: D,
    query: StreamQuery<D, F, I> = {},
  ): AsyncIterable<readonly RowOf<D, F, I>[]> {
    return this.whileRunning(this.#batches(definition, query))
  }

  async *#batches<
    D extends ResourceDefinition,
    const F extends RowField<D> = never,
    const I extends RowPath<D> = never,
  >(definition: D, query: StreamQuery<D, F, I>): AsyncIterable<readonly RowOf<D, F, I>[]> {
    const resource = this.resource(definition)
    const { batchSize = 500, ...plain } = query as PlainQuery & { readonly batchSize?: number }
    const prepared = await this.#query(resource, { ...plain, limit: batchSize })
    for await (const records of this.reader.stream(resource, prepared))
      yield (await this.#viewed(resource, records, query as PlainView)) as readonly RowOf<D, F, I>[]
  }

  count<D extends ResourceDefinition>(definition: D, query: CountQuery<D> = {}): Promise<number> {
    return this.call(this.count, definition, async () => {
      const resource = this.resource(definition)
      const { filter, source } = await this.#query(resource, query as PlainQuery)
      return this.reader.count(resource, filter, { source })
    })
  }

  aggregate<D extends ResourceDefinition, const Q extends AggregateQuery<D>>(
    definition: D,
    query: Q,
  ): Promise<readonly GroupRow<D, Q>[]> {
    return this.call(this.aggregate, definition, async () => {
      const resource = this.resource(definition)
      const groups = toGroupQuery(query as unknown as PlainAggregate, { resource, visibility: this.#visibility() })
      const { aggregation } = groups
      const found = await this.reader.groups(resource, {
        ...aggregation,
        filter: both(aggregation.filter, this.visible(resource)),
        smallestGroup: this.#permissions ? (resource.definition.smallestGroup ?? 1) : 1,
      })
      return toGroupRows(groups, found) as unknown as readonly GroupRow<D, Q>[]
    })
  }

  #visibility(): Visibility {
    return this.#permissions?.visibility() ?? fullVisibility
  }

  async #firstOf(resource: Resource, plain: PlainQuery): Promise<readonly StoredRecord[]> {
    const isRanked = plain.search !== undefined || plain.similar !== undefined || plain.near !== undefined
    const key = isRanked ? null : keyIn(resource, plain.where)
    if (!key) return this.#page(resource, { ...plain, limit: 1 })
    const record = await this.reader.get(resource, key.value, { by: key.by, ...this.readOptions(resource) })
    return record ? [record] : []
  }

  protected readOptions(resource: Resource): ReadOptions {
    if (!this.#permissions) return {}
    return { visible: this.visible(resource), linkFilters: this.#permissions.linkFilters(resource) }
  }

  async #viewed(
    resource: Resource,
    records: readonly StoredRecord[],
    view: PlainView | undefined,
  ): Promise<readonly StoredRecord[]> {
    if (!view?.include?.length && !view?.fields) return records
    return withView(records, view, { resource, reader: this.reader, visibility: this.#visibility() })
  }

  async #page(resource: Resource, plain: PlainQuery): Promise<readonly StoredRecord[]> {
    if (!plain.near) return (await this.reader.find(resource, await this.#query(resource, plain))).records
    const { near: _, search: __, ...rest } = plain
    const query = await this.#query(resource, rest)
    return (await findNear(this.reader, query, { resource, plain, visibility: this.#visibility() })).records
  }

  async #query(resource: Resource, plain: PlainQuery): Promise<Query> {
    checkOptions(plain)
    if (plain.near) throw new Error("'near' finds records: read them by 'find' or 'first'")
    const visibility = this.#visibility()
    const query = toQuery(resource, plain, visibility)
    const permitted = this.#permissions
      ? {
          ...query,
          filter: both(query.filter, this.visible(resource)),
          linkFilters: this.#permissions.linkFilters(resource),
        }
      : query
    if (plain.similar !== undefined) return withSimilar(this.reader, permitted, { resource, plain, visibility })
    return plain.search === undefined ? permitted : withWords(this.reader, permitted, { resource, plain, visibility })
  }
}

/** What names at most one record: its pk, or the value of a unique field. */
interface RecordKey {
  readonly value: string
  readonly by?: ResourceField
}

/** The key, where it alone is asked for: such a record is read without a search. */
const keyIn = (resource: Resource, where: PlainWhere = {}): RecordKey | null => {
  const [name, second] = Object.keys(where)
  const value = name !== undefined && second === undefined ? where[name] : null
  if (name === undefined || typeof value !== 'string') return null
  if (name === 'pk') return { value }
  const by = resource.fields.get(name)
  return by?.definition.role === 'value' &&
    by.definition.options.unique === true &&
    by.definition.type.column === 'text'
    ? { value, by }
    : null
}

/** The pk, where it alone is asked for. */
export const soleKey = (where: PlainWhere = {}): string | null => {
  const [only, ...others] = Object.keys(where)
  return only === 'pk' && others.length === 0 && typeof where.pk === 'string' ? where.pk : null
}

/** A typed condition as a filter, for searches that callers narrow further. */
export const whereOf = <D extends ResourceDefinition>(registry: Registry, definition: D, where: Where<D>): Filter =>
  toCondition(registry.resource(definition), where as PlainWhere, fullVisibility) ?? matchingAll
