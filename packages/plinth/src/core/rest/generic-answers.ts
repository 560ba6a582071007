// Answers of the generic endpoints, for endpoints of modules that answer as those do.

import { formatsByName } from '../formats/index.ts'
import type { Request } from '../http/exchange.ts'
import type { Operation, ResourceDefinition } from '../model/define.ts'
import type { JsonMembers } from '../model/json.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Row, Where } from '../model/row.ts'
import { whereOf } from '../records/query.ts'
import type { Answer } from './answer.ts'
import { bodyOf, defineEndpoint, type Endpoint } from './endpoint.ts'
import { find, replaceNamed } from './item.ts'
import { type Context, type Inside, mayUse } from './platform.ts'
import { search } from './search.ts'
import { createFromInput, updateFromInput } from './write-input.ts'

/** May the caller do this with some records of the resource at least? */
export const canUse = (
  { platform: { registry, access }, caller }: Context,
  definition: ResourceDefinition,
  operation: Operation,
): boolean => access.decide(registry.resource(definition), operation, caller) !== false

interface RecordRequest {
  readonly request: Request
  readonly pk: string
}

/** Answers as `GET /api/rest/{resource}/{pk}` does: 404 for a record that the caller may not read. */
export const answerRecord = (
  context: Context,
  definition: ResourceDefinition,
  { request, pk }: RecordRequest,
): Promise<Answer> => {
  const resource = context.platform.registry.resource(definition)
  return find(context, { resource, request: { ...request, params: { ...request.params, pk } } })
}

interface PageRequest<D> {
  readonly request: Request
  /** Only these records are searched. */
  readonly where: Where<D>
}

/** Answers as `GET /api/rest/{resource}` does, within the records that match `where`. */
export const answerSearch = <D extends ResourceDefinition>(
  context: Context,
  definition: D,
  { request, where }: PageRequest<D>,
): Promise<Answer> => {
  const { registry } = context.platform
  return search(context, {
    resource: registry.resource(definition),
    request,
    within: whereOf(registry, definition, where),
  })
}

/** `PUT /api/rest/{resource}`: replaces the record that the body names. */
export const replaceByBody = (definition: ResourceDefinition): Endpoint =>
  defineEndpoint({
    method: 'PUT',
    path: `/api/rest/${definition.name}`,
    id: `${definition.name}ReplaceByBody`,
    summary: 'Replace the record that the body names',
    access: mayUse(definition, 'replace'),
    body: bodyOf(definition, 'replace', true),
    answers: { 200: definition, 204: 'Replaced, with `return=minimal`.' },
    problems: [400, 401, 403, 404, 409, 412, 415, 422],
    answer: ({ context, request, body, format }) => {
      const resource = context.platform.registry.resource(definition)
      return replaceNamed(context, { request, body, format, resource })
    },
  })

interface ShownRow<D> {
  readonly row: Row<D>
  /** The address of the service, for links: `request.base`. */
  readonly base: string
}

/** A record in JSON, as the caller sees it. */
export const showRecord = <D extends ResourceDefinition>(
  { platform, visibility }: Context,
  definition: D,
  { row, base }: ShownRow<D>,
): JsonMembers => {
  const view = visibility.view(platform.registry.resource(definition))
  return JSON.parse(formatsByName.json.item({ view, record: row as StoredRecord, included: [] }, base)) as JsonMembers
}

type SentMembers = Readonly<Record<string, unknown>>

const inputOf = (members: SentMembers) => ({
  pk: undefined,
  members,
  pointer: (member: string) => `/${member}`,
  refusesUnknown: false,
})

/** Creates a record of members as a caller would send them in JSON, for imports: every fault is reported by its member. */
export const createFromMembers = async <D extends ResourceDefinition>(
  inside: Inside,
  definition: D,
  members: SentMembers,
): Promise<Row<D>> => {
  const resource = inside.platform.registry.resource(definition)
  const given = { pk: undefined, by: 'body' } as const
  return (await createFromInput(inside, { resource, input: inputOf(members), given })) as Row<D>
}

interface SentChanges {
  readonly pk: string
  readonly members: SentMembers
}

/** Changes a record by members as a caller would send them in JSON. Answers whether anything has changed. */
export const changeFromMembers = async (
  inside: Inside,
  definition: ResourceDefinition,
  { pk, members }: SentChanges,
): Promise<boolean> => {
  const resource = inside.platform.registry.resource(definition)
  const updated = await updateFromInput(inside, { resource, pk, input: inputOf(members), mode: 'patch' })
  return updated?.changed ?? false
}
