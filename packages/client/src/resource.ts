// The operations on one resource.

import { type AggregateOptions, type AggregateParameters, type GroupOf, toAggregateParameters } from './aggregates.ts'
import type { CallOptions, FindOptions, ViewOptions } from './conditions.ts'
import { type ProgressOptions, reporting, type UploadedFiles, type UploadOptions, upload } from './files.ts'
import { type FetchPage, FindResult, type JsonPage } from './find-result.ts'
import { mustHoldNoFiles, toRecordBody } from './forms.ts'
import type { HistoryOptions, RecordVersion } from './history.ts'
import type { LiveChange, LiveConnection } from './live.ts'
import { type LiveQueryHandlers, type StopLive, startLiveQuery } from './live-query.ts'
import { segment } from './path.ts'
import { type FindParameters, toParameters } from './query.ts'
import { type ApiResponse, acceptsJsonApi, jsonApi, newKey, type RequestOptions, type Transport } from './request.ts'
import type {
  FieldName,
  IncludePath,
  NewValues,
  RecordChanges,
  RecordOf,
  ResourceName,
  ServiceSchema,
  TargetOf,
  ToManyName,
  ToOneName,
} from './schema.ts'

/** A record by its pk. The record itself, as it was read, also says which version a change is based on. */
export type RecordKey = string | { readonly pk: string; readonly version?: number }

export interface WriteOptions extends CallOptions, ProgressOptions {
  /** The ETag that the record must have. A record as the first argument gives its version instead. */
  readonly ifMatch?: string | null
}

export interface CreateOptions extends CallOptions, ProgressOptions {
  /** The same key for each attempt of one creation; a new one unless given. */
  readonly idempotencyKey?: string
}

/** A related record in requests that must name its resource. */
export interface Reference<Name extends string = string> {
  readonly type: Name
  readonly id: string
}

export interface ResourceClient<S extends ServiceSchema, R extends ResourceName<S>> {
  /** Await it for one page, or iterate over all records. */
  find<const F extends FieldName<S, R> = never, const I extends IncludePath<S, R> = never>(
    options?: FindOptions<S, R, F, I>,
  ): FindResult<RecordOf<S, R, F, I>>
  /** The first match, or null. */
  first<const F extends FieldName<S, R> = never, const I extends IncludePath<S, R> = never>(
    options?: FindOptions<S, R, F, I>,
  ): Promise<RecordOf<S, R, F, I> | null>
  count(options?: Pick<FindOptions<S, R, never, never>, 'where' | 'filter' | 'search' | 'signal'>): Promise<number>
  /**
   * Groups of the records that match, and what is computed of each.
   *
   * @example const months = await client.invoices.aggregate({ group: ['createdDate:month'], count: true, sum: ['total'] })
   */
  aggregate<const Q extends AggregateOptions<S, R>>(options: Q): Promise<readonly GroupOf<S, R, Q>[]>
  /** Rejects with problem `not_found` if there is none. */
  get<const F extends FieldName<S, R> = never, const I extends IncludePath<S, R> = never>(
    pk: string,
    options?: ViewOptions<F, I>,
  ): Promise<RecordOf<S, R, F, I>>
  /** The records with these pks, in this order. Those that do not exist are left out. */
  getMany<const F extends FieldName<S, R> = never, const I extends IncludePath<S, R> = never>(
    pks: readonly string[],
    options?: ViewOptions<F, I>,
  ): Promise<readonly RecordOf<S, R, F, I>[]>
  /** Creates a record. Values of fields of files may be files: they are sent with it, `create({ title, photo: file })`. */
  create(values: NewValues<S, R>, options?: CreateOptions): Promise<RecordOf<S, R>>
  /** Creates all of them or none. */
  createMany(values: readonly NewValues<S, R>[], options?: CreateOptions): Promise<readonly RecordOf<S, R>[]>
  /**
   * Uploads files for fields of files, and answers with the values to write a record with: `const { photo } = await
   * client.notes.upload({ photo: file })`, and then `client.notes.create({ title, photo })`. What no record has taken after a day is deleted.
   */
  upload<K extends keyof NewValues<S, R> & string>(
    files: { readonly [Name in K]: Blob | readonly Blob[] },
    options?: UploadOptions,
  ): Promise<{ readonly [Name in K]-?: NonNullable<NewValues<S, R>[Name]> }>
  /** Changes the given fields; null clears one. */
  update(record: RecordKey, changes: RecordChanges<S, R>, options?: WriteOptions): Promise<RecordOf<S, R>>
  /** Creates the record with this pk, or replaces all its values. */
  put(record: RecordKey, values: NewValues<S, R>, options?: WriteOptions): Promise<RecordOf<S, R>>
  /** Deletes the record: to the trash, where the resource has one. */
  remove(record: RecordKey, options?: WriteOptions): Promise<void>
  /** Brings a record back from the trash, with all that was deleted with it. */
  restore(pk: string, options?: CallOptions): Promise<void>
  /** Deletes a record from the trash for good. */
  purge(pk: string, options?: CallOptions): Promise<void>
  /** The changes of a record, the latest first, for administrators; of resources with `history: true`. */
  history(pk: string, options?: HistoryOptions): FindResult<RecordVersion>
  /** Sets the fields of a record back to what they were after a version. */
  restoreVersion(pk: string, version: number, options?: CallOptions): Promise<void>
  /** The record that a relation leads to; null if there is none. */
  related<K extends ToOneName<S, R>>(
    pk: string,
    relation: K,
    options?: CallOptions,
  ): Promise<RecordOf<S, TargetOf<S, R, K>> | null>
  /** The records that a relation leads to. */
  relatedMany<
    K extends ToManyName<S, R>,
    const F extends FieldName<S, TargetOf<S, R, K>> = never,
    const I extends IncludePath<S, TargetOf<S, R, K>> = never,
  >(
    pk: string,
    relation: K,
    options?: FindOptions<S, TargetOf<S, R, K>, F, I>,
  ): FindResult<RecordOf<S, TargetOf<S, R, K>, F, I>>
  /** Adds records to a relation to many, or removes them. */
  link<K extends ToManyName<S, R>>(
    pk: string,
    relation: K,
    references: readonly Reference<TargetOf<S, R, K> & string>[],
  ): Promise<void>
  unlink<K extends ToManyName<S, R>>(
    pk: string,
    relation: K,
    references: readonly Reference<TargetOf<S, R, K> & string>[],
  ): Promise<void>
  /** Calls the handlers for each change of the resource, or of one of its records, until the returned function is called. */
  subscribe(handlers: ChangeHandlers<RecordOf<S, R>>, pk?: string): StopLive
  /** Keeps the first page of a search current. */
  liveQuery<const F extends FieldName<S, R> = never, const I extends IncludePath<S, R> = never>(
    options: Omit<FindOptions<S, R, F, I>, 'signal'>,
    handlers: LiveQueryHandlers<RecordOf<S, R, F, I>>,
  ): StopLive
}

