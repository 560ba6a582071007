// Where a definition stands in the source, for messages about it.

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Copies of a definition keep it, and checks of its options do not see it. */
const declaredAt = Symbol('declaredAt')

interface CallSite {
  readonly stack?: string
}

/** Marks a definition with the place that calls `define`. The stack becomes text only when a message needs it. */
export const markPlace = <T extends object>(definition: T, define: (...args: never[]) => unknown): T => {
  const site: CallSite = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 1
  Error.captureStackTrace(site, define)
  Error.stackTraceLimit = stackTraceLimit
  return { ...definition, [declaredAt]: site }
}

/** As `modules/library/books.ts:12`, from the working directory; null for what no `define…` has made. */
export const placeOf = (definition: object): string | null => {
  const { stack } = (Reflect.get(definition, declaredAt) ?? {}) as CallSite
  const [, file, line] = /(?:\(|at |@)((?:file:\/\/|\/|[A-Za-z]:\\)[^()\n]*?):(\d+):\d+\)?$/m.exec(stack ?? '') ?? []
  if (file === undefined) return null
  const path = file.startsWith('file://') ? fileURLToPath(file) : file
  return `${relative(process.cwd(), path)}:${line}`
}
