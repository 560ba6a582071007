// JSON:API atomic operations: several writes in one transaction, all or none.

import { fault } from '../fault.ts'
import { isObject } from '../formats/body.ts'
import type { RecordInput } from '../formats/format.ts'
import { formatsByName } from '../formats/index.ts'
import { readLinkage } from '../formats/json-api-read.ts'
import { acceptsExtensions, formatOfBody } from '../formats/negotiate.ts'
import type { Handler, Request, Response } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { type Fault, Problem, problemAsFault } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import { viewWithIssued } from '../records/issued.ts'
import { readJson } from './body.ts'
import { catchProblems } from './catch-problems.ts'
import { type Context, contextFor, type TransactionContext } from './context.ts'
import type { FrontDoor } from './front-door.ts'
import { unlessDone } from './idempotency.ts'
import { changeLinks } from './relations.ts'
import { createFromInput, prepareFields, removeIfMatching, updateFromInput } from './write-input.ts'

const jsonApi = formatsByName['json-api']
const mediaType = `${jsonApi.mediaType};ext="https://jsonapi.org/ext/atomic"`

export const atomicOperations =
  (service: FrontDoor): Handler =>
  request => {
    const exchange = { request, format: jsonApi, resource: null, caller: null, locatesRefusals: true }
    return catchProblems(service, exchange, run(service, exchange))
  }

const run = async (
  service: FrontDoor,
  exchange: { readonly request: Request; caller: Caller | null },
): Promise<Response> => {
  const { request } = exchange
  const caller = await service.authenticate(request)
  exchange.caller = caller
  const context = contextFor(service.platform, caller, request)
  const operations = readOperations(request)
  const permitted = await inTurn(operations, operation => permit(context, operation))
  mustSpeakAtomic(request)
  return unlessDone(context, { request }, async () => {
    const prepared = await prepareAll(context, permitted)
    return stepContext => performAll(stepContext, prepared, request)
  })
}

/** The answers have one form only; JSON:API 1.1, "Server Responsibilities", gives 406 to those who cannot take it. */
const mustSpeakAtomic = ({ headers }: Request): void => {
  if (!acceptsExtensions(headers.accept, jsonApi)) throw new Problem('not_acceptable', `Accept ${mediaType}.`)
}

interface Permitted extends AtomicOperation {
  readonly resource: Resource
}

interface Prepared extends Permitted {
  readonly prepared: ReadonlyMap<string, unknown>
}

/** Slow work on what was sent, before the transaction, and only once all of it is known to be the caller's to do. */
const prepareAll = (context: Context, operations: readonly Permitted[]): Promise<Prepared[]> =>
  inTurn(operations, async operation => ({
    ...operation,
    prepared: await prepareFields(context, operation.resource, attributesOf(operation)),
  }))

const rights = { add: 'create', update: 'patch', remove: 'delete' } as const

const permit = (context: Context, operation: AtomicOperation): Permitted => {
  const resource = resourceNamed(context, operation.type)
  const right = operation.relationship === null ? rights[operation.op] : 'patch'
  context.platform.access.permit(resource, right, context.caller)
  return { ...operation, resource }
}

/** Reads attributes as they were sent: whether they may stand there is checked when the operation is performed. */
const attributesOf = ({ op, relationship, data }: AtomicOperation): RecordInput['fields'] => {
  const attributes = op !== 'remove' && relationship === null && isObject(data) ? data.attributes : null
  return isObject(attributes) ? attributes : {}
}

const performAll = (context: Context, operations: readonly Prepared[], request: Request): Promise<Response> =>
  inTransaction(context, async transaction => {
    const localIds: LocalIds = new Map()
    const responses = await inTurn(operations, async operation => {
      const record = await perform(transaction, operation, localIds)
      return record ? show(transaction, record, request) : { result: {}, isSecret: false }
    })
    const headers = { 'Cache-Control': 'no-store', Vary: 'Accept, Origin, Authorization, Cookie' }
    const results = responses.map(({ result }) => result)
    if (results.every(result => Object.keys(result).length === 0)) return { status: 204, headers }
    const body = JSON.stringify({ jsonapi: { version: '1.1' }, 'atomic:results': results })
    const isSecret = responses.some(one => one.isSecret)
    return { status: 200, headers: { ...headers, 'Content-Type': mediaType }, body, isSecret }
  })

