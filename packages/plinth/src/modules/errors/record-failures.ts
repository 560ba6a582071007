// Failures on their way into the database: gathered in memory, written together, and counted when there are too many.

import { sha256Of } from '../../core/digest.ts'
import { after, type Guard } from '../../core/guarded.ts'
import type { Request } from '../../core/http/exchange.ts'
import { createScrub, type Scrub } from '../../core/log/scrub.ts'
import { anonymous } from '../../core/model/caller.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { errorMessage, Problem } from '../../core/problem.ts'
import { Quota } from '../../core/quota.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { users } from '../people/index.ts'
import { errorLogs, maxCauseLength, maxMessageLength, maxStackLength, systemErrors, userAgentOf } from './errors.ts'

export interface FailureRecorder {
  /** Gives the identifier of the error log at once; the records follow. */
  record(error: unknown, request: Request): string | null
  /** Writes what is left, if it can be written. */
  stop(): Promise<void>
}

/** All that happened of one kind since the last time it was written. */
interface Pending {
  readonly failure: Failure
  readonly first: Date
  last: Date
  count: number
  readonly occurrences: Occurrence[]
}

interface Occurrence {
  readonly at: Date
  readonly message: string
  readonly status: number
  readonly request: Pick<Request, 'method' | 'path' | 'remoteAddress'>
  readonly userAgent: string | null
  readonly callerPk: string | null
}

/** The failures of one kind that are kept one by one in each minute; the others are counted. */
const keptPerMinute = 20
/** Occurrences of one kind that wait while the database cannot take them. */
const maxWaiting = 100
/** Kinds of failures that wait at the same time; beyond, only the log has them. */
const maxKinds = 200
const roundMs = 500
const maxWaitMs = 60_000

interface RecorderOptions {
  readonly log: Guard['log'] & { warn(fields: object, message: string): void }
  /** The secrets that are struck out of what is kept. */
  readonly secrets: readonly string[]
}

export const createFailureRecorder = (platform: Platform, { log, secrets }: RecorderOptions): FailureRecorder => {
  if (!platform.registry.has('systemErrors')) return { record: () => null, stop: async () => {} }
  const kept = new Quota(keptPerMinute, platform.clock)
  const scrub = createScrub(secrets)
  let pending = new Map<string, Pending>()
  let timer: NodeJS.Timeout | null = null
  let waitMs = roundMs
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    timer = null
    const round = pending
    pending = new Map()
    try {
      await platform.records.transaction(records => writeAll(records, round))
      waitMs = roundMs
    } catch (error) {
      // A failing database must not be made worse, and its failures are not failures to be recorded in it.
      for (const one of round.values()) putBack(pending, one)
      waitMs = Math.min(waitMs * 2, maxWaitMs)
      log.warn({ err: error, kinds: round.size, nextTryMs: waitMs }, 'failures could not be recorded')
    }
  }
  const schedule = (): void => {
    timer ??= after(waitMs, { name: 'the recording of failures', log }, () => {
      writing = write().then(() => (pending.size > 0 ? schedule() : undefined))
      return writing
    })
  }

  return {
    record: (error, request) => {
      const failure = withoutSecrets(toFailure(error), scrub)
      const known = pending.get(failure.id)
      if (!known && pending.size >= maxKinds) return failure.id
      const now = platform.clock()
      const one = known ?? { failure, first: now, last: now, count: 0, occurrences: [] }
      pending.set(failure.id, one)
      one.count += 1
      one.last = now
      if (kept.take(failure.id, 1).waitMs === 0) one.occurrences.push(toOccurrence(error, request, { at: now, scrub }))
      schedule()
      return failure.id
    },
    stop: async () => {
      if (timer) clearTimeout(timer)
      await writing
      if (timer) clearTimeout(timer)
      if (pending.size > 0) await write()
      if (timer) clearTimeout(timer)
    },
  }
}

/** Messages of drivers and libraries may repeat what they were configured with. */
const withoutSecrets = ({ id, rootCauseMessage, stacktrace }: Failure, scrub: Scrub): Failure => ({
  id,
  rootCauseMessage: scrub(rootCauseMessage),
  stacktrace: scrub(stacktrace),
})

