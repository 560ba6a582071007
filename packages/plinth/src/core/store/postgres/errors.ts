// What errors of PostgreSQL and of its client mean: a connection that is lost, a database that cannot answer now, a value that
// cannot be stored, or a mistake of ours.

import { errorCode, Problem } from '../../problem.ts'

/**
 * Connection classes of SQLSTATE (08, 53, 57P), those of the client, and those of the network; a transaction that was ended
 * for its length (25P03, 25P04). A session that is read-only (25006) is given up as well: after a failover the next one may
 * find the new primary server.
 */
const lost =
  /^(08...|53...|57P0.|25006|25P0[34]|CONNECTION_.*|CONNECT_TIMEOUT|ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/

export const isLost = (error: unknown): boolean => lost.test(errorCode(error))

export const isReadOnly = (error: unknown): boolean => errorCode(error) === '25006'

/** Says whether a statement was cancelled, by `statement_timeout` or on demand. */
export const isCancelled = (error: unknown): boolean => errorCode(error) === '57014'

/** The connection is sound: a statement that was cancelled, a lock not got in time, a failing disk. */
const isRefused = (error: unknown): boolean => isCancelled(error) || /^(55P03|58...)$/.test(errorCode(error))

/** Class 22 of SQLSTATE: a value that PostgreSQL has no form for, such as text with NUL or a day in the year 0. */
const isUnstorable = (error: unknown): boolean => errorCode(error).length === 5 && errorCode(error).startsWith('22')

/**
 * Of the server, and neither a violated constraint (class 23) nor a rollback (class 40): of a statement that should never
 * fail. Its stack ends in the client; one that is made here leads to the caller.
 */
const isMistake = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && !/^(23|40)/.test(errorCode(error))

export const toProblem = (error: unknown): unknown => {
  if (isLost(error) || isRefused(error)) return unavailable(error)
  if (isUnstorable(error)) return new Problem('bad_request', { detail: 'A value cannot be stored.', cause: error })
  return isMistake(error) ? new Error(error.message, { cause: error }) : error
}

export const lostInTransaction = (): Error =>
  Object.assign(new Error('the connection was lost during the transaction'), { code: 'CONNECTION_CLOSED' })

export const frozen = (): Problem => unavailable(new Error('the server keeps its connections open and does not answer'))

const unavailable = (cause: unknown): Problem =>
  new Problem('unavailable', { detail: 'The database is not responding.', cause })
