// An endpoint in one service: shapes of its input and answers that depend on settings are made with their values.

import type { ResolveSetting } from '../model/setting.ts'
import { settledFields, settledShape } from '../model/settled.ts'
import type { ListShape } from '../model/shape.ts'
import type { Shape, ShapeFields } from '../model/value-field.ts'
import type { AnswerDeclaration, AnswerOptions, BodyDeclaration, Endpoint } from './endpoint.ts'

export const settledEndpoint = (endpoint: Endpoint, resolve: ResolveSetting): Endpoint => {
  const { query, body, answers } = endpoint
  return {
    ...endpoint,
    ...(query && { query: settledFields(query, resolve) }),
    ...(body && { body: settledBody(body, resolve) }),
    ...(answers && { answers: eachOf(answers, answer => settledAnswer(answer, resolve)) }),
  }
}

const eachOf = <T>(all: Readonly<Record<string, T>>, change: (one: T) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one)]))

type Body = BodyDeclaration | NonNullable<Endpoint['body']>

const settledBody = (body: Body, resolve: ResolveSetting): Body => {
  if (isShape(body)) return settledShape(body, resolve)
  if (isKind(body, 'one or many')) return { ...body, of: settledShape(body.of, resolve) }
  return typeof body.kind === 'string' ? body : settledFields(body as ShapeFields, resolve)
}

const isKind = <K extends string>(body: Body, kind: K): body is Extract<Body, { readonly kind: K }> =>
  body.kind === kind

type Shapes = Shape | ListShape

const isShape = (value: object): value is Shape => 'kind' in value && value.kind === 'shape'
const isList = (value: object): value is ListShape => 'kind' in value && value.kind === 'list' && 'of' in value

const settledShapes = <S extends object>(value: S, resolve: ResolveSetting): S | Shapes => {
  if (isShape(value)) return settledShape(value, resolve)
  return isList(value) ? { ...value, of: settledShape(value.of, resolve) } : value
}

const settledAnswer = (answer: AnswerDeclaration, resolve: ResolveSetting): AnswerDeclaration => {
  if (typeof answer === 'string') return answer
  if (isShape(answer) || isList(answer)) return settledShapes(answer, resolve)
  if (!isOptions(answer)) return answer
  const { value, content } = answer
  return {
    ...answer,
    ...(value && { value: settledShapes(value, resolve) }),
    ...(content && { content: eachOf(content, one => settledShapes(one, resolve)) }),
  }
}

/** Says whether an answer is options and not a definition, whose fields are those of the registry. */
const isOptions = (answer: Exclude<AnswerDeclaration, string>): answer is AnswerOptions => !('fields' in answer)
