// The declared answers of an endpoint: what a handler returns → an answer, and → their part of the API description.

import { shapeSchemas } from './../describe/shape-schema.ts'
import { type AnswerDescription, shape as named } from '../model/description.ts'
import type { Json, JsonSchema } from '../model/json.ts'
import type { StoredRecord } from '../model/record.ts'
import { type ListShape, type Shape, type ShapeFields, type ShapeValue, showShape } from '../model/shape.ts'
import type { Answer, Headers } from './answer.ts'
import type { AnswerDeclaration, AnswerOptions, Endpoint } from './endpoint.ts'
import type { Context } from './platform.ts'

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
export const toResultAnswer = ({ answers = {} }: Endpoint): ((context: Context, result: unknown) => Answer) => {
  const [status = 204, declared = ''] =
    Object.entries(answers)
      .map(([key, one]) => [Number(key), one] as const)
      .find(([key]) => key >= 200 && key < 300) ?? []
  const { value, item } = toOptions(declared)
  const success = status === 201 ? 201 : 200
  if (item)
    return ({ platform, visibility }, result) => {
      const document = {
        view: visibility.view(platform.registry.resource(item)),
        record: result as StoredRecord,
        included: [],
      }
      return { kind: 'item', status: success, document }
    }
  if (value && isList(value)) return (_, result) => toListAnswer(value, result as readonly object[])
  if (value && isShape(value)) return (_, result) => toValueAnswer(value, result as object, { status: success })
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
export const ownMediaTypes = ({ answers = {} }: Endpoint, usual: readonly string[]): readonly string[] => {
  const types = Object.values(answers).flatMap(one => Object.keys(toOptions(one).content ?? {}))
  const isNegotiated = Object.values(answers)
    .map(toOptions)
    .some(({ value, item, page }) => value ?? item ?? page)
  return isNegotiated || types.every(type => usual.includes(type)) ? [] : types
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
