// What the API description says of an endpoint, derived from its declaration.

import { bareSchema, fieldsSchema, namedSchemas, shapeSchemas } from '../describe/shape-schema.ts'
import {
  type AnswerDescription,
  type BodyDescription,
  type Description,
  shape as named,
  type ParameterDescription,
  shape,
} from '../model/description.ts'
import type { JsonSchema } from '../model/json.ts'
import { type ValueField, valueToJson } from '../model/value-field.ts'
import { inLanguage } from '../model/words.ts'
import type { AnswerDeclaration, Endpoint } from './endpoint.ts'
import { type Described, isBodyOptional, isList, isShape, toOptions } from './endpoint-answers.ts'

export const describeAnswer = (declared: AnswerDeclaration): AnswerDescription => {
  const { about, value, item, page, content, headers } = toOptions(declared)
  return {
    says: about,
    ...(value && { value: schemaOf(value) }),
    ...(item && { item: item.name }),
    ...(page && { page: page.name }),
    ...(content && {
      content: Object.fromEntries(Object.entries(content).map(([type, one]) => [type, schemaOf(one)])),
    }),
    ...(headers && { headers }),
  }
}

const schemaOf = (one: Described): JsonSchema => {
  if (isShape(one)) return named(one.name)
  if (!isList(one)) return one
  return { type: 'array', items: named(one.of.name), xml: { name: one.element, wrapped: true } }
}

/** The schemas that the descriptions of the answers refer to. */
export const answerSchemas = (declared: AnswerDeclaration): readonly Readonly<Record<string, JsonSchema>>[] => {
  const { value, content = {}, schemas = {} } = toOptions(declared)
  const all: readonly Described[] = [...(value ? [value] : []), ...Object.values(content)]
  return [
    schemas,
    ...all.flatMap(one => (isShape(one) ? [one] : isList(one) ? [one.of] : [])).map(one => shapeSchemas(one, 'answer')),
  ]
}

export const describeEndpoint = (endpoint: Endpoint, id: string, open: boolean): Description => {
  const { summary, description, tag, deprecated, family, params, query = {}, headers, problems } = endpoint
  const body = describeBody(endpoint.body)
  const answers = Object.entries(endpoint.answers ?? {})
  const parameters = Object.entries(query).map(([name, field]) => [name, describeParameter(field)] as const)
  return {
    id,
    summary,
    ...(description !== undefined && { description }),
    ...(tag !== undefined && { tag }),
    ...(open && { open }),
    ...(deprecated && { deprecated }),
    ...(family && { family }),
    ...(params && { path: params as NonNullable<Description['path']> }),
    ...(parameters.length > 0 && { query: Object.fromEntries(parameters) }),
    ...(headers && { headers }),
    ...(body && { body: isBodyOptional(endpoint) ? { ...body, optional: true } : body }),
    answers: Object.fromEntries(answers.map(([status, declared]) => [status, describeAnswer(declared)])),
    ...(problems && { problems }),
    // Only the API description asks for them.
    get schemas() {
      return [bodySchemas(endpoint.body), ...answers.flatMap(([, declared]) => answerSchemas(declared))]
    },
  }
}

const describeParameter = (field: ValueField): ParameterDescription => {
  const { about, required, default: usual } = field.options
  return {
    says: about === undefined ? '' : inLanguage(about, 'en'),
    schema: { ...bareSchema(field, 'body'), ...(usual !== undefined && { default: valueToJson(field.type, usual) }) },
    ...(required && { required }),
  }
}

const describeBody = (body: Endpoint['body']): BodyDescription | null => {
  if (!body) return null
  if (body.kind === 'content') return { content: body.content }
  if (body.kind === 'record') return { record: body.of.name, mode: body.mode, namesRecord: body.namesRecord }
  if (body.kind === 'json') return { schema: body.schema }
  if (body.kind === 'shape') return { schema: shape(body.name) }
  if (body.kind === 'one or many') {
    const one = shape(body.of.name)
    return { schema: { anyOf: [one, { type: 'array', items: one, minItems: 1 }] }, optional: body.optional }
  }
  return { schema: fieldsSchema(body, 'body') }
}

const bodySchemas = (body: Endpoint['body']): Readonly<Record<string, JsonSchema>> => {
  if (!body || body.kind === 'content' || body.kind === 'record' || body.kind === 'json') return {}
  if (body.kind === 'shape') return shapeSchemas(body, 'body')
  return body.kind === 'one or many' ? shapeSchemas(body.of, 'body') : namedSchemas(body, 'body')
}
