// The declared answers of an endpoint: what a handler returns → an answer, and → their part of the API description.

import { bareSchema, fieldsSchema, namedSchemas, shapeSchemas } from '../describe/shape-schema.ts'
import {
  type AnswerDescription,
  type BodyDescription,
  type Description,
  shape as named,
  type ParameterDescription,
  shape,
} from '../model/description.ts'
import type { Json, JsonSchema } from '../model/json.ts'
import { type ListShape, type ShapeValue, showShape } from '../model/shape.ts'
import { type Shape, type ShapeFields, shown, type ValueField } from '../model/value-field.ts'
import { inLanguage } from '../model/words.ts'
import type { Answer, Headers } from './answer.ts'
import type { Context } from './context.ts'
import type { AnswerDeclaration, AnswerOptions, Endpoint } from './endpoint.ts'
import { createResultCheck } from './endpoint-results.ts'

interface Sent {
  readonly status?: 200 | 201
  readonly headers?: Headers
}

/** A value of this shape as an answer. */
export const toValueAnswer = <F extends ShapeFields>(
  { element, fields }: Shape<F>,
  value: ShapeValue<F>,
  { status = 200, headers }: Sent = {},
): Answer => ({ kind: 'value', status, name: element, value: showShape(fields, value), ...(headers && { headers }) })

/** Values of this shape as an answer. */
export const toListAnswer = <F extends ShapeFields>(
  { element, of }: ListShape<F>,
  values: readonly ShapeValue<F>[],
  headers?: Headers,
): Answer => ({
  kind: 'list',
  names: { list: element, entry: of.element },
  entries: values.map(value => showShape(of.fields, value)),
  ...(headers && { headers }),
})

/** The same, as they come. */
export const toStreamAnswer = <F extends ShapeFields>(
  { element, of }: ListShape<F>,
  batches: AsyncIterable<readonly ShapeValue<F>[]>,
  headers?: Headers,
): Answer => ({
  kind: 'values',
  names: { list: element, entry: of.element },
  batches: shownBatches(of.fields, batches),
  ...(headers && { headers }),
})

async function* shownBatches(
  fields: ShapeFields,
  batches: AsyncIterable<readonly object[]>,
): AsyncGenerator<readonly Json[]> {
  for await (const batch of batches) yield batch.map(value => showShape(fields, value))
}

/** What `run` of the endpoint returns → the answer, by its first successful status. */
export const toResultAnswer = (endpoint: Endpoint): ((context: Context, result: unknown) => Answer) => {
  const { answers = {} } = endpoint
  const check = createResultCheck(endpoint)
  const [status = 204, declared = ''] =
    Object.entries(answers)
      .map(([key, one]) => [Number(key), one] as const)
      .find(([key]) => key >= 200 && key < 300) ?? []
  const { value, item, content = {} } = toOptions(declared)
  const success = status === 201 ? 201 : 200
  if (item)
    return ({ platform, visibility }, result) => {
      const document = {
        view: visibility.view(platform.registry.resource(item)),
        record: check.record(result, item.name),
        included: [],
      }
      return { kind: 'item', status: success, document }
    }
  if (value && isList(value)) return (_, result) => toListAnswer(value, check.list(result, value.of))
  if (value && isShape(value))
    return (_, result) => toValueAnswer(value, check.value(result, value), { status: success })
  const [textType] = Object.keys(content)
  if (textType !== undefined)
    return (_, result) => ({ kind: 'text', mediaType: `${textType}; charset=utf-8`, body: check.text(result) })
  return () => ({ kind: 'nothing', status: status === 200 || status === 201 ? status : 204 })
}

const toOptions = (declared: AnswerDeclaration): AnswerOptions => {
  if (typeof declared === 'string') return { about: declared }
  if ('kind' in declared) return { about: aboutOf(declared), value: declared }
  return 'identifier' in declared ? { about: '', item: declared } : declared
}

const aboutOf = (declared: Shape | ListShape): string =>
  (declared.kind === 'list' ? declared.of.about : declared.about) ?? 'Done.'

/** The media types that only these answers have; none where answers come in the usual formats. */
export const ownMediaTypes = (endpoint: Endpoint, usual: readonly string[]): readonly string[] => {
  const { answers = {} } = endpoint
  if (answersAnything(endpoint)) return ['*/*']
  const types = Object.values(answers).flatMap(one => Object.keys(toOptions(one).content ?? {}))
  const isNegotiated = Object.values(answers)
    .map(toOptions)
    .some(({ value, item, page }) => value ?? item ?? page)
  return isNegotiated || types.every(type => usual.includes(type)) ? [] : types
}

/** A handler that reads and returns what it likes, such as a page, and declares no form of it. */
const answersAnything = ({ method, answer, answers }: Endpoint): boolean => {
  if (method !== 'GET' || !answer) return false
  if (!answers) return true
  const successes = Object.entries(answers).filter(([status]) => status.startsWith('2'))
  return successes.length > 0 && successes.every(([status, one]) => typeof one === 'string' && status !== '204')
}

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

type Described = JsonSchema | Shape | ListShape

const isShape = (one: Described): one is Shape => one.kind === 'shape'
const isList = (one: Described): one is ListShape => one.kind === 'list'

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

// What the API description says of an endpoint, derived from its declaration.

export const isBodyOptional = ({ body, bodyIsOptional = false }: Endpoint): boolean =>
  bodyIsOptional || (body?.kind === 'one or many' && body.optional === true)

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
    schema: { ...bareSchema(field, 'body'), ...(usual !== undefined && { default: shown(field.type, usual) }) },
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
