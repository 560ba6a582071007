// What the handler of an endpoint returns → an answer, by the answers that the endpoint declares.

import type { Json, JsonSchema } from '../model/json.ts'
import { type ListShape, type ShapeValue, showShape } from '../model/shape.ts'
import type { Shape, ShapeFields } from '../model/value-field.ts'
import type { Answer, Headers } from './answer.ts'
import type { Context } from './context.ts'
import type { AnswerDeclaration, AnswerOptions, Endpoint } from './endpoint.ts'
import { createResultCheck } from './endpoint-results.ts'

interface Sent {
  readonly status?: 200 | 201
  readonly headers?: Headers
}

/**
 * A value of this shape as an answer.
 *
 * @example const answer = toValueAnswer(total, { count: 3 }, { status: 201 })
 */
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

/**
 * The same, as they come.
 *
 * @example const answer = toStreamAnswer(totals, batches)
 */
export const toStreamAnswer = <F extends ShapeFields>(
  { element, of }: ListShape<F>,
  batches: AsyncIterable<readonly ShapeValue<F>[]>,
  headers?: Headers,
): Answer => ({
  kind: 'values',
  names: { list: element, entry: of.element },
  batches: batchesIn(of.fields, batches),
  ...(headers && { headers }),
})

async function* batchesIn(
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

export const toOptions = (declared: AnswerDeclaration): AnswerOptions => {
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

export type Described = JsonSchema | Shape | ListShape

export const isShape = (one: Described): one is Shape => one.kind === 'shape'
export const isList = (one: Described): one is ListShape => one.kind === 'list'

export const isBodyOptional = ({ body, bodyIsOptional = false }: Endpoint): boolean =>
  bodyIsOptional || (body?.kind === 'one or many' && body.optional === true)
