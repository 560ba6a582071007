// JSON:API atomic operations: several writes in one transaction, all or none.

import type { Input } from '../formats/format.ts'
import { formatsByName } from '../formats/index.ts'
import { readLinkage } from '../formats/json-api.ts'
import { acceptsAtomic } from '../formats/negotiate.ts'
import type { Handler, Request, Response } from '../http/exchange.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Transaction } from '../model/transaction.ts'
import { type Fault, Problem } from '../problem.ts'
import { type AtomicOperation, readOperations } from './atomic-body.ts'
import { once } from './idempotency.ts'
import { viewWithIssued } from './issued.ts'
import { changeLinks } from './linkage.ts'
import { type Context, contextFor, inTransaction } from './platform.ts'
import { prepareInput } from './prepare.ts'
import { toProblemResponse } from './problem-response.ts'
import { watched, withCors } from './respond.ts'
import type { Service } from './service.ts'
import { readValues } from './values.ts'
import { createRecord, removeRecord, updateRecord } from './write.ts'

const jsonApi = formatsByName['json-api']
const mediaType = `${jsonApi.mediaType};ext="https://jsonapi.org/ext/atomic"`

type Inside = Context & { readonly tx: Transaction }

export const atomicOperations =
  (service: Service): Handler =>
  async request => {
    let response: Response
    try {
      mustSpeakAtomic(request)
      const caller = await service.identify(request)
      const context = contextFor(service.platform, caller, request)
      const operations = readOperations(request)
      const perform = (inside: Context) => performAll(inside, operations, request)
      const key = request.headers['idempotency-key']
      response = await watched(service, { request, caller }, () =>
        key === undefined ? perform(context) : once(context, { key: String(key), request }, perform),
      )
    } catch (error) {
      response = toProblemResponse(error, request, { format: jsonApi, report: service.reportFailure })
    }
    return request.headers.origin === undefined ? response : withCors(service, null, { request, response })
  }

/** The answers have one form only; JSON:API 1.1, "Server Responsibilities", gives 406 to those who cannot take it. */
const mustSpeakAtomic = ({ headers }: Request): void => {
  if (!acceptsAtomic(headers.accept)) throw new Problem('not_acceptable', `Accept ${mediaType}.`)
}

const performAll = (context: Context, operations: readonly AtomicOperation[], request: Request): Promise<Response> =>
  inTransaction(context, async inside => {
    const shown: Shown[] = []
    const localIds = new Map<string, string>()
    for (const [at, operation] of operations.entries()) {
      try {
        const record = await perform(inside, operation, localIds)
        shown.push(record ? show(inside, record, request) : { result: {}, isSecret: false })
      } catch (error) {
        throw error instanceof Problem ? atOperation(error, at) : error
      }
    }
    const headers = { 'Cache-Control': 'no-store', Vary: 'Accept, Origin, Authorization, Cookie' }
    const results = shown.map(({ result }) => result)
    if (results.every(result => Object.keys(result).length === 0)) return { status: 204, headers }
    const body = JSON.stringify({ jsonapi: { version: '1.1' }, 'atomic:results': results })
    const isSecret = shown.some(one => one.isSecret)
    return { status: 200, headers: { ...headers, 'Content-Type': mediaType }, body, isSecret }
  })

interface Written {
  readonly resource: Resource
  readonly record: StoredRecord
}

interface Shown {
  readonly result: object
  /** It shows what is shown this once. */
  readonly isSecret: boolean
}

const show = ({ sight }: Context, { resource, record }: Written, request: Request): Shown => {
  const usual = sight.view(resource)
  const view = viewWithIssued(usual, record)
  const { data } = JSON.parse(jsonApi.item({ view, record, included: [] }, request.base)) as { data: unknown }
  return { result: { data }, isSecret: view !== usual }
}

