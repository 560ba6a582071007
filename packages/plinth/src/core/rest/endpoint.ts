// defineEndpoint: an endpoint that is no generic operation on a resource. What it takes and answers is declared by fields; its
// input is read and checked, and its OpenAPI operation derived, by them.

import type { Format } from '../formats/format.ts'
import type { Method, Request } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import type { CodeContext } from '../model/code-context.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Description } from '../model/description.ts'
import type { JsonSchema } from '../model/json.ts'
import type { Records } from '../model/records.ts'
import type { Requirement } from '../model/requirement.ts'
import type { Row } from '../model/row.ts'
import type { InputOf, ListShape, ShapeValue } from '../model/shape.ts'
import type { Shape, ShapeFields } from '../model/value-field.ts'
import type { Text, Title } from '../model/words.ts'
import type { Fault } from '../problem.ts'
import { markPlace } from '../source-place.ts'
import type { Answer } from './answer.ts'
import type { Body } from './body.ts'
import type { Context } from './context.ts'
import type { Permit } from './permits.ts'
import type { LastStep, Received } from './work.ts'

export type ParamNames<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | ParamNames<Rest>
    : never

/** A record, as the generic operations take it. The handler gets the body as it was parsed. */
export interface RecordBody {
  readonly kind: 'record'
  readonly of: ResourceDefinition
  readonly mode: 'create' | 'replace' | 'patch'
  readonly namesRecord: boolean
}

/**
 * `namesRecord`: the body names the record, since the path does not.
 *
 * @example body: bodyOf(books, 'create')
 */
export const bodyOf = (of: ResourceDefinition, mode: RecordBody['mode'], namesRecord = false): RecordBody => ({
  kind: 'record',
  of,
  mode,
  namesRecord,
})

/** The body by media type, for `receive`, which reads it as it arrives. */
export interface ContentBody {
  readonly kind: 'content'
  readonly content: Readonly<Record<string, JsonSchema>>
}

/**
 * A body of these media types, which `receive` reads as it arrives.
 *
 * @example body: contentBody({ 'text/csv': { type: 'string' } })
 */
export const contentBody = (content: ContentBody['content']): ContentBody => ({ kind: 'content', content })

/** Any JSON, which the handler reads itself. It gets the body as it was parsed. */
export interface JsonBody {
  readonly kind: 'json'
  readonly schema: JsonSchema
}

/**
 * A body of any JSON, described by a schema, which the handler reads itself.
 *
 * @example body: jsonBody({ type: 'object' })
 */
export const jsonBody = (schema: JsonSchema): JsonBody => ({ kind: 'json', schema })

/** One value, or a list of them. */
export interface OneOrManyBody<F extends ShapeFields = ShapeFields, Optional extends boolean = boolean> {
  readonly kind: 'one or many'
  readonly of: Shape<F>
  readonly optional: Optional
}

/**
 * A body that is one value of a shape or a list of them.
 *
 * @example body: oneOrMany(defineShape('Scan', { barcode: text({ required: true }) }))
 */
export const oneOrMany = <const F extends ShapeFields, const Optional extends boolean = false>(
  of: Shape<F>,
  optional: Optional = false as Optional,
): OneOrManyBody<F, NoInfer<Optional>> => ({ kind: 'one or many', of, optional })

/** The endpoint declares no body. */
export interface WithoutBody {
  readonly kind: 'none'
}

/** The body that an endpoint declares. */
export type BodyDeclaration = ShapeFields | Shape | RecordBody | ContentBody | JsonBody | OneOrManyBody

interface OneOrMany<T> {
  readonly isList: boolean
  readonly entries: readonly T[]
}

type BodyValue<B> =
  B extends OneOrManyBody<infer F, infer Optional>
    ? OneOrMany<InputOf<F>> | (Optional extends true ? null : never)
    : B extends RecordBody | JsonBody
      ? Body
      : B extends Shape<infer F>
        ? InputOf<F>
        : B extends ShapeFields
          ? InputOf<B>
          : null

