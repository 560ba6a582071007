// The endpoints of SCIM 2.0 (RFC 7644): for administrators, and API keys of administrators with the scope `scim:read` or `scim:write`.

import { integer, text } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { type Call, contentBody, defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { administrator } from '../../core/rest/permits.ts'
import { maxPayload, runBulk } from './bulk.ts'
import { resourceTypes, schemaDocuments, serviceConfiguration } from './discovery.ts'
import { groupKind } from './group-kind.ts'
import type { ScimKind } from './kind.ts'
import { actingOf, answerWith, bodyOf, listOf, type SearchParameters, scimRoot, searchIn } from './requests.ts'
import { member, type ScimObject, toObject } from './scim-json.ts'
import { asScimProblem, mistake, scimFormat, scimMediaType } from './scim-problem.ts'
import { readSelection, selected } from './select.ts'
import { userKind } from './user-kind.ts'

export const scimScope = 'scim'

const kinds: readonly ScimKind[] = [userKind, groupKind]

const parts = {
  attributes: text({ max: 2000 }),
  excludedAttributes: text({ max: 2000 }),
}
const listParameters = {
  ...parts,
  filter: text({ max: 2000 }),
  sortBy: text({ max: 100 }),
  sortOrder: text({ max: 20 }),
  startIndex: integer(),
  count: integer(),
}

type ScimCall = Call<string, typeof listParameters>

interface ScimEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** The operation in the OpenAPI document. */
  readonly id: string
  readonly summary: string
  /** The status of success; 200 unless given. */
  readonly success?: 200 | 201 | 204
  readonly answer: (call: ScimCall) => Promise<Answer> | Answer
}

const json = { type: 'object' } as const
/** Schemas of the standard say what is in it. */
const open = { type: 'object', additionalProperties: true } as const
const content = { [scimMediaType]: open }

const refusals: Readonly<Record<number, string>> = {
  400: 'The request has a mistake; `scimType` and `detail` say which.',
  401: 'There are no valid credentials.',
  403: 'The caller is no administrator, or the API key has another scope.',
  404: 'There is no such resource.',
  406: 'The service cannot answer in the accepted media types.',
  409: 'A name is taken, or the change would leave no administrator.',
  412: 'The resource has another version.',
  413: 'The body is too large.',
  503: 'The service is overloaded, or the database does not answer.',
}

const problemContent = { ...content, 'application/problem+json': open }

const answersOf = (summary: string, success: number) => ({
  [success]: success === 204 ? 'The resource is deleted.' : { about: summary, content },
  ...Object.fromEntries(
    Object.entries(refusals).map(([status, about]) => [status, { about, content: problemContent }]),
  ),
})
const written: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const defineScim = ({ method, path, id, summary, success = 200, answer }: ScimEndpoint): Endpoint =>
  defineEndpoint({
    method,
    path: scimRoot + path,
    id,
    summary,
    access: administrator,
    keyScope: scimScope,
    problemFormat: scimFormat,
    produces: [scimMediaType, 'application/json'],
    query: listParameters,
    ...(written.has(method) && { body: contentBody({ [scimMediaType]: json, 'application/json': json }) }),
    answers: answersOf(summary, success),
    answer: async call => {
      try {
        return await answer(call)
      } catch (error) {
        throw asScimProblem(error)
      }
    },
  })

const idOf = ({ params }: Call): string => params.id ?? ''

const ifMatchOf = ({ request }: Call): string | undefined => request.headers['if-match']

const whole = (kind: ScimKind, { query }: ScimCall, resource: ScimObject): ScimObject =>
  selected(kind.schema, resource, readSelection(kind.schema, query.attributes, query.excludedAttributes))

/** A search in a body, so that no filter is in a log of addresses. */
const parametersIn = (body: unknown): SearchParameters => {
  const sent = toObject(body)
  const textOf = (name: string): string | null => {
    const value = member(sent, name) ?? null
    if (value === null || typeof value === 'string') return value
    if (Array.isArray(value)) return value.join(',')
    throw mistake('invalidSyntax', `${name} must be a text.`)
  }
  const numberOf = (name: string): number | null => {
    const value = member(sent, name) ?? null
    if (value === null || Number.isSafeInteger(value)) return value === null ? null : Number(value)
    throw mistake('invalidSyntax', `${name} must be a whole number.`)
  }
  return {
    ...{ filter: textOf('filter'), sortBy: textOf('sortBy'), sortOrder: textOf('sortOrder') },
    ...{ startIndex: numberOf('startIndex'), count: numberOf('count') },
    ...{ attributes: textOf('attributes'), excludedAttributes: textOf('excludedAttributes') },
  }
}