const perform = async (
  inside: Inside,
  operation: AtomicOperation,
  localIds: Map<string, string>,
): Promise<Written | null> => {
  const resource = resourceNamed(inside, operation.type)
  if (operation.relationship !== null) return changeRelationship(inside, operation, { resource, localIds })
  if (operation.op === 'add') {
    if (operation.lid !== null && localIds.has(`${operation.type} ${operation.lid}`)) throw repeatedLid(operation.lid)
    const input = await prepareInput(inside, resource, readResource(resource, operation.data, localIds))
    const record = await createRecord(inside, { resource, input, given: { pk: input.pk, by: 'document' } })
    if (operation.lid !== null) localIds.set(`${operation.type} ${operation.lid}`, record.pk)
    return { resource, record }
  }
  const pk = pkOf(operation, localIds)
  if (operation.op === 'remove') {
    await removeRecord(inside, { resource, pk, preconditions: {} })
    return null
  }
  const input = await prepareInput(inside, resource, readResource(resource, operation.data, localIds))
  const updated = await updateRecord(inside, {
    resource,
    pk,
    operation: 'patch',
    preconditions: {},
    read: before => readValues({ resource, input, mode: 'merge', before }, inside),
    pointer: input.pointer,
  })
  if (!updated) throw new Problem('not_found')
  return updated.changed ? { resource, record: updated.record } : null
}

const repeatedLid = (lid: string): Problem => {
  const message = `'${lid}' stands for an earlier record already`
  return new Problem('bad_request', {
    detail: `${message}.`,
    errors: [{ pointer: '/data/lid', message, code: 'duplicate' }],
  })
}

const changes = { add: 'add', update: 'replace', remove: 'remove' } as const

const changeRelationship = async (
  inside: Inside,
  operation: AtomicOperation,
  { resource, localIds }: { resource: Resource; localIds: ReadonlyMap<string, string> },
): Promise<null> => {
  const relation = inside.sight.view(resource).members.get(operation.relationship ?? '')
  if (!relation?.target) throw new Problem('not_found')
  const targets = readLinkage({ data: withLocalIds(operation.data, localIds) }, relation)
  await changeLinks(inside, {
    resource,
    pk: pkOf(operation, localIds),
    relation: relation as Member & { readonly target: Resource },
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

const pkOf = (operation: AtomicOperation, localIds: ReadonlyMap<string, string>): string => {
  const pk = operation.id ?? localIds.get(`${operation.type} ${operation.lid}`)
  if (pk === undefined) throw new Problem('unprocessable', `No earlier operation made '${operation.lid}'.`)
  return pk
}

const readResource = (resource: Resource, data: unknown, localIds: ReadonlyMap<string, string>): Input => {
  if (!jsonApi.read) throw new Error('JSON:API reads bodies')
  return jsonApi.read({ data: withLocalIds(data, localIds) }, resource)
}

/** Identifier objects with a `lid` get the `id` that the earlier operation led to. */
const withLocalIds = (data: unknown, localIds: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(data)) return data.map(one => withLocalIds(one, localIds))
  if (typeof data !== 'object' || data === null) return data
  const { type, lid, id, relationships } = data as Record<string, unknown>
  const known = id === undefined && typeof lid === 'string' ? localIds.get(`${String(type)} ${lid}`) : undefined
  return {
    ...data,
    ...(known !== undefined && { id: known }),
    ...(typeof relationships === 'object' &&
      relationships !== null && { relationships: linkedRelationships(relationships, localIds) }),
  }
}

const linkedRelationships = (relationships: object, localIds: ReadonlyMap<string, string>): object =>
  Object.fromEntries(
    Object.entries(relationships).map(([name, one]) => [
      name,
      typeof one === 'object' && one !== null && 'data' in one
        ? { ...one, data: withLocalIds(one.data, localIds) }
        : one,
    ]),
  )

const atOperation = (problem: Problem, at: number): Problem => {
  const prefix = `/atomic:operations/${at}`
  const faults: readonly Fault[] = problem.details.errors ?? [
    { message: problem.message, code: problem.code, pointer: '' },
  ]
  const errors = faults.map(fault => ({ ...fault, pointer: prefix + (fault.pointer ?? '') }))
  return new Problem(problem.code, { ...problem.details, errors })
}
