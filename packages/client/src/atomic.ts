// Several writes that succeed or fail together (the atomic operations extension of JSON:API).

import { acceptsJsonApi, jsonApi, newKey, type Transport } from './request.ts'
import type { Reference } from './resource.ts'
import type { NewValues, ResourceName, ServiceSchema, TargetOf, ToManyName, ToOneName } from './schema.ts'

/** A record that an earlier operation of the same request creates. */
export interface LocalReference<Name extends string = string> {
  readonly type: Name
  readonly lid: string
}

type AtomicReference<Name> = Reference<Name & string> | LocalReference<Name & string>

/**
 * Clears a relation to one record. Null would be a value: requests say which fields are relations.
 *
 * @example await client.atomic(operations => operations.update('books', '7', { shelf: noRecord }))
 */
export const noRecord = { data: null } as const

/**
 * Clears a relation to several records. An empty list would be a value.
 *
 * @example await client.atomic(operations => operations.update('books', '7', { seeAlso: noRecords }))
 */
export const noRecords = { data: [] } as const

/**
 * As `create` and `update` take them, with relations as references: `ref('authors', pk)`, the result of an earlier `create`, or
 * `noRecord` and `noRecords` to clear one.
 */
export type AtomicValues<S extends ServiceSchema, R> = {
  readonly [K in keyof NewValues<S, R>]: K extends ToOneName<S, R>
    ? AtomicReference<TargetOf<S, R, K>> | (null extends NewValues<S, R>[K] ? typeof noRecord : never)
    : K extends ToManyName<S, R>
      ? AtomicReferences<AtomicReference<TargetOf<S, R, K>>> | typeof noRecords
      : NewValues<S, R>[K]
}

type AtomicReferences<Ref> = readonly [Ref, ...(readonly Ref[])]

export interface AtomicOperations<S extends ServiceSchema> {
  create<R extends ResourceName<S>>(resource: R, values: AtomicValues<S, R>): LocalReference<R>
  update<R extends ResourceName<S>>(
    resource: R,
    record: string | LocalReference<R>,
    changes: Partial<AtomicValues<S, R>>,
  ): void
  remove<R extends ResourceName<S>>(resource: R, record: string | LocalReference<R>): void
}

/** What an operation led to. */
export interface AtomicResult {
  readonly resource: string
  readonly pk: string
  /** The values of the record, without its relations. */
  readonly values: Readonly<Record<string, unknown>>
}

type Operation = Readonly<Record<string, unknown>>

/** Collects operations; the service carries them out in this order. */
export class AtomicBatch {
  readonly operations: Operation[] = []

  create(resource: string, values: object): LocalReference {
    const local = { type: resource, lid: String(this.operations.length) }
    this.operations.push({ op: 'add', data: { ...local, ...toDocument(values) } })
    return local
  }

  update(resource: string, record: string | LocalReference, changes: object): void {
    const data = { type: resource, ...idOf(record), ...toDocument(changes) }
    this.operations.push({ op: 'update', data })
  }

  remove(resource: string, record: string | LocalReference): void {
    this.operations.push({ op: 'remove', ref: { type: resource, ...idOf(record) } })
  }
}

const idOf = (record: string | LocalReference): object =>
  typeof record === 'string' ? { id: record } : { lid: record.lid }

const isReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && ('id' in value || 'lid' in value)

const isRelationship = (value: unknown): boolean =>
  isReference(value) || (Array.isArray(value) && value.length > 0 && value.every(isReference))

const toDocument = (values: object): object => {
  const attributes: Record<string, unknown> = {}
  const relationships: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    if (value === noRecord || value === noRecords) relationships[name] = value
    else if (isRelationship(value)) relationships[name] = { data: value }
    else attributes[name] = value
  }
  return { attributes, relationships }
}

const mediaType = `${jsonApi};ext="https://jsonapi.org/ext/atomic"`

interface ResultDocument {
  readonly 'atomic:results'?: readonly {
    readonly data?: { readonly type: string; readonly id: string; readonly attributes?: AtomicResult['values'] } | null
  }[]
}

/** Sends the operations; one result for each, null for those that return nothing. */
export const sendAtomic = async (
  request: Transport,
  { operations }: AtomicBatch,
): Promise<readonly (AtomicResult | null)[]> => {
  if (operations.length === 0) return []
  const { body } = await request<ResultDocument | null>('/api/rest/operations', {
    method: 'POST',
    headers: { 'Content-Type': mediaType, Accept: `${mediaType}, ${acceptsJsonApi}` },
    body: { 'atomic:operations': operations },
    idempotencyKey: newKey(),
  })
  const results = body?.['atomic:results'] ?? []
  return operations.map((_, at) => {
    const data = results[at]?.data
    return data ? { resource: data.type, pk: data.id, values: data.attributes ?? {} } : null
  })
}
