// What a failure is known by, whatever line it happened on this time.

import { createHash } from 'node:crypto'

export interface Failure {
  /** SHA-256 of the stack frames without line numbers: one fault has one log over many small releases. */
  readonly id: string
  readonly rootCauseMessage: string
  readonly stacktrace: string
}

export const toFailure = (error: unknown): Failure => {
  const causes = causesOf(error)
  const stacktrace = causes.map(stackOf).join('\nCaused by: ')
  const frames = causes
    .flatMap(cause => stackOf(cause).split('\n').filter(isOwnFrame).slice(0, tellingFrames))
    .map(toPlace)
  const known = frames.length > 0 ? frames : causes.map(nameOf)
  return {
    id: createHash('sha256').update(known.join('\n')).digest('hex'),
    rootCauseMessage: messageOf(causes.at(-1)),
    stacktrace,
  }
}

/** The runtime keeps ten frames of a stack, a few of its own among them: so many of the others are always there. */
const tellingFrames = 6

/** A chain of causes may be a circle. */
const maxCauses = 10

const causesOf = (error: unknown): readonly unknown[] => {
  const causes = [error]
  for (let at = error; at instanceof Error && at.cause !== undefined && causes.length < maxCauses; at = at.cause)
    causes.push(at.cause)
  return causes
}

const stackOf = (error: unknown): string => (error instanceof Error && error.stack ? error.stack : messageOf(error))

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

/** Frames of the runtime itself come and go with what happened to be awaited. */
const isOwnFrame = (line: string): boolean => /^\s+at /.test(line) && !/[( ]node:/.test(line)

const toPlace = (frame: string): string =>
  frame
    .trim()
    .replace(/^at async /, 'at ')
    .replace(/:\d+:\d+(?=\)?$)/, '')
