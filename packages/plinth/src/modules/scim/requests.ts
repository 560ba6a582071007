// Requests of providers: who acts, what they ask for, and the answers.

import type { Caller } from '../../core/model/caller.ts'
import type { Records } from '../../core/model/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { readJson } from '../../core/rest/body.ts'
import type { Call } from '../../core/rest/endpoint.ts'
import type { Acting, ScimKind, ScimSearch } from './kind.ts'
import { isObject, type ScimObject } from './scim-json.ts'
import { scimMediaType } from './scim-problem.ts'
import { leavesOut, readSelection, selected } from './select.ts'

export const scimRoot = '/api/scim/v2'

/** The most resources of one answer. */
export const maxCount = 200

type Asking = Pick<Call, 'request' | 'caller'> & { readonly records: Records }

export const actingOf = ({ request, caller, records }: Asking): Acting => ({
  records: records.asService,
  root: request.base + scimRoot,
  write: work => records.transaction(inside => work(inside.acting({ caller: inPerson(caller) }))),
})

/** A key has led here by its own scope. What it may do here is what its administrator may do. */
const inPerson = (caller: Caller): Caller => {
  const { apiKey, pk, username, roles } = caller
  return apiKey === undefined ? caller : { pk, username, roles }
}

export const bodyOf = ({ body }: Call['request']): unknown => readJson(body)

interface Sent {
  readonly status?: 200 | 201
  /** The resource itself, whose address and version are headers, too. */
  readonly isResource?: boolean
}

export const answerWith = (body: ScimObject, { status = 200, isResource = false }: Sent = {}): Answer => {
  const meta = isResource && isObject(body.meta) ? body.meta : {}
  return {
    kind: 'response',
    response: {
      status,
      headers: {
        'content-type': `${scimMediaType}; charset=utf-8`,
        'cache-control': 'no-store',
        ...(typeof meta.version === 'string' && { etag: meta.version }),
        ...(typeof meta.location === 'string' && (status === 201 ? { location: meta.location } : {})),
      },
      body: JSON.stringify(body),
    },
  }
}

export const listOf = (resources: readonly ScimObject[], { total, start }: { total: number; start: number }) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: start,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** What a list is asked for by, in the query or in the body of a search. */
export interface SearchParameters {
  readonly filter: string | null
  readonly sortBy: string | null
  readonly sortOrder: string | null
  readonly startIndex: number | null
  readonly count: number | null
  readonly attributes: string | null
  readonly excludedAttributes: string | null
}

export const searchIn = async (kind: ScimKind, acting: Acting, parameters: SearchParameters): Promise<ScimObject> => {
  const { filter, sortBy, sortOrder, attributes, excludedAttributes } = parameters
  // Numbers below the least ones count as these (RFC 7644, section 3.4.2.4).
  const start = Math.max(1, parameters.startIndex ?? 1)
  const limit = Math.min(maxCount, Math.max(0, parameters.count ?? maxCount))
  const selection = readSelection(kind.schema, attributes, excludedAttributes)
  const names = kind.schema.attributes.map(({ name }) => name.toLowerCase())
  const without = new Set(names.filter(name => leavesOut(selection, name)))
  const search: ScimSearch = {
    ...{ filter, sortBy, offset: start - 1, limit, without },
    isDescending: sortOrder?.toLowerCase() === 'descending',
  }
  const { total, resources } = await kind.search(acting, search)
  return listOf(
    resources.map(one => selected(kind.schema, one, selection)),
    { total, start },
  )
}
