// What can go wrong for a caller: stable codes, their status and title, and the one error class. Modules declare further codes.

import type { FaultReason } from './fault.ts'
import { type ProblemCode, type ProblemTable, type ProblemType, problemTypes } from './problem-types.ts'
import { inLanguage, type Text } from './text.ts'

declare const declared: unique symbol
/** A code of a module's own. The mark keeps comparisons with codes that nothing declares from compiling. */
export type DeclaredCode = string & { readonly [declared]: true }

/**
 * Declares the problems of a module; what it returns makes one of them.
 *
 * @example
 * export const libraryProblem = defineProblems({
 *   no_copies: {
 *     status: 409,
 *     title: { en: 'No copy left', de: 'Kein Exemplar mehr da' },
 *     meaning: 'All copies of the book are on loan.',
 *   },
 * })
 * throw libraryProblem('no_copies')
 * throw libraryProblem('no_copies', { en: `All ${count} copies are on loan.`, de: `Alle ${count} Exemplare sind verliehen.` })
 */
export const defineProblems = <const Table extends ProblemTable>(table: Table) => {
  const make = (code: keyof Table & string, details?: ProblemDetails | Text): Problem => {
    const type = table[code]
    if (!type) throw new Error(`no problem '${code}' is declared`)
    return new Problem({ code: code as string as DeclaredCode, type }, details)
  }
  return Object.assign(make, { table })
}

/** One fault inside a request: a member of the body (`pointer`) or a query parameter. */
export interface Fault extends FaultReason {
  /** JSON Pointer (RFC 6901) into the body. */
  readonly pointer?: string
  readonly parameter?: string
  readonly member?: string
  /** Zero-based offset in the decoded text of the parameter, or in the body. */
  readonly position?: number
  /** What this part of a query costs. */
  readonly cost?: number
}

/** What is said about a problem beyond its code. */
export interface ProblemDetails {
  /** What happened, as a sentence. A caller whose language it lacks gets the sentence of the code, if that has one. */
  readonly detail?: Text
  readonly errors?: readonly Fault[]
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** What it is about, such as `books 4711`: for the message of the error, in logs and tests. Callers do not get it. */
  readonly subject?: string
  /** Further members of the problem document, such as a fresh quote. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

const isText = (details: ProblemDetails | Text): details is Text => typeof details === 'string' || 'en' in details

/**
 * A problem, thrown anywhere below and caught once in `rest/pipeline`.
 *
 * @example throw new Problem('conflict', 'All copies are on loan.')
 */
export class Problem extends Error {
  readonly code: ProblemCode | DeclaredCode
  readonly type: ProblemType
  readonly details: ProblemDetails

  /** Creates a problem; another one as the first argument gives its code, with other details. */
  constructor(problem: ProblemCode | Pick<Problem, 'code' | 'type'>, details: ProblemDetails | Text = {}) {
    const { code, type } = typeof problem === 'string' ? { code: problem, type: problemTypes[problem] } : problem
    const known = isText(details) ? { detail: details } : details
    const summary = inLanguage(known.detail ?? type.title, 'en')
    const message = known.subject === undefined ? summary : `${summary}: ${known.subject}`
    super(message, known.cause === undefined ? undefined : { cause: known.cause })
    this.name = 'Problem'
    this.code = code
    this.type = type
    this.details = known
  }

  /** The message for callers, in English. */
  get plainMessage(): string {
    return inLanguage(this.details.detail ?? this.type.title, 'en')
  }

  get status(): number {
    return this.type.status
  }
}

/** The record does not exist, or the caller may not see it. */
export const missingRecord = ({ name }: { readonly name: string }, pk: string): Problem =>
  new Problem('not_found', { subject: `${name} ${`${pk}`.slice(0, 100)}` })

/** The problem of one part of a request, as a fault of the whole. */
export const problemAsFault = ({ code, type, details, plainMessage }: Problem): Fault => {
  const text = details.detail ?? type.title
  return { code, message: plainMessage, pointer: '', texts: typeof text === 'string' ? {} : text }
}

/** The database or another part that the service needs does not answer: the outcome of the request is unknown. */
export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'unavailable'

// Errors of others. Anything can be thrown, so nothing is taken for granted.

/**
 * The message of an error; other values as text.
 *
 * @example log.warn(`The gate does not answer: ${errorMessage(failure)}`)
 */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The code that Node, drivers and libraries give to errors, such as `ENOENT`; empty when there is none.
 *
 * @example const isMissing = errorCode(failure) === 'ENOENT'
 */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