const endpointsOf = (kind: ScimKind): readonly Endpoint[] => {
  const { name, endpoint } = kind.schema
  const one = name.toLowerCase()
  return [
    defineScim({
      method: 'GET',
      path: endpoint,
      id: `listScim${name}s`,
      summary: `List ${one}s`,
      answer: async call => answerWith(await searchIn(kind, actingOf(call), call.query)),
    }),
    defineScim({
      method: 'POST',
      path: `${endpoint}/.search`,
      id: `searchScim${name}s`,
      summary: `Search ${one}s`,
      answer: async call => answerWith(await searchIn(kind, actingOf(call), parametersIn(bodyOf(call.request)))),
    }),
    defineScim({
      method: 'POST',
      path: endpoint,
      id: `createScim${name}`,
      summary: `Create a ${one}`,
      success: 201,
      answer: async call => {
        const made = await kind.create(actingOf(call), bodyOf(call.request))
        return answerWith(made, { status: 201, isResource: true })
      },
    }),
    defineScim({
      method: 'GET',
      path: `${endpoint}/{id}`,
      id: `readScim${name}`,
      summary: `Read a ${one}`,
      answer: async call =>
        answerWith(whole(kind, call, await kind.find(actingOf(call), idOf(call))), { isResource: true }),
    }),
    defineScim({
      method: 'PUT',
      path: `${endpoint}/{id}`,
      id: `replaceScim${name}`,
      summary: `Replace a ${one}`,
      answer: async call => {
        const change = { body: bodyOf(call.request), ifMatch: ifMatchOf(call) }
        return answerWith(await kind.replace(actingOf(call), idOf(call), change), { isResource: true })
      },
    }),
    defineScim({
      method: 'PATCH',
      path: `${endpoint}/{id}`,
      id: `changeScim${name}`,
      summary: `Change a ${one}`,
      answer: async call => {
        const change = { body: bodyOf(call.request), ifMatch: ifMatchOf(call) }
        const changed = await kind.patch(actingOf(call), idOf(call), change)
        return answerWith(whole(kind, call, changed), { isResource: true })
      },
    }),
    defineScim({
      method: 'DELETE',
      path: `${endpoint}/{id}`,
      id: `deleteScim${name}`,
      summary: `Delete a ${one}`,
      success: 204,
      answer: async call => {
        await kind.remove(actingOf(call), idOf(call), ifMatchOf(call))
        return { kind: 'nothing', status: 204 }
      },
    }),
  ]
}

/** A list that is the same for everybody, and its entries by id. */
interface FixedList {
  readonly path: string
  readonly ids: readonly [list: string, entry: string]
  readonly summary: string
  readonly entries: (root: string) => readonly ScimObject[]
}

const fixedList = ({ path, ids: [list, entry], summary, entries }: FixedList) => [
  defineScim({
    method: 'GET',
    path,
    id: list,
    summary,
    answer: call => {
      const all = entries(actingOf(call).root)
      return answerWith(listOf(all, { total: all.length, start: 1 }))
    },
  }),
  defineScim({
    method: 'GET',
    path: `${path}/{id}`,
    id: entry,
    summary,
    answer: call => {
      const found = entries(actingOf(call).root).find(({ id }) => id === idOf(call))
      if (!found) throw new Problem('not_found')
      return answerWith(found)
    },
  }),
]

export const scimEndpoints: readonly Endpoint[] = [
  ...kinds.flatMap(endpointsOf),
  defineScim({
    method: 'POST',
    path: '/Bulk',
    id: 'runScimOperations',
    summary: 'Run several operations',
    answer: async call => {
      const { request } = call
      if ((request.body?.length ?? 0) > maxPayload)
        throw new Problem('too_large', `The body has ${maxPayload} bytes at most.`)
      return answerWith(await runBulk(actingOf(call), bodyOf(request), { kinds, signal: request.signal }))
    },
  }),
  defineScim({
    method: 'GET',
    path: '/ServiceProviderConfig',
    id: 'showScimConfiguration',
    summary: 'Show what the service supports',
    answer: call => answerWith(serviceConfiguration(actingOf(call).root)),
  }),
  ...fixedList({
    path: '/ResourceTypes',
    ids: ['listScimResourceTypes', 'readScimResourceType'],
    summary: 'Show the kinds of resources',
    entries: resourceTypes,
  }),
  ...fixedList({
    path: '/Schemas',
    ids: ['listScimSchemas', 'readScimSchema'],
    summary: 'Show the attributes of resources',
    entries: schemaDocuments,
  }),
]
