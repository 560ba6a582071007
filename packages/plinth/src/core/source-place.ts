// Where code stands in the source, for messages about it: a definition, a call, an error.

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface CallSite {
  readonly stack?: string
}

/** The place that calls `callee`. The stack becomes text only when a message needs it. */
export const captureSite = (callee: (...args: never[]) => unknown): CallSite => {
  const site: CallSite = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 1
  Error.captureStackTrace(site, callee)
  Error.stackTraceLimit = stackTraceLimit
  return site
}

/** Writes a place as `modules/library/books.ts:12`, from the working directory; null when it is not known. */
export const toPlace = ({ stack = '' }: CallSite): string | null => placesIn(stack).next().value ?? null

interface SourceLine {
  readonly file: string
  readonly line: string
}

function* placesIn(stack: string, isShown = (_path: string) => true): Generator<string, undefined> {
  for (const { file, line } of linesIn(stack)) if (isShown(file)) yield `${relative(process.cwd(), file)}:${line}`
}

function* linesIn(stack: string): Generator<SourceLine, undefined> {
  for (const [, file = '', line = ''] of stack.matchAll(frame))
    yield { file: file.startsWith('file://') ? fileURLToPath(file) : file, line }
}

const frame = /(?:\(|at |@)((?:file:\/\/|\/|[A-Za-z]:\\)[^()\n]*?):(\d+):\d+\)?$/gm

/** The folder of Plinth itself: of its source, or of the package. */
const ownFolder = fileURLToPath(new URL('..', import.meta.url))

/** The first place in the stack of an error that is neither in Plinth nor in a package; null when there is none. */
export const applicationPlaceOf = (error: unknown): string | null => {
  const isOwn = (path: string) => !path.startsWith(ownFolder) && !/[\\/]node_modules[\\/]/.test(path)
  const stack = error instanceof Error ? error.stack : undefined
  return placesIn(stack ?? '', isOwn).next().value ?? null
}

// Definitions are marked with the place that declares them.

/** Copies of a definition keep it, and checks of its options do not see it. */
const declaredAt = Symbol.for('plinth.declaredAt')

/** Marks a definition with the place that calls `define`. */
export const markPlace = <T extends object>(definition: T, define: (...args: never[]) => unknown): T => ({
  ...definition,
  [declaredAt]: captureSite(define),
})

const siteOf = (definition: object): CallSite => (Reflect.get(definition, declaredAt) ?? {}) as CallSite

/** Returns null for what no `define…` has made. */
export const placeOf = (definition: object): string | null => toPlace(siteOf(definition))

/** The path of the file that declares it; null for what no `define…` has made. */
export const fileOf = (definition: object): string | null =>
  linesIn(siteOf(definition).stack ?? '').next().value?.file ?? null
