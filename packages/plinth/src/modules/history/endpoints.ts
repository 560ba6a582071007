// `GET …/{pk}/history` and `POST …/{pk}/history/{version}/restore`, for each resource that keeps a history.

import type { Format } from '../../core/formats/format.ts'
import { formats } from '../../core/formats/index.ts'
import type { Request } from '../../core/http/exchange.ts'
import type { Operation } from '../../core/model/access-rules.ts'
import type { ResourceDefinition } from '../../core/model/define.ts'
import { shape as namedShape } from '../../core/model/description.ts'
import { choice, integer, json, text, timestamp } from '../../core/model/fields.ts'
import { historyFields } from '../../core/model/history.ts'
import type { Json } from '../../core/model/json.ts'
import { linkIn, linksIn, type StoredRecord } from '../../core/model/record.ts'
import type { Resource, ResourceField } from '../../core/model/resource.ts'
import type { HasTrait } from '../../core/model/schema-of.ts'
import { defineShape, list, object, type ShapeValue, showShape } from '../../core/model/shape.ts'
import { machineOf } from '../../core/model/state-fields.ts'
import { valueToJson } from '../../core/model/value-field.ts'
import { Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import { wholePk } from '../../core/records/identify.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/context.ts'
import { type DeclaredEndpoint, defineEndpoint, type Endpoint, type WithoutBody } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import { administrator, allowed, type Permit } from '../../core/rest/permits.ts'
import { updateFromInput } from '../../core/rest/write-input.ts'
import type { Service } from '../../core/service.ts'
import { readChanges, readTransitions } from './history-page.ts'

const historyPage = defineShape(
  'HistoryPage',
  {
    content: list(
      object(
        defineShape(
          'RecordChange',
          {
            version: integer({ required: true, about: 'The version of the record after the change.' }),
            change: choice(['created', 'updated', 'deleted', 'restored'], { required: true }),
            time: timestamp({ required: true }),
            by: object(
              { pk: text({ required: true }), username: text() },
              { about: 'The user; null for the service itself and for anonymous callers.' },
            ),
            address: text({ about: 'The address of the caller, for administrators.' }),
            requestId: text({ about: 'The `X-Request-Id` of the request, for administrators.' }),
            fields: list(
              object({
                field: text({ required: true }),
                before: json({ about: 'As in the record itself; null when there was no value.' }),
                after: json({ about: 'As in the record itself; null when it has none.' }),
              }),
              { required: true },
            ),
          },
          { about: 'One change of a record.' },
        ),
      ),
      { required: true },
    ),
    page: object({ size: integer({ required: true }) }, { required: true }),
    links: list(object({ rel: text({ required: true }), href: text({ required: true }) }), { required: true }),
  },
  { element: 'history', about: 'Changes of a record, newest first.' },
)

/** JSON:API has a place for what is no record in `meta`. */
const inMeta = {
  type: 'object',
  properties: { jsonapi: { type: 'object' }, meta: namedShape(historyPage.name) },
  required: ['meta'],
}

const content = Object.fromEntries(formats.map(({ mediaType, meta }) => [mediaType, meta ? inMeta : historyPage]))

const toAnswer = (format: Format, value: ShapeValue<(typeof historyPage)['fields']>): Answer => {
  if (!format.meta) return toValueAnswer(historyPage, value)
  const body = format.meta(showShape(historyPage.fields, value))
  return { kind: 'text', mediaType: format.mediaType, body, headers: { 'Cache-Control': 'no-store' } }
}

export const historyEndpoints = ({ platform: { registry, limits } }: Service): readonly Endpoint[] =>
  registry.resources.filter(one => one.keepsHistory).flatMap(resource => endpointsOf(resource, limits.maxPageSize))

const pageQuery = (maxPageSize: number) => ({
  _ps: integer({ min: 1, max: maxPageSize, default: Math.min(20, maxPageSize), about: 'Changes per page.' }),
  _after: text({ max: 100, about: 'Continues after a page; see its `next` link.' }),
})

type TypedEndpoint<D, N extends string> =
  | DeclaredEndpoint<
      'GET',
      `/api/rest/${N}/{pk}/history`,
      `list${Capitalize<N>}History`,
      ReturnType<typeof pageQuery>,
      WithoutBody,
      { readonly 200: typeof historyPage }
    >
  | DeclaredEndpoint<
      'POST',
      `/api/rest/${N}/{pk}/history/{version}/restore`,
      `restore${Capitalize<N>}Version`,
      object,
      WithoutBody,
      { readonly 200: D }
    >

/** The endpoints of the history of a resource, as the compiler knows them. */
export type HistoryEndpoint<D extends ResourceDefinition> = D extends unknown
  ? HasTrait<D, 'history'> extends true
    ? TypedEndpoint<D, D['name']>
    : never
  : never

const endpointsOf = (resource: Resource, maxPageSize: number): readonly Endpoint[] => {
  const path = `/api/rest/${resource.name}/{pk}/history`
  // A history names users, and holds what rules have hidden since.
  const forAdministrators =
    (operation: Operation): Permit =>
    (context, request) => {
      administrator(context, request)
      return allowed(resource, operation)(context, request)
    }
  const Name = resource.name.charAt(0).toUpperCase() + resource.name.slice(1)
  return [
    defineEndpoint({
      method: 'GET',
      path,
      id: `list${Name}History`,
      tag: resource.name,
      summary: 'List the changes of a record',
      description: 'Newest first. Fields that the caller may not read are left out.',
      access: forAdministrators('read'),
      query: pageQuery(maxPageSize),
      answers: { 200: { about: 'The changes.', content } },
      answer: async ({ context, request, format, query: { _ps: size, _after } }) => {
        const pk = wholePk(resource, request.params.pk ?? '', context)
        const { changes, next } = await readChanges(context, { resource, pk, olderThan: _after, size })
        const hrefOf = (after: string | null): string =>
          `${request.path}?_ps=${size}${after === null ? '' : `&_after=${encodeURIComponent(after)}`}`
        const links = [
          { rel: 'self', href: hrefOf(_after) },
          ...(next === null ? [] : [{ rel: 'next', href: hrefOf(next) }]),
        ]
        return toAnswer(format, { content: changes, page: { size }, links })
      },
    }),
    defineEndpoint({
      method: 'POST',
      path: `${path}/{version}/restore`,
      id: `restore${Name}Version`,
      tag: resource.name,
      summary: 'Restore a version of a record',
      description:
        'Changes the fields of the record to what they were in this version, as a patch with these values would: fields that the caller may not read or write, and states with transitions, stay as they are.',
      params: { version: { says: 'The version.', schema: { type: 'integer', minimum: 1 } } },
      access: forAdministrators('patch'),
      answers: { 200: { about: 'The record.', item: resource.definition } },
      problems: [400, 401, 403, 404, 409, 412, 422],
      answer: async ({ context, request, params }) => {
        const pk = wholePk(resource, request.params.pk ?? '', context)
        const version = readVersion(params.version)
        const record = await restoreVersion(context, { resource, pk, version, preconditions: request.headers })
        const view = context.visibility.view(resource)
        return { kind: 'item', status: 200, document: { view, record, included: [] } }
      },
    }),
  ]
}

const readVersion = (text: string): number => {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new Problem('bad_request', 'The version is a whole number from 1 on.')
}

interface VersionOf {
  readonly resource: Resource
  readonly pk: string
  readonly version: number
}

interface Restoration extends VersionOf {
  readonly preconditions: Request['headers']
}

const restoreVersion = (context: Context, version: Restoration): Promise<StoredRecord> =>
  inTransaction(context, async transaction => {
    const { resource, pk, preconditions } = version
    const state = await stateOf(transaction, version)
    const fields: Record<string, Json> = {}
    for (const field of restoredFields(transaction, resource)) fields[field.name] = bodyValue(field, state)
    const input = { pk: undefined, fields, pointer: (name: string) => `/${name}`, refusesUnknown: false }
    const updated = await updateFromInput(transaction, { resource, pk, input, mode: 'merge', preconditions })
    if (!updated) throw new Problem('not_found')
    return updated.record
  })

const batchSize = 100

/** The record after the change that made the version. */
const stateOf = async (context: Context, { resource, pk, version }: VersionOf): Promise<StoredRecord> => {
  let olderThan: string | null = null
  for (;;) {
    const { entries, hasMore } = await readTransitions(context, { resource, pk, olderThan, size: batchSize })
    const found = entries.find(({ entry }) => entry.version === version && entry.change !== 'deleted')
    // What the version was made from counts as one too: a history may begin in the middle of a record's life.
    const state = found?.after ?? entries.find(({ entry }) => entry.before?.version === version)?.entry.before
    if (state) return state
    if (!hasMore) throw new Problem('not_found')
    olderThan = entries.at(-1)?.entry.entry ?? null
  }
}

/** Fields that the caller could send. A state changes by steps alone. */
const restoredFields = (
  { platform: { access }, caller, visibility }: Context,
  resource: Resource,
): readonly ResourceField[] => {
  const { fields } = visibility.view(resource)
  return historyFields(resource).filter(
    field =>
      field !== resource.pk &&
      fields.has(field.name) &&
      !field.definition.options.serverOwned &&
      !field.definition.options.fixed &&
      !(field.definition.role === 'value' && (field.definition.compute || field.definition.type.staysOnRestore)) &&
      !machineOf(field) &&
      access.mayWrite(field, caller),
  )
}

const bodyValue = ({ definition, name }: ResourceField, state: StoredRecord): Json => {
  if (definition.role === 'value') return valueToJson(definition.type, state[name] ?? null)
  return definition.role === 'one' ? (linkIn(state, name)?.pk ?? null) : linksIn(state, name).map(({ pk }) => pk)
}
