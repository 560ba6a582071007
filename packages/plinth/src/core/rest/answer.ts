// What an operation answers, before a format writes it.

import type { ListNames, ResourceEntry } from '../formats/format.ts'
import { formatsByName } from '../formats/index.ts'
import type { Request, Response } from '../http/exchange.ts'
import type { Operation } from '../model/access-rules.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Json, JsonMembers } from '../model/json.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Row, Where } from '../model/row.ts'
import type { Included, ItemDocument, PageDocument } from '../model/view.ts'
import { whereOf } from '../records/reader.ts'
import { bodyOf, defineEndpoint, type Endpoint } from './endpoint.ts'
import { find, replaceNamed } from './item.ts'
import { type Context, type Inside, mayUse } from './platform.ts'
import { search } from './search.ts'
import { createFromInput, updateFromInput } from './write-input.ts'

export type Headers = Readonly<Record<string, string | string[]>>

export interface Batch {
  readonly records: readonly StoredRecord[]
  readonly included: readonly Included[]
}

/** What an endpoint answers with: a record, a page, a value, a text, a file or nothing. */
export type Answer =
  | {
      readonly kind: 'item'
      readonly status: 200 | 201
      readonly document: ItemDocument
      readonly headers?: Headers
      /** It shows what is shown this once. */
      readonly isSecret?: boolean
    }
  | {
      readonly kind: 'page'
      readonly status: 200 | 201
      readonly document: PageDocument
      readonly batch: Batch
      readonly headers?: Headers
      readonly isSecret?: boolean
    }
  /** A page whose records are still to come. */
  | { readonly kind: 'stream'; readonly document: PageDocument; readonly batches: AsyncIterable<Batch> }
  | {
      readonly kind: 'nothing'
      readonly status: 200 | 201 | 204 | 302
      readonly headers?: Headers
      /** The record that the caller does not want to read: the answer has its tag. */
      readonly leftOut?: ItemDocument
    }
  /** What is no record: the outcome of an action, as JSON or XML. */
  | {
      readonly kind: 'value'
      readonly status: 200 | 201
      /** The root element in XML. */
      readonly name: string
      readonly value: JsonMembers
      readonly headers?: Headers
    }
  /** A list of values that are not records. */
  | {
      readonly kind: 'list'
      readonly names: ListNames
      readonly entries: readonly Json[]
      readonly headers?: Headers
    }
  /** The same, still to come. */
  | {
      readonly kind: 'values'
      readonly names: ListNames
      readonly batches: AsyncIterable<readonly Json[]>
      readonly headers?: Headers
    }
  /** The resources that the caller may read. */
  | { readonly kind: 'entry point'; readonly resources: readonly ResourceEntry[]; readonly headers?: Headers }
  /** A file or an export, sent as it is read. */
  | {
      readonly kind: 'bytes'
      /** 206: a part of it, as its headers say. */
      readonly status?: 200 | 206
      readonly mediaType: string
      readonly body: AsyncIterable<string | Buffer> | Buffer
      readonly etag?: string
      readonly headers?: Headers
    }
  /** A response as it is sent. The endpoint itself has chosen its media type. */
  | { readonly kind: 'response'; readonly response: Response }
  /** A document that has one form only, such as a schema. */
  | { readonly kind: 'text'; readonly mediaType: string; readonly body: string; readonly headers?: Headers }

// Answers of the generic endpoints, for endpoints of modules that answer as those do.

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