const toOccurrence = (error: unknown, request: Request, { at, scrub }: { at: Date; scrub: Scrub }): Occurrence => ({
  at,
  message: scrub(errorMessage(error)),
  status: error instanceof Problem ? error.status : 500,
  // Not the request itself: it holds credentials and a body.
  request: { method: request.method, path: request.path, remoteAddress: request.remoteAddress },
  userAgent: request.headers['user-agent'] ?? null,
  callerPk: request.callerPk ?? null,
})

const putBack = (pending: Map<string, Pending>, earlier: Pending): void => {
  const later = pending.get(earlier.failure.id)
  if (!later && pending.size >= maxKinds) return
  const occurrences = [...earlier.occurrences, ...(later?.occurrences ?? [])].slice(-maxWaiting)
  const count = earlier.count + (later?.count ?? 0)
  pending.set(earlier.failure.id, { ...earlier, last: later?.last ?? earlier.last, count, occurrences })
}

const writeAll = async (records: TransactionRecords, round: ReadonlyMap<string, Pending>): Promise<void> => {
  // In one order everywhere, so that instances that record the same failures do not wait for each other in a circle.
  for (const one of [...round.values()].sort((left, right) => (left.failure.id < right.failure.id ? -1 : 1))) {
    await writeLog(records, one)
    for (const occurrence of one.occurrences) await writeOccurrence(records, one.failure, occurrence)
  }
}

const fitted = (text: string, max: number): string => text.toWellFormed().replaceAll('\0', '').slice(0, max)

const writeLog = async (records: TransactionRecords, { failure, first, last, count }: Pending): Promise<void> => {
  const lastOccurred = last.toISOString()
  const isNew = await records.acting({ now: first }).ensure(errorLogs, {
    pk: failure.id,
    rootCauseMessage: fitted(failure.rootCauseMessage, maxCauseLength),
    stacktrace: fitted(failure.stacktrace, maxStackLength),
    firstOccurred: first.toISOString(),
    lastOccurred,
    errorCount: count,
  })
  if (isNew) return
  const known = await records.lock(errorLogs, failure.id)
  const errorCount = (known?.errorCount ?? 0) + count
  await records.acting({ now: last }).update(errorLogs, failure.id, { errorCount, lastOccurred })
}

const writeOccurrence = async (
  records: TransactionRecords,
  failure: Failure,
  occurrence: Occurrence,
): Promise<void> => {
  const { at, message, status, request, userAgent, callerPk } = occurrence
  const user = callerPk === null ? null : await records.first(users, { where: { pk: callerPk } })
  const asTheyWere = records.acting({ caller: { ...anonymous, pk: user?.pk ?? null }, now: at })
  await asTheyWere.create(systemErrors, {
    message: fitted(message, maxMessageLength) || 'unknown',
    requestMethod: request.method,
    requestUrl: fitted(request.path, 2000),
    httpStatusCode: status,
    errorLog: failure.id,
    remoteAddress: request.remoteAddress,
    userAgent: await userAgentOf(asTheyWere, userAgent),
  })
}

// What a failure is known by, whatever line it happened on this time.

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
    .flatMap(cause => stackOf(cause).split('\n').filter(isOwnFrame).slice(0, framesKept))
    .map(toPlace)
  const known = frames.length > 0 ? frames : causes.map(nameOf)
  return {
    id: sha256Of(known.join('\n')),
    rootCauseMessage: messageOf(causes.at(-1)),
    stacktrace,
  }
}

/** The runtime keeps ten frames of a stack, a few of its own among them: so many of the others are always there. */
const framesKept = 6

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
  error instanceof Error ? `${error.name}: ${error.message}` : errorMessage(error)

/** Frames of the runtime itself come and go with what happened to be awaited. */
const isOwnFrame = (line: string): boolean => /^\s+at /.test(line) && !/[( ]node:/.test(line)

const toPlace = (frame: string): string =>
  frame
    .trim()
    .replace(/^at async /, 'at ')
    .replace(/:\d{1,9}:\d{1,9}(?=\)?$)/, '')