/** The answer: at most one of `value`, `item`, `page` and `content`; without any, it has no body. */
export interface AnswerOptions {
  readonly about: string
  /** A schema instead of a shape is for `answer` alone, such as an answer that may have no body. */
  readonly value?: Shape | ListShape | JsonSchema
  readonly item?: ResourceDefinition
  readonly page?: ResourceDefinition
  /**
   * The content by media type, of answers that have forms of their own. With a single text type, such as `text/html`,
   * `run` returns the text.
   */
  readonly content?: Readonly<Record<string, JsonSchema | Shape | ListShape>>
  /** Schemas that `content` refers to by name. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>
  /** Headers worth knowing, and what they say. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A text stands for an answer without a body, and a definition for one of its records. */
export type AnswerDeclaration = string | ResourceDefinition | Shape | ListShape | AnswerOptions

type Nothing = ReturnType<() => void>

/** The form of an answer by its declaration. */
type AnswerForm<A> = A extends string
  ? { readonly form: 'empty' }
  : A extends ListShape<infer F>
    ? { readonly form: 'list'; readonly of: F }
    : A extends Shape<infer F>
      ? { readonly form: 'value'; readonly of: F }
      : A extends ResourceDefinition
        ? { readonly form: 'item'; readonly of: A }
        : A extends { readonly value: infer V }
          ? AnswerForm<V>
          : A extends { readonly item: infer D }
            ? { readonly form: 'item'; readonly of: D }
            : A extends { readonly page: infer D }
              ? { readonly form: 'page'; readonly of: D }
              : A extends { readonly content: infer C }
                ? { readonly form: 'content'; readonly of: C }
                : { readonly form: 'other' }

/** The forms of the answers that are no problems. */
export type SuccessForm<A> = {
  [Status in keyof A]: `${Status & number}` extends `2${string}` ? AnswerForm<A[Status]> : never
}[keyof A]

/** The value of an answer. */
type ValueOf<Form> = Form extends { readonly form: 'list'; readonly of: infer F }
  ? readonly ShapeValue<F>[]
  : Form extends { readonly form: 'value'; readonly of: infer F }
    ? ShapeValue<F>
    : Form extends { readonly form: 'item'; readonly of: infer D }
      ? Row<D>
      : Form extends { readonly form: 'content'; readonly of: infer C }
        ? keyof C extends `text/${string}`
          ? string
          : never
        : Form extends { readonly form: 'page' }
          ? never
          : Nothing

/** What `run` returns. By status, so that literals in the code of `run` keep their types. */
type Result<A> = {
  [Status in keyof A]: `${Status & number}` extends `2${string}` ? ValueOf<AnswerForm<A[Status]>> : never
}[keyof A]

/** A request to an endpoint, after its input has been read. */
export interface Call<Path extends string = string, Q = ShapeFields, B = BodyDeclaration> extends CodeContext {
  readonly context: Context
  readonly caller: Caller
  readonly request: Request
  readonly params: Readonly<Record<ParamNames<Path>, string>>
  readonly query: InputOf<Q>
  readonly body: BodyValue<B>
  /** The records, with the permissions of the caller. */
  readonly records: Records
  readonly now: Date
  /** What the answer will be written in. */
  readonly format: Format
}

type Eventually<T> = Promise<T> | T

/** The button that clients offer for an endpoint. */
export interface ButtonOptions {
  /** The words on the button. Without it, the summary of the endpoint. */
  readonly title?: Title
  /** The question before the endpoint is called. Without it, and without a body, the endpoint is called at once. */
  readonly confirm?: Text
  /** Says that something is lost by it: clients always ask first, and the answer that is easily given is No. */
  readonly destructive?: boolean
  /** Says that clients offer it for several selected records at once, too: its form is filled in once, and each record is a call. */
  readonly bulk?: boolean
}

export interface EndpointDefinition<
  Path extends string = string,
  Q extends ShapeFields = ShapeFields,
  B extends BodyDeclaration | WithoutBody = BodyDeclaration,
  A extends Answers = Answers,
  M extends Exclude<Method, 'OPTIONS'> = Exclude<Method, 'OPTIONS'>,
  Id extends string = string,
> extends Pick<Description, 'summary' | 'description' | 'tag' | 'deprecated' | 'family' | 'headers' | 'problems'> {
  readonly method: M
  /** The path with named parts in braces: `/api/rest/loans/{pk}/return`. */
  readonly path: Path
  /** The operation in the OpenAPI document: unique in the service, a verb first. Without it the document does not have it. */
  readonly id?: Id
  /** What the named parts of the path are. */
  readonly params?: {
    readonly [Name in ParamNames<Path>]?: string | { readonly says: string; readonly schema: JsonSchema }
  }
  /** A rule on the caller, such as `caller.signedIn`, or a check that throws. It comes before everything else. */
  readonly access: string | Permit
  /**
   * Callers must have signed in recently, or have entered the password again. Checked before the handler runs, and again at the
   * beginning of each transaction that it begins with `records`.
   */
  readonly requires?: 'recentSignIn'
  /**
   * The records for which it can be called, on a path below a record: a rule such as `record.state == 'repaired'`. It holds for
   * administrators too. Other records are refused with 409, and clients do not offer the button. Both say the message, if there is one:
   * `{ rule: "record.state == 'repaired'", message: { en: 'It is not repaired yet.', de: 'Es ist noch nicht repariert.' } }`.
   */
  readonly when?: Requirement
  /** The button of a `POST` below a record, or below a list, in the web client. `false`: it has none. */
  readonly button?: ButtonOptions | false
  /** Says in the document, where `access` is a check, that callers need no credentials. */
  readonly open?: boolean
  readonly query?: Q
  /** Refuses other parameters instead of ignoring them. */
  readonly refusesOtherParameters?: boolean
  readonly body?: B
  /** A request without a body is read as one without any field. */
  readonly bodyIsOptional?: boolean
  /** A body in a format that has a place for records alone, such as JSON:API, is refused by its media type. */
  readonly refusesRecordFormats?: boolean
  /** What is wrong with the body beyond the types of its fields; it gets those that could be read. */
  check?(body: Partial<BodyValue<B>>, code: Pick<CodeContext, 'settings'>): readonly Fault[]
  readonly answers?: A
  /** Restricts calls to pages of the service itself, or of an origin that CORS allows, whatever the credentials. */
  readonly ownSite?: boolean
  /** Counts wrong or expired credentials as none: for endpoints by which one signs in. */
  readonly forgiving?: boolean
  /** The format of answers and bodies that do not say; JSON unless given. */
  readonly format?: Format
  /** The format of problems, whatever else the caller accepts: for answers that come in media types of their own. */
  readonly problemFormat?: Format
  /** Media types beyond those of `answers`; `*\/*` for files of any type. */
  readonly produces?: string | readonly string[]
  /** The handler itself decides who may read, so 406 waits for it. Only for handlers that change nothing. */
  readonly permitsInRun?: boolean
  /** Answers may hold secrets beside what the caller sent, so they are never compressed. */
  readonly holdsSecrets?: boolean
  /** Says that the endpoint answers under overload and beyond rate limits. */
  readonly isEssential?: boolean
  /**
   * Says that the endpoint answers whatever the Host header says, except in demo mode: probes may use the address of a
   * container.
   */
  readonly anyHost?: boolean
  /** API keys with the scope `<keyScope>:read`, or `:write` if it changes something, may use it, and no others. For endpoints outside of `/api/rest`. */
  readonly keyScope?: string

  /** Seconds that the handler may take, where `app.api.endpointTimeout` does not fit. Without it, `receive` has no limit. */
  readonly timeout?: number

  /** Exactly one of the following. `run` returns the value of the first successful answer of `answers`. */
  run?(call: Call<Path, Q, B>): Eventually<Result<A>>
  /** Returns any answer: pages, files, other statuses, headers. */
  answer?(call: Call<Path, Q, B>): Eventually<Answer>
  /** Does slow work first, such as hashing a password, and returns the step that writes. */
  prepare?(call: Call<Path, Q, B>): Promise<LastStep>
  /** Reads the body as it arrives. */
  receive?(call: Call<Path, Q, B>): Promise<Received>
}

export type Answers = Readonly<Record<number, AnswerDeclaration>>

/** An endpoint of any input and answers, as modules list them. */
export interface Endpoint extends Omit<EndpointDefinition, 'run'> {
  run?(call: Call): unknown
}

/** The types of a declaration, for clients that are typed by the application. The property exists for the compiler alone. */
export interface DeclaredEndpoint<M extends string, Path extends string, Id, Q, B, A> {
  readonly declared?: {
    readonly method: M
    readonly path: Path
    readonly id: Id
    readonly query: Q
    readonly body: B
    readonly answers: A
  }
}

/**
 * Declares an endpoint that is not a generic operation on a resource. Input, answers and the OpenAPI operation follow from it.
 *
 * @example
 * export const countBooks = defineEndpoint({
 *   method: 'GET',
 *   path: '/api/rest/book-count',
 *   summary: 'Count the books',
 *   access: 'caller.signedIn',
 *   answers: { 200: defineShape('BookCount', { count: integer({ required: true }) }) },
 *   run: async ({ records }) => ({ count: await records.count(books) }),
 * })
 */
export const defineEndpoint = <
  const Path extends string,
  const Q extends ShapeFields = Readonly<Record<never, ShapeFields[string]>>,
  const B extends BodyDeclaration | WithoutBody = WithoutBody,
  const A extends Answers = Answers,
  const M extends EndpointDefinition['method'] = EndpointDefinition['method'],
  const Id extends string = string,
>(
  definition: EndpointDefinition<Path, Q, B, A, M, Id>,
): Endpoint & DeclaredEndpoint<M, Path, Id, Q, B, A> =>
  // The list of endpoints forgets the types that its handlers need.
  markPlace(definition as unknown as Endpoint & DeclaredEndpoint<M, Path, Id, Q, B, A>, defineEndpoint)
