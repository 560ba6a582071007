// Answers of the generic endpoints, for endpoints of modules that answer as those do.

import type { Request } from '../http/exchange.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Where } from '../model/row-where.ts'
import { whereOf } from '../records/reader.ts'
import type { Answer } from './answer.ts'
import { replaceNamed } from './change.ts'
import type { Context } from './context.ts'
import { bodyOf, defineEndpoint, type Endpoint } from './endpoint.ts'
import { find } from './find.ts'
import { mayUse } from './permits.ts'
import { search } from './search.ts'

interface RecordRequest {
  readonly request: Request
  readonly pk: string
}

/**
 * Answers as `GET /api/rest/{resource}/{pk}` does: 404 for a record that the caller may not read.
 *
 * @example const answer = await answerRecord(context, books, { request, pk: loan.pk })
 */
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
  /** The condition on the records that are searched. */
  readonly where: Where<D>
}

/**
 * Answers as `GET /api/rest/{resource}` does, within the records that match `where`.
 *
 * @example const answer = await answerSearch(context, loans, { request, where: { book: { title: { ilike: 'm*' } } } })
 */
export const answerSearch = <D extends ResourceDefinition>(
  context: Context,
  definition: D,
  { request, where }: PageRequest<D>,
): Promise<Answer> => {
  const { registry } = context.platform
  return search(context, {
    resource: registry.resource(definition),
    request,
    scope: whereOf(registry, definition, where),
  })
}

/**
 * `PUT /api/rest/{resource}`: replaces the record that the body names.
 *
 * @example export const replaceBook = replaceByBody(books)
 */
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