interface Written {
  readonly resource: Resource
  readonly record: StoredRecord
}

interface AtomicResult {
  readonly result: object
  /** Says that the answer holds a secret that is shown this once. */
  readonly isSecret: boolean
}

const show = ({ visibility }: Context, { resource, record }: Written, request: Request): AtomicResult => {
  const usual = visibility.view(resource)
  const view = viewWithIssued(usual, record)
  const { data } = JSON.parse(jsonApi.item({ view, record, included: [] }, request.base)) as { data: unknown }
  return { result: { data }, isSecret: view !== usual }
}

const perform = async (
  transaction: TransactionContext,
  operation: Prepared,
  localIds: LocalIds,
): Promise<Written | null> => {
  const { resource } = operation
  if (operation.relationship !== null) return changeRelationship(transaction, operation, localIds)
  if (operation.op === 'add') {
    if (operation.lid !== null && localIds.has(localKeyOf(operation))) throw repeatedLid(operation.lid)
    const input = readInput(transaction, operation, localIds)
    const record = await createFromInput(transaction, { resource, input, source: { pk: input.pk, by: 'document' } })
    if (operation.lid !== null) localIds.set(localKeyOf(operation), record.pk)
    return { resource, record }
  }
  const pk = pkOf(operation, localIds)
  if (operation.op === 'remove') {
    await removeIfMatching(transaction, { resource, pk })
    return null
  }
  const input = readInput(transaction, operation, localIds)
  const updated = await updateFromInput(transaction, { resource, pk, input, mode: 'merge' })
  if (!updated) throw new Problem('not_found')
  return updated.changed ? { resource, record: updated.record } : null
}

const repeatedLid = (lid: string): Problem => {
  const reason = fault('lid_taken', { lid })
  return new Problem('bad_request', {
    detail: `${reason.message}.`,
    errors: [{ pointer: '/data/lid', ...reason }],
  })
}

const changes = { add: 'add', update: 'replace', remove: 'remove' } as const

const changeRelationship = async (
  transaction: TransactionContext,
  operation: Permitted,
  localIds: LocalIds,
): Promise<null> => {
  const { resource } = operation
  const relation = transaction.visibility.view(resource).fields.get(operation.relationship ?? '')
  if (!relation?.target) throw new Problem('not_found')
  const targets = readLinkage({ data: withLocalIds(operation.data, localIds) }, relation)
  await changeLinks(transaction, {
    resource,
    pk: pkOf(operation, localIds),
    relation: relation as ResourceField & { readonly target: Resource },
    change: changes[operation.op],
    targets,
  })
  return null
}

const resourceNamed = ({ platform: { registry } }: Context, name: string): Resource => {
  const resource = registry.published(name)
  if (!resource) throw new Problem('not_found')
  return resource
}

const pkOf = (operation: AtomicOperation, localIds: LocalIds): string => {
  const pk = operation.id ?? localIds.get(localKeyOf(operation))
  if (pk === undefined) throw new Problem('unprocessable', `No earlier operation has created '${operation.lid}'.`)
  return pk
}

const readInput = ({ platform }: Context, { resource, data, prepared }: Prepared, localIds: LocalIds): RecordInput => {
  if (!jsonApi.read) throw new Error('JSON:API reads bodies')
  const input = jsonApi.read({ data: withLocalIds(data, localIds) }, resource)
  return { ...input, prepared, isStrict: platform.bodies.strict }
}

/** One operation after the other; a problem tells which of them it is about. */
const inTurn = async <T extends AtomicOperation, R>(
  operations: readonly T[],
  work: (operation: T) => Promise<R> | R,
): Promise<R[]> => {
  const results: R[] = []
  for (const [at, operation] of operations.entries()) {
    try {
      results.push(await work(operation))
    } catch (error) {
      throw error instanceof Problem ? atOperation(error, at) : error
    }
  }
  return results
}

const atOperation = (problem: Problem, at: number): Problem => {
  const prefix = `/atomic:operations/${at}`
  const faults: readonly Fault[] = problem.details.errors ?? [problemAsFault(problem)]
  const errors = faults.map(fault => ({ ...fault, pointer: prefix + (fault.pointer ?? '') }))
  return new Problem(problem, { ...problem.details, errors })
}

// The body of an atomic operations request → operations (https://jsonapi.org/ext/atomic).

