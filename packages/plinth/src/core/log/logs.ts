// The log: structured lines from named loggers, each with a level that can be changed while the service runs.

import { isatty } from 'node:tty'
import { type LoggerOptions, type Logger as PinoLogger, pino } from 'pino'
import type { Logger } from './logger.ts'
import { createScrub } from './scrub.ts'
import { toTerminalLine } from './terminal-line.ts'

export const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type Level = (typeof levels)[number]

/** The target of lines: standard output or error, or an object that takes text. */
export type LogSink = 'stdout' | 'stderr' | { write(line: string): void }

export interface LogOptions {
  readonly level: Level
  /** Loggers whose level differs. */
  readonly levels: Readonly<Record<string, Level>>
  /** The secrets, struck out wherever they would appear. */
  readonly secrets: readonly string[]
  readonly sink: LogSink
}

export interface LoggerLevel {
  readonly name: string
  /** Is null when the logger follows the root. */
  readonly configured: Level | null
  readonly effective: Level
}

export interface Logs {
  /** The logger of this name; the first use makes it. */
  named(name: string): Logger
  /** The root, named `ROOT`, and every logger that was made or given a level. */
  list(): readonly LoggerLevel[]
  /** Sets the level of a logger; null follows the root again. Returns false when there is no such logger. */
  setLevel(name: string, level: Level | null): boolean
  flush(): Promise<void>
}

export const rootName = 'ROOT'

export const createLogs = ({ level, levels: overrides, secrets, sink }: LogOptions): Logs => {
  const destination = openSink(sink)
  const scrub = createScrub(secrets)
  const print = destination.isTerminal ? toTerminalLine : (line: string) => line
  const root = pino(loggerOptions, { write: (line: string) => destination.write(print(scrub(line))) })
  const configured = new Map<string, Level>([[rootName, level], ...Object.entries(overrides)])
  const made = new Map<string, PinoLogger>()
  const rootLevel = () => configured.get(rootName) ?? level
  const effectiveOf = (name: string) => configured.get(name) ?? rootLevel()
  const named = (name: string): PinoLogger => {
    const known = made.get(name)
    if (known) return known
    const logger = root.child({ logger: name }, { level: effectiveOf(name) })
    made.set(name, logger)
    return logger
  }
  const names = () => [...new Set([rootName, ...[...configured.keys(), ...made.keys()].sort()])]
  return {
    named,
    list: () => names().map(name => ({ name, configured: configured.get(name) ?? null, effective: effectiveOf(name) })),
    setLevel: (name, newLevel) => {
      if (!names().includes(name)) return false
      // The root has no parent: it goes back to its first level.
      if (newLevel !== null) configured.set(name, newLevel)
      else if (name === rootName) configured.set(name, level)
      else configured.delete(name)
      for (const [one, logger] of made) logger.level = effectiveOf(one)
      return true
    },
    flush: destination.flush,
  }
}

interface Destination {
  readonly isTerminal: boolean
  write(line: string): void
  flush(): Promise<void>
}

/**
 * Opens a sink that is written in the background: a slow reader of the log must not hold up requests. What is left is
 * written at the end.
 */
const openSink = (sink: LogSink): Destination => {
  if (typeof sink === 'object') return { isTerminal: false, write: line => sink.write(line), flush: async () => {} }
  const fd = sink === 'stdout' ? 1 : 2
  const stream = pino.destination({ dest: fd, sync: false })
  return {
    isTerminal: isatty(fd),
    write: line => void stream.write(line),
    flush: () => new Promise(resolve => stream.flush(() => resolve())),
  }
}

/**
 * Only what helps to find the fault. Errors of drivers and libraries carry more in fields of their own, such as the values of
 * a statement or the headers of a request.
 */
const describeError = (error: unknown): unknown => describe(error, !isOutage(error))

/** A Problem `unavailable`: it has nothing to do with the place in the code that met it, so its stack says nothing. */
const isOutage = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'unavailable'

const describe = (error: unknown, withStack: boolean): unknown => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    ...(withStack && { stack: error.stack }),
    ...(typeof code === 'string' && { code }),
    ...(error.cause !== undefined && { cause: describe(error.cause, withStack) }),
  }
}

const loggerOptions: LoggerOptions = {
  // Each child has its own.
  level: 'trace',
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: label => ({ level: label }) },
  serializers: { err: describeError },
}
