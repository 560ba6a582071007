// The description of an endpoint: data beside its route that becomes part of the OpenAPI document.

import type { Family } from './family.ts'
import type { JsonSchema } from './json.ts'

export interface ParameterDescription {
  readonly says: string
  /** Text unless given. */
  readonly schema?: JsonSchema
  readonly required?: boolean
}

interface PathPart {
  readonly says: string
  readonly schema: JsonSchema
}

/** A format as the API description shows it. */
export interface DescribedFormat {
  readonly mediaType: string
  /** Answers come in this format by default where an operation names its family; the first of a family stands for it. */
  readonly family: Family
  /** The schemas of its documents; without them, they are described as text. */
  readonly schemas?: FormatSchemas
  /** A media type of its bodies in which null clears a field (RFC 7396). */
  readonly mergePatchType?: string
  /** Is present where it has a place for what is no record. */
  readonly value?: unknown
  /** Is present where bodies are accepted. */
  readonly read?: unknown
  readonly problemType: string
}

/** The names of schemas in the API description, by the name of a resource type, such as `Film`. */
export interface FormatSchemas {
  item(type: string): string
  page(type: string): string
  /** The schema of a body, by the name of the fields that it holds, such as `FilmInput`. */
  input(fields: string): string
  readonly problem: string
  /** Says that its documents have a field for what is about them. */
  readonly hasMeta?: true
  /** A list of values, where it does not stand by itself. */
  readonly list?: (list: JsonSchema) => JsonSchema
}

/** The answer of an operation: at most one of `value`, `item`, `page` and `content`; without any, it has no body. */
export interface AnswerDescription {
  readonly says: string
  /** What is no record, such as the outcome of an action: in JSON and XML. */
  readonly value?: JsonSchema
  /** A record of this resource, in every format. */
  readonly item?: string
  /** A page of records of this resource, in every format. */
  readonly page?: string
  /** The content by media type, of answers that have forms of their own. */
  readonly content?: Readonly<Record<string, JsonSchema>>
  /** Headers worth knowing, and what they say. */
  readonly headers?: Readonly<Record<string, string>>
}

export type BodyDescription =
  | { readonly schema: JsonSchema; readonly optional?: boolean }
  /** The body as the generic operations take it. */
  | {
      readonly record: string
      readonly mode: 'create' | 'replace' | 'patch'
      /** The body names the record, since the path does not. */
      readonly namesRecord?: boolean
    }
  | { readonly content: Readonly<Record<string, JsonSchema>> }

export interface Description {
  /** Unique in the service, a verb first: `resetPassword`. */
  readonly id: string
  /** A few words, a verb first. */
  readonly summary: string
  readonly description?: string
  /** The group it is shown in; unless given, the resource in its path, else its module. */
  readonly tag?: string
  /** May be called without credentials. */
  readonly open?: boolean
  readonly deprecated?: boolean
  /** The default family of `item` and `page`; `json` unless set. */
  readonly family?: Family
  /**
   * The named parts of the path, by name; those left out get a plain sentence. Unless a schema is given, `pk` below a
   * resource has that of its identifiers, and any other part is text.
   */
  readonly path?: Readonly<Record<string, string | PathPart>>
  readonly query?: Readonly<Record<string, ParameterDescription>>
  readonly headers?: Readonly<Record<string, ParameterDescription>>
  readonly body?: BodyDescription
  readonly answers: Readonly<Record<number, AnswerDescription>>
  /** The statuses of its problems; unless given, those of any read or write. */
  readonly problems?: readonly number[]
  /** Schemas that it refers to, by their names among the components. */
  readonly schemas?: readonly Readonly<Record<string, JsonSchema>>[]
}

/** May it answer what is no record? */
export const promisesValue = ({ answers }: Description): boolean =>
  Object.values(answers).some(({ value }) => value !== undefined)

/** A shape that the module gives by name in its `schemas`, or one of the model, such as `User` or `Links`. */
export const shape = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Do such requests take an Idempotency-Key? `path` is that of the route. */
export const takesIdempotencyKey = (method: string, path: string | null): boolean =>
  method === 'POST' && path !== null && path.startsWith('/api/rest/')
