// Faults of the counter's bodies, collected so that all are told at once.

import { type Fault, Problem } from '../../core/problem.ts'
import { longestRental } from './pricing.ts'

export type Note = (pointer: string, message: string, code?: string) => void

/** Runs the reader; whatever it notes is refused together. */
export const readWhole = <T>(read: (note: Note) => T): T => {
  const errors: Fault[] = []
  const value = read((pointer, message, code = 'type') =>
    errors.push({ pointer, member: pointer.slice(pointer.lastIndexOf('/') + 1), message, code }),
  )
  if (errors.length === 0) return value
  const [first] = errors
  const detail = errors.length === 1 ? `${first?.member} ${first?.message}.` : `${errors.length} members are at fault.`
  throw new Problem('invalid', { detail, errors })
}

export const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

export const readObject = (json: unknown): Record<string, unknown> => {
  if (isObject(json)) return json
  throw new Problem('bad_request', 'The body must be an object.')
}

/** A pk, or an object that carries one; null when neither. */
export const readPk = (sent: unknown): string | null => {
  const pk = isObject(sent) ? (sent.pk ?? sent.id) : sent
  return typeof pk === 'string' && pk !== '' && pk.length <= 255 && pk.isWellFormed() && !pk.includes('\0') ? pk : null
}

export const readReason = (body: Record<string, unknown>, note: Note): string => {
  const { reason } = body
  if (typeof reason !== 'string' || reason.trim() === '') note('/reason', 'is required', 'required')
  else if (reason.length > 500 || !reason.isWellFormed() || reason.includes('\0'))
    note('/reason', 'must have at most 500 characters', 'max')
  return String(reason)
}

/** Days to rent for: at least one, one when nothing is said. Gives what is wrong as text. */
export const readDays = (sent: unknown): number | string => {
  if (sent === undefined || sent === null) return 1
  if (typeof sent !== 'number' || !Number.isInteger(sent)) return 'must be a whole number'
  if (sent > longestRental) return `must be at most ${longestRental}`
  return Math.max(1, sent)
}

export const badParameter = (parameter: string, message: string): Problem =>
  new Problem('bad_parameter', {
    detail: `${parameter} ${message}.`,
    errors: [{ parameter, message, code: 'invalid' }],
  })
