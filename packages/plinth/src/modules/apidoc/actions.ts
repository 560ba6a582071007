// The endpoints that clients can offer as buttons, so that a client has a button for each without knowing any: what the button
// says, the form of the body, and for which records it can be pressed.

import { type InputDrawing, toUiInputs } from '../../core/describe/ui-input.ts'
import { text } from '../../core/model/fields.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import { toFilter } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { inLanguage, titleIn } from '../../core/model/words.ts'
import { Problem } from '../../core/problem.ts'
import { type Action, isPermitted, isPossible, possibleAmong } from '../../core/rest/action.ts'
import type { Context } from '../../core/rest/context.ts'
import { type Call, defineEndpoint } from '../../core/rest/endpoint.ts'
import { languageFor } from '../../core/rest/language.ts'
import type { Service } from '../../core/service.ts'
import { jsonAnswer } from './json-answer.ts'

const textSchema: JsonSchema = { type: 'string' }

const actionSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { ...textSchema, description: 'The operation in the API description.' },
    place: { enum: ['record', 'list'] },
    method: textSchema,
    path: { ...textSchema, description: 'With `{pk}` for the record.' },
    title: textSchema,
    about: textSchema,
    confirm: { ...textSchema, description: 'A question to ask first.' },
    isDestructive: {
      type: 'boolean',
      description: 'Whether something is lost by it: ask first, even without a question.',
    },
    isBulk: { type: 'boolean', description: 'Whether to offer it for several selected records at once, too.' },
    isConditional: { type: 'boolean', description: 'Whether it can be called for some records only.' },
    unavailable: { ...textSchema, description: 'Why it cannot be called for the other records.' },
    fields: { type: 'object', description: 'The fields of the body, as in a UI schema.' },
    pks: {
      type: 'array',
      items: textSchema,
      description: 'The records of `pks` for which it can be called, where that was a parameter.',
    },
  },
  required: ['id', 'place', 'method', 'path', 'title', 'isDestructive', 'isBulk', 'isConditional', 'fields'],
}

const listOf = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { actions: { type: 'array', items } },
  required: ['actions'],
})

/** The length of about 200 of them. */
const longestPks = 7500

const params = { resource: 'The resource.', pk: 'The record.' }

export const listActions = (service: Service) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/actions/{resource}',
    id: 'listActions',
    summary: 'List the endpoints that clients can offer as buttons',
    description: 'Those of a resource that the caller may call, for its list or for some of its records.',
    access: 'true',
    params: { resource: params.resource },
    answers: { 200: { about: 'The endpoints.', content: { 'application/json': listOf(actionSchema) } } },
    problems: [401, 403, 404, 406, 503],
    query: {
      pks: text({
        max: longestPks,
        about: 'Records, separated by commas: the answer says for which of them each endpoint can be called.',
      }),
    },
    answer: async call => {
      const { context, request, query } = call
      const resource = readableResource(context, call.params.resource)
      const language = languageFor(context, request)
      const drawing = { language, labelOf: labelIn(context) }
      const pks = query.pks == null ? null : query.pks.split(',')
      const actions = actionsOf(service, resource, call).map(async action => ({
        ...toDocument(action, drawing),
        ...(pks && action.place === 'record' && { pks: await possibleAmong(context, action, pks) }),
      }))
      return jsonAnswer({ actions: await Promise.all(actions) }, language)
    },
  })

export const listPossibleActions = (service: Service) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/actions/{resource}/{pk}',
    id: 'listPossibleActions',
    summary: 'List the endpoints that can be called for a record',
    access: 'true',
    params,
    answers: {
      200: { about: 'Their ids.', content: { 'application/json': listOf({ ...textSchema, description: 'The id.' }) } },
    },
    problems: [401, 403, 404, 406, 503],
    answer: async call => {
      const { context, request } = call
      const resource = readableResource(context, call.params.resource)
      const { pk } = call.params
      const visible = toFilter(context.platform.access.permit(resource, 'read', context.caller))
      if (!(await context.platform.store.get(resource, pk, { visible }))) throw new Problem('not_found')
      const actions = actionsOf(service, resource, call).filter(({ place }) => place === 'record')
      const possible = await Promise.all(actions.map(action => isPossible(context, action, pk)))
      return jsonAnswer(
        { actions: actions.filter((_, at) => possible[at]).map(({ id }) => id) },
        languageFor(context, request),
      )
    },
  })

const readableResource = ({ platform: { registry, access }, caller }: Context, name: string): Resource => {
  const resource = registry.published(name)
  if (!resource) throw new Problem('not_found')
  access.permit(resource, 'read', caller)
  return resource
}

const actionsOf = (service: Service, resource: Resource, { context, request }: Call): readonly Action[] =>
  service.overview().actions.filter(action => action.resource === resource && isPermitted(action, context, request))

/** Names the field that a relation shows. */
export const labelIn =
  ({ platform: { registry } }: Context): InputDrawing['labelOf'] =>
  name =>
    registry.published(name)?.label?.name ?? null

const toDocument = (action: Action, drawing: InputDrawing): JsonSchema => {
  const { id, place, method, path, about, confirm, isDestructive, isBulk, when, fields } = action
  return {
    ...{ id, place, method, path },
    title: titleIn(action.title, drawing.language) ?? id,
    ...(about !== undefined && { about }),
    ...(confirm !== undefined && { confirm: inLanguage(confirm, drawing.language) }),
    isDestructive,
    isBulk,
    isConditional: when !== null,
    ...(when?.message !== undefined && { unavailable: inLanguage(when.message, drawing.language) }),
    fields: toUiInputs(fields, drawing),
  }
}
