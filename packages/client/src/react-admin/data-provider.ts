// The calls of react-admin as calls of the client. Relations are the pks of the related records there.

import type { ClientCore } from '../client.ts'
import { ApiProblem } from '../problem.ts'
import type { ServiceSchema, UntypedSchema } from '../schema.ts'
import { toCondition } from './filter.ts'

export interface DataProviderOptions {
  /** The fields that the filter `q` searches, by resource: `{ books: ['title', 'author.name'] }`. */
  readonly search?: Readonly<Record<string, readonly string[]>>
}

type Identifier = string | number

/** Records as react-admin shows them: with `id`, and with pks for relations. */
type AdminRecord = Readonly<Record<string, unknown>>

interface ReadParams {
  readonly signal?: AbortSignal
}

interface ListParams extends ReadParams {
  readonly pagination?: { readonly page: number; readonly perPage: number }
  readonly sort?: { readonly field: string; readonly order: string }
  readonly filter?: AdminRecord
}

interface ReferenceParams extends ListParams {
  readonly target: string
  readonly id: Identifier
}

interface WriteParams {
  readonly id: Identifier
  readonly data: object
  readonly previousData?: object
}

interface OneResult<T> {
  data: T
}

interface ListResult<T> {
  data: T[]
  total?: number
  pageInfo?: { hasNextPage: boolean; hasPreviousPage: boolean }
}

/** The data provider as react-admin takes it. The application says which records it expects. */
export interface PlinthDataProvider {
  readonly supportAbortSignal: true
  getList<T>(resource: string, params: ListParams): Promise<ListResult<T>>
  getOne<T>(resource: string, params: ReadParams & { readonly id: Identifier }): Promise<OneResult<T>>
  getMany<T>(resource: string, params: ReadParams & { readonly ids: readonly Identifier[] }): Promise<OneResult<T[]>>
  getManyReference<T>(resource: string, params: ReferenceParams): Promise<ListResult<T>>
  create<T>(resource: string, params: { readonly data: object }): Promise<OneResult<T>>
  update<T>(resource: string, params: WriteParams): Promise<OneResult<T>>
  updateMany<Id extends Identifier>(
    resource: string,
    params: { readonly ids: readonly Id[]; readonly data: object },
  ): Promise<OneResult<Id[]>>
  delete<T>(resource: string, params: Omit<WriteParams, 'data'>): Promise<OneResult<T>>
  deleteMany<Id extends Identifier>(resource: string, params: { readonly ids: readonly Id[] }): Promise<OneResult<Id[]>>
}

/** The service returns at most so many records by their pks. */
const maxPks = 100

/**
 * Lets react-admin read and write the records of the client.
 *
 * @example const dataProvider = createDataProvider(client, { search: { books: ['title', 'shelf.name'] } })
 */
export const createDataProvider = <S extends ServiceSchema>(
  typed: ClientCore<S>,
  { search = {} }: DataProviderOptions = {},
): PlinthDataProvider => {
  const client = typed as unknown as ClientCore<UntypedSchema>
  const list = async (resource: string, params: ListParams, more: object = {}): Promise<ListResult<AdminRecord>> => {
    const { pagination: { page, perPage } = { page: 1, perPage: 25 }, sort, filter = {}, signal } = params
    const field = sort?.field === 'id' ? 'pk' : sort?.field
    const found = await client.resource(resource).find({
      where: { ...toCondition(filter, search[resource] ?? []), ...more },
      ...(field && { sort: `${sort?.order === 'DESC' ? '-' : ''}${field}` }),
      page: page - 1,
      limit: perPage,
      ...(signal && { signal }),
    })
    const data = found.items.map(toAdmin)
    if (found.total !== null) return { data, total: found.total }
    return { data, pageInfo: { hasNextPage: found.next !== null, hasPreviousPage: page > 1 } }
  }
  const provider = {
    supportAbortSignal: true,
    getList: (resource: string, params: ListParams) => list(resource, params),
    getManyReference: (resource: string, { target, id, ...params }: ReferenceParams) =>
      list(resource, params, { [target]: String(id) }),
    getOne: async (resource: string, { id, signal }: ReadParams & WriteParams) => ({
      data: toAdmin(await client.resource(resource).get(String(id), signal ? { signal } : {})),
    }),
    getMany: async (resource: string, { ids, signal }: ReadParams & { ids: readonly Identifier[] }) => {
      const data: AdminRecord[] = []
      for (let at = 0; at < ids.length; at += maxPks) {
        const pks = ids.slice(at, at + maxPks).map(String)
        data.push(...(await client.resource(resource).getMany(pks, signal ? { signal } : {})).map(toAdmin))
      }
      return { data }
    },
    create: (resource: string, { data }: WriteParams) => oneRecord(client.resource(resource).create(toValues(data))),
    update: (resource: string, { id, data, previousData }: WriteParams) =>
      oneRecord(client.resource(resource).update(keyOf(id, previousData), changesOf(data, previousData))),
    updateMany: async (resource: string, { ids, data }: WriteParams & { ids: readonly Identifier[] }) => {
      for (const id of ids) await oneRecord(client.resource(resource).update(String(id), toValues(data)))
      return { data: ids }
    },
    delete: async (resource: string, { id, previousData }: WriteParams) => {
      await client.resource(resource).remove(keyOf(id, previousData))
      return { data: previousData ?? { id } }
    },
    // All of them or none.
    deleteMany: async (resource: string, { ids }: { ids: readonly Identifier[] }) => {
      await client.atomic(operations => {
        for (const id of ids) operations.remove(resource, String(id))
      })
      return { data: ids }
    },
  }
  // Which records a resource has is known to the application alone.
  return provider as unknown as PlinthDataProvider
}

/** A form shows problems beside its fields. */
const oneRecord = async (record: Promise<object>): Promise<OneResult<AdminRecord>> => {
  try {
    return { data: toAdmin(await record) }
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.faults.length === 0) throw error
    const errors = Object.fromEntries(
      error.faults.map(({ member: field, pointer, message }) => [field ?? pointer?.split('/')[1] ?? 'root', message]),
    )
    throw Object.assign(error, { body: { errors } })
  }
}

const isRelated = (value: unknown): value is { readonly pk: string } =>
  typeof value === 'object' && value !== null && 'pk' in value && typeof value.pk === 'string'

const toAdmin = (record: object): AdminRecord => {
  const fields = Object.entries(record).map(([name, value]) => {
    if (isRelated(value)) return [name, value.pk]
    return [name, Array.isArray(value) && value.every(isRelated) ? value.map(({ pk }) => pk) : value]
  })
  const visible: Record<string, unknown> = Object.fromEntries(fields)
  return { ...visible, id: visible.pk }
}

/** What the service keeps by itself. */
const kept = new Set(['id', 'links', 'version', 'createdDate', 'lastModifiedDate', 'createdBy', 'lastModifiedBy'])

const toValues = (data: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !kept.has(name)))

/** Returns what the form has changed: fields that others have changed since stay as they are. */
const changesOf = (data: object, previous: object = {}): Record<string, unknown> => {
  const before = new Map<string, unknown>(Object.entries(previous))
  return Object.fromEntries(
    Object.entries(toValues(data)).filter(
      ([name, value]) => name !== 'pk' && JSON.stringify(value) !== JSON.stringify(before.get(name)),
    ),
  )
}

const keyOf = (id: Identifier, previous: object = {}): { readonly pk: string; readonly version?: number } => ({
  pk: String(id),
  ...('version' in previous && typeof previous.version === 'number' && { version: previous.version }),
})