export interface AtomicOperation {
  readonly op: 'add' | 'update' | 'remove'
  readonly type: string
  /** One of these names the record; an addition may have neither. */
  readonly id: string | null
  readonly lid: string | null
  /** The relation to be changed, when it is not the record itself. */
  readonly relationship: string | null
  readonly data: unknown
}

const maxOperations = 100

export const readOperations = (request: Request): readonly AtomicOperation[] => {
  const kind = formatOfBody(request.headers['content-type'], formatsByName['json-api'])
  if (!kind?.extended) {
    throw new Problem('unsupported_media_type', 'Send application/vnd.api+json;ext="https://jsonapi.org/ext/atomic".')
  }
  const body = readJson(request.body)
  const list = isObject(body) ? body['atomic:operations'] : undefined
  if (!Array.isArray(list) || list.length === 0) throw malformed('/atomic:operations', 'must be a list of operations')
  if (list.length > maxOperations)
    throw new Problem('too_costly', `A request can have at most ${maxOperations} operations.`)
  return list.map((one, at) => readOperation(one, `/atomic:operations/${at}`))
}

const readOperation = (sent: unknown, pointer: string): AtomicOperation => {
  if (!isObject(sent)) throw malformed(pointer, 'must be an object')
  const { op, ref, href, data } = sent
  if (op !== 'add' && op !== 'update' && op !== 'remove')
    throw malformed(`${pointer}/op`, "must be 'add', 'update' or 'remove'")
  if (ref !== undefined && href !== undefined) throw malformed(`${pointer}/href`, 'and `ref` cannot be combined')
  const target = ref === undefined ? (href === undefined ? data : fromHref(href, pointer)) : ref
  if (!isObject(target) || typeof target.type !== 'string') throw malformed(`${pointer}/ref`, 'must name a type')
  const operation = {
    op,
    type: target.type,
    id: textOrNull(target.id),
    lid: textOrNull(target.lid),
    relationship: ref === undefined && href === undefined ? null : textOrNull(target.relationship),
    data,
  } as const
  const namesRecord = operation.id !== null || operation.lid !== null
  if (!namesRecord && (op !== 'add' || operation.relationship !== null))
    throw malformed(`${pointer}/ref`, 'must name a record by id or lid')
  return operation
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const address = /^(?:https?:\/\/[^/]+)?\/api\/rest\/([^/?#]+)(?:\/([^/?#]+)(?:\/relationships\/([^/?#]+))?)?$/

const fromHref = (href: unknown, pointer: string): Record<string, unknown> => {
  const [, type, id, relationship] = (typeof href === 'string' && address.exec(href)) || []
  if (type === undefined) throw malformed(`${pointer}/href`, 'is not the path of a resource')
  try {
    return { type, id: id === undefined ? undefined : decodeURIComponent(id), relationship }
  } catch {
    throw malformed(`${pointer}/href`, 'is not encoded properly')
  }
}

const malformed = (pointer: string, reason: string): Problem =>
  new Problem('bad_request', {
    detail: `${pointer} ${reason}.`,
    errors: [{ pointer, ...fault('structure', { message: reason }) }],
  })

/** The pk that each has led to, by type and `lid`. */
export type LocalIds = Map<string, string>

type Named = Pick<AtomicOperation, 'type' | 'lid'>

export const localKeyOf = ({ type, lid }: Named): string => `${type} ${lid}`

/** Identifier objects with a `lid` get the `id` that the earlier operation led to. */
export const withLocalIds = (data: unknown, localIds: LocalIds): unknown => {
  if (Array.isArray(data)) return data.map(one => withLocalIds(one, localIds))
  if (typeof data !== 'object' || data === null) return data
  const { type, lid, id, relationships } = data as Record<string, unknown>
  const isLocal = id === undefined && typeof type === 'string' && typeof lid === 'string'
  const known = isLocal ? localIds.get(localKeyOf({ type, lid })) : undefined
  return {
    ...data,
    ...(known !== undefined && { id: known }),
    ...(typeof relationships === 'object' &&
      relationships !== null && { relationships: linkedRelationships(relationships, localIds) }),
  }
}

const linkedRelationships = (relationships: object, localIds: LocalIds): object =>
  Object.fromEntries(
    Object.entries(relationships).map(([name, one]) => [
      name,
      typeof one === 'object' && one !== null && 'data' in one
        ? { ...one, data: withLocalIds(one.data, localIds) }
        : one,
    ]),
  )