export interface ChangeHandlers<T> {
  readonly onChange: (change: LiveChange<T>) => void
  /** The subscription has begun, or changes were missed that the service no longer has: read again what is shown. */
  readonly onReload?: () => void
  readonly onRefused?: (reason: string) => void
}

/** How many groups are read at a time. */
const groupsPerPage = 100

/** The operations as they run: types are the concern of `ResourceClient`. */
export class ResourceCalls {
  readonly #request: Transport
  readonly #live: LiveConnection
  readonly #name: string
  readonly #path: string

  constructor(request: Transport, live: LiveConnection, name: string) {
    this.#request = request
    this.#live = live
    this.#name = name
    this.#path = `/api/rest/${segment(name)}`
  }

  find(options: FindParameters & CallOptions = {}): FindResult<unknown> {
    return new FindResult(this.#fetcher(() => this.#path, options))
  }

  async first(options: FindParameters & CallOptions = {}): Promise<unknown> {
    const { items } = await this.find({ total: 'none', ...options, limit: 1 })
    return items[0] ?? null
  }

  async count({ where, filter, search, signal }: FindParameters & CallOptions = {}): Promise<number> {
    const page = await this.find({
      ...(where && { where }),
      ...(filter && { filter }),
      ...(search && { search }),
      total: 'exact',
      limit: 1,
      signal,
    })
    return page.total ?? 0
  }

  async get(pk: string, options: FindParameters & CallOptions = {}): Promise<unknown> {
    const { body } = await this.#request(this.#item(pk), { query: toParameters(options), ...signalOf(options) })
    return body
  }

  async getMany(pks: readonly string[], options: FindParameters & CallOptions = {}): Promise<readonly unknown[]> {
    const query = { ...toParameters(options), 'pks[]': pks }
    if (pks.length === 0) return []
    return (await this.#request<JsonPage<unknown>>(this.#path, { query, ...signalOf(options) })).body.content
  }

  async create(values: object, options: CreateOptions = {}): Promise<unknown> {
    return (await this.#post(values, options)).body
  }

  async createMany(values: readonly object[], options: CreateOptions = {}): Promise<readonly unknown[]> {
    if (values.length === 0) return []
    mustHoldNoFiles(values)
    return ((await this.#post(values, options)) as ApiResponse<JsonPage<unknown>>).body.content
  }

  async upload(files: UploadedFiles, options: UploadOptions = {}): Promise<unknown> {
    return (await upload(this.#request, `${this.#path}/files`, { files, ...options })).body
  }

  async update(record: RecordKey, changes: object, options: WriteOptions = {}): Promise<unknown> {
    return this.#write(record, { method: 'PATCH', ...toRecordBody(changes, 'application/merge-patch+json') }, options)
  }

  async aggregate(options: AggregateParameters): Promise<readonly unknown[]> {
    const groups: unknown[] = []
    const size = Math.min(options.limit ?? groupsPerPage, groupsPerPage)
    for (let page = 0; ; page++) {
      const query = { ...toAggregateParameters(options), _pn: page, _ps: size, _total: 'none' }
      const { body } = await this.#request<JsonPage<unknown>>(`${this.#path}/aggregates`, {
        query,
        ...signalOf(options),
      })
      groups.push(...body.content)
      if (body.content.length < size) return groups
      if (options.limit !== undefined && groups.length >= options.limit) return groups.slice(0, options.limit)
    }
  }

  async remove(record: RecordKey, options: WriteOptions = {}): Promise<void> {
    const ifMatch = options.ifMatch ?? tagOf(record)
    await this.#request(this.#item(pkOf(record)), { method: 'DELETE', ifMatch, ...signalOf(options) })
  }

  async put(record: RecordKey, values: object, options: WriteOptions = {}): Promise<unknown> {
    return this.#write(record, { method: 'PUT', ...toRecordBody(values) }, options)
  }

  async restore(pk: string, options: CallOptions = {}): Promise<void> {
    await this.#request(`${this.#item(pk)}/restore`, { method: 'POST', ...signalOf(options) })
  }

  async purge(pk: string, options: CallOptions = {}): Promise<void> {
    await this.#request(this.#item(pk), { method: 'DELETE', query: { trash: 'only' }, ...signalOf(options) })
  }

  history(pk: string, options: HistoryOptions = {}): FindResult<unknown> {
    return new FindResult(this.#fetcher(() => `${this.#item(pk)}/history`, options))
  }

  async restoreVersion(pk: string, version: number, options: CallOptions = {}): Promise<void> {
    await this.#request(`${this.#item(pk)}/history/${version}/restore`, { method: 'POST', ...signalOf(options) })
  }

  async related(pk: string, relation: string, options: CallOptions = {}): Promise<unknown> {
    return (await this.#request(`${this.#item(pk)}/${segment(relation)}`, signalOf(options))).body
  }

  relatedMany(pk: string, relation: string, options: FindParameters & CallOptions = {}): FindResult<unknown> {
    return new FindResult(this.#fetcher(() => `${this.#item(pk)}/${segment(relation)}`, options))
  }

  async link(pk: string, relation: string, references: readonly Reference[]): Promise<void> {
    await this.#changeLinks('POST', this.#links(pk, relation), references)
  }

  async unlink(pk: string, relation: string, references: readonly Reference[]): Promise<void> {
    await this.#changeLinks('DELETE', this.#links(pk, relation), references)
  }

  subscribe({ onChange, onReload, onRefused }: ChangeHandlers<unknown>, pk?: string): StopLive {
    const stop = this.#live.listen(this.#topic(pk), {
      message: body => onChange(body as LiveChange<unknown>),
      reload: () => onReload?.(),
      refused: reason => onRefused?.(reason),
    })
    void this.#live.open()
    return stop
  }

  liveQuery(options: FindParameters, handlers: LiveQueryHandlers<unknown>): StopLive {
    const read = (signal: AbortSignal) => this.find({ ...options, signal })
    return startLiveQuery(this.#live, { destination: this.#topic(), read }, handlers)
  }

  #topic(pk?: string): string {
    return `/topic/${this.#name}${pk === undefined ? '' : `/${pk}`}`
  }

  async #changeLinks(method: 'POST' | 'DELETE', path: string, data: readonly Reference[]): Promise<void> {
    const headers = { 'Content-Type': jsonApi, Accept: acceptsJsonApi }
    await this.#request(path, {
      method,
      headers,
      body: { data },
      ...(method === 'POST' && { idempotencyKey: newKey() }),
    })
  }

  #item(pk: string): string {
    return `${this.#path}/${segment(pk)}`
  }

  #links(pk: string, relation: string): string {
    return `${this.#item(pk)}/relationships/${segment(relation)}`
  }

  #post(values: object, { idempotencyKey = newKey(), ...options }: CreateOptions): Promise<ApiResponse<unknown>> {
    const sent = toRecordBody(values)
    const call = { method: 'POST', ...sent, idempotencyKey, ...reporting(sent.body, options) } as const
    return this.#request(this.#path, { ...call, ...signalOf(options) })
  }

  async #write(record: RecordKey, call: RequestOptions, options: WriteOptions): Promise<unknown> {
    const { status, body } = await this.#request(this.#item(pkOf(record)), {
      ...call,
      ifMatch: options.ifMatch ?? tagOf(record),
      ...reporting(call.body, options),
      ...signalOf(options),
    })
    // Nothing has changed, and the service sends no record.
    return status === 204 ? this.get(pkOf(record), options) : body
  }

  /** The path is made when a page is asked for, so that a wrong pk rejects like every other failure. */
  #fetcher(path: () => string, options: FindParameters & CallOptions): FetchPage<unknown> {
    return async after => {
      const { page, before, ...others } = options
      const query = toParameters(after === null ? options : { ...others, after })
      return (await this.#request<JsonPage<unknown>>(path(), { query, ...signalOf(options) })).body
    }
  }
}

const signalOf = ({ signal }: CallOptions): { signal?: AbortSignal } => (signal ? { signal } : {})

const pkOf = (record: RecordKey): string => (typeof record === 'string' ? record : record.pk)

/** The service compares the version in an ETag. */
const tagOf = (record: RecordKey): string | null =>
  typeof record === 'string' || record.version === undefined ? null : `"${record.version}"`
