// Several operations in one request (RFC 7644, section 3.7). Each is done for itself, in the order in which they are sent; later ones
// can name what earlier ones have made by its bulkId.

import { Problem } from '../../core/problem.ts'
import type { Acting, ScimKind } from './kind.ts'
import { isObject, member, type ScimObject, textOrEmpty, toObject } from './scim-json.ts'
import { asScimProblem, mistake, scimErrorOf } from './scim-problem.ts'

export const maxOperations = 1000
export const maxPayload = 1024 * 1024

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
type BulkMethod = (typeof methods)[number]

interface BulkOperation {
  readonly method: BulkMethod
  readonly path: string
  readonly bulkId: string | null
  readonly version: string | undefined
  readonly data: unknown
}

export const readBulk = (body: unknown) => {
  const sent = toObject(body)
  const operations = member(sent, 'Operations')
  if (!Array.isArray(operations)) throw mistake('invalidSyntax', 'Operations must be a list.')
  if (operations.length > maxOperations)
    throw new Problem('too_large', `A request has ${maxOperations} operations at most.`)
  const failOnErrors = Number(member(sent, 'failOnErrors') ?? Number.POSITIVE_INFINITY)
  return { operations: operations.map(readOperation), failOnErrors: Math.max(1, failOnErrors || 1) }
}

const readOperation = (operation: unknown): BulkOperation => {
  const sent = toObject(operation)
  const method = methods.find(one => one === textOrEmpty(member(sent, 'method')).toUpperCase())
  if (!method) throw mistake('invalidSyntax', `method must be ${methods.join(', ')}.`)
  const [bulkId, version] = [member(sent, 'bulkId'), member(sent, 'version')]
  return {
    method,
    path: textOrEmpty(member(sent, 'path')),
    bulkId: typeof bulkId === 'string' ? bulkId : null,
    version: typeof version === 'string' ? version : undefined,
    data: member(sent, 'data'),
  }
}

/** The ids of what was made, by bulkId. */
type Made = ReadonlyMap<string, string>

const reference = 'bulkId:'

/** `{"value": "bulkId:ada"}` → the id of what that operation has made. */
const resolved = (value: unknown, made: Made): unknown => {
  if (typeof value === 'string' && value.startsWith(reference)) return idOf(value.slice(reference.length), made)
  if (Array.isArray(value)) return value.map(one => resolved(one, made))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, made)]))
}

const idOf = (bulkId: string, made: Made): string => {
  const id = made.get(bulkId)
  if (id === undefined) throw mistake('invalidValue', `No operation before this one has made 'bulkId:${bulkId}'.`)
  return id
}

interface Done {
  readonly status: 200 | 201 | 204
  readonly resource: ScimObject | null
}

interface Place {
  readonly kind: ScimKind
  readonly id: string | null
}

const placeOf = (path: string, kinds: readonly ScimKind[], made: Made): Place => {
  const [, endpoint = '', id = null] = /^(\/\w+)(?:\/(.+))?$/.exec(path) ?? []
  const kind = kinds.find(({ schema }) => schema.endpoint.toLowerCase() === endpoint.toLowerCase())
  if (!kind) throw new Problem('not_found', `There is nothing at '${path.slice(0, 100)}'.`)
  return { kind, id: id?.startsWith(reference) ? idOf(id.slice(reference.length), made) : id }
}

const perform = async (
  acting: Acting,
  { method, data, version }: BulkOperation,
  { place: { kind, id }, made }: { readonly place: Place; readonly made: Made },
): Promise<Done> => {
  const body = resolved(data, made)
  if (method === 'POST') {
    if (id !== null) throw mistake('invalidPath', 'POST names no resource.')
    return { status: 201, resource: await kind.create(acting, body) }
  }
  if (id === null) throw mistake('invalidPath', `${method} names a resource.`)
  if (method === 'DELETE') {
    await kind.remove(acting, id, version)
    return { status: 204, resource: null }
  }
  const change = { body, ifMatch: version }
  const resource = await (method === 'PUT' ? kind.replace(acting, id, change) : kind.patch(acting, id, change))
  return { status: 200, resource }
}

export const runBulk = async (
  acting: Acting,
  body: unknown,
  { kinds, signal }: { readonly kinds: readonly ScimKind[]; readonly signal: AbortSignal },
): Promise<ScimObject> => {
  const { operations, failOnErrors } = readBulk(body)
  const made = new Map<string, string>()
  const results: ScimObject[] = []
  let failures = 0
  for (const operation of operations) {
    if (failures >= failOnErrors || signal.aborted) break
    const { method, path, bulkId } = operation
    const named = { method, ...(bulkId !== null && { bulkId }) }
    try {
      const place = placeOf(path, kinds, made)
      const { status, resource } = await perform(acting, operation, { place, made })
      if (bulkId !== null && resource) made.set(bulkId, textOrEmpty(resource.id))
      const location = `${acting.root}${place.kind.schema.endpoint}/${resource?.id ?? place.id}`
      results.push({ ...named, location, status: `${status}`, ...versionIn(resource) })
    } catch (error) {
      const problem = asScimProblem(error)
      if (!(problem instanceof Problem) || problem.status >= 500) throw error
      failures += 1
      results.push({ ...named, status: `${problem.status}`, response: scimErrorOf(problem) })
    }
  }
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'], Operations: results }
}

const versionIn = (resource: ScimObject | null): { readonly version?: string } => {
  const meta = resource && isObject(resource.meta) ? resource.meta : {}
  return typeof meta.version === 'string' ? { version: meta.version } : {}
}
