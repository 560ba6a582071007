// The log: structured lines from named loggers, each with a level that can be changed while the service runs.

import { isatty } from 'node:tty'
import { type Logger, type LoggerOptions, pino } from 'pino'

export const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type Level = (typeof levels)[number]

/** Where lines go: standard output or error, or whatever takes text. */
export type LogSink = 'stdout' | 'stderr' | { write(line: string): void }

export interface LogOptions {
  readonly level: Level
  /** Loggers whose level differs. */
  readonly levels: Readonly<Record<string, Level>>
  /** Struck out wherever they would appear. */
  readonly secrets: readonly string[]
  readonly sink: LogSink
}

export interface LoggerLevel {
  readonly name: string
  /** Null when the logger follows the root. */
  readonly configured: Level | null
  readonly effective: Level
}

export interface Logs {
  /** The logger of this name; the first use makes it. */
  named(name: string): Logger
  /** The root, named `ROOT`, and every logger that was made or given a level. */
  list(): readonly LoggerLevel[]
  /** From now on; null follows the root again. False when there is no such logger. */
  setLevel(name: string, level: Level | null): boolean
  flush(): Promise<void>
}

export const rootName = 'ROOT'

export const createLogs = ({ level, levels: given, secrets, sink }: LogOptions): Logs => {
  const destination = openSink(sink)
  const scrub = createScrub(secrets)
  const print = destination.isTerminal ? toTerminalLine : (line: string) => line
  const root = pino(loggerOptions, { write: (line: string) => destination.write(print(scrub(line))) })
  const configured = new Map<string, Level>([[rootName, level], ...Object.entries(given)])
  const made = new Map<string, Logger>()
  const rootLevel = () => configured.get(rootName) ?? level
  const effectiveOf = (name: string) => configured.get(name) ?? rootLevel()
  const named = (name: string): Logger => {
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
    setLevel: (name, wanted) => {
      if (!names().includes(name)) return false
      // The root has no parent: it goes back to its first level.
      if (wanted !== null) configured.set(name, wanted)
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

/** Written in the background: a slow reader of the log must not hold up requests. What is left is written at the end. */
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
 * Only what helps to find the fault. Errors of drivers and libraries carry more in members of their own, such as the values of
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

// Lines of the log for a person at a terminal; programs get the JSON as it is.

const colours: Readonly<Record<string, number>> = { fatal: 31, error: 31, warn: 33, info: 32, debug: 36, trace: 90 }

const paint = (colour: number, text: string): string => `\u001b[${colour}m${text}\u001b[0m`

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** One JSON line as `12:00:00.000 INFO  http  message  name=value`, with the stack of an error below it. */
export const toTerminalLine = (line: string): string => {
  const { time, level, logger, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>
  const name = String(level)
  const rest = Object.entries(fields).map(([key, value]) => paint(90, `${key}=`) + shown(value))
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? `\n${String(err.stack)}` : ''
  const head = [
    paint(90, String(time).slice(11, 23)),
    paint(colours[name] ?? 0, name.toUpperCase().padEnd(5)),
    paint(90, String(logger).padEnd(8)),
    String(msg ?? ''),
  ]
  return `${[...head, ...rest].join(' ')}${stack}\n`
}

// Secret texts, struck out wherever they appear: in lines of the log, in answers of the management endpoints, in dumps.

export const struck = '******'

/** What is shorter is not treated as a secret: striking it out would make a text unreadable. */
const shortest = 4

/** A secret as it may stand in a text: as it is, inside JSON, inside an address, in HTTP Basic credentials. */
const spellings = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]

/** Every spelling, longest first, so that none is left behind as the rest of another. */
export const spellingsOf = (secrets: readonly string[]): readonly string[] =>
  [...new Set(secrets.filter(secret => secret.length >= shortest).flatMap(spellings))].sort(
    (left, right) => right.length - left.length,
  )

export type Scrub = (text: string) => string

export const createScrub = (secrets: readonly string[]): Scrub => {
  const known = spellingsOf(secrets)
  return text => {
    let clean = text
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, struck)
    return clean
  }
}
