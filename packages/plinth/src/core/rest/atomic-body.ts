// The body of an atomic operations request → operations (https://jsonapi.org/ext/atomic).

import { fault } from '../fault.ts'
import { isObject } from '../formats/document.ts'
import { formatsByName } from '../formats/index.ts'
import { formatOfBody } from '../formats/negotiate.ts'
import type { Request } from '../http/exchange.ts'
import { Problem } from '../problem.ts'
import { readJson } from './body.ts'

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
