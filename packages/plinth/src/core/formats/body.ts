// What the readers of bodies share.

import { fault } from '../fault.ts'
import { Problem } from '../problem.ts'

export type BodyObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is BodyObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns what the caller sent under the name, never what objects inherit. */
export const own = (object: BodyObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Fields to be filled in: without a prototype even `__proto__` is a name like any other. */
export const emptyFields = (): Record<string, unknown> => Object.create(null)

/** The body cannot be understood at one place. */
export const unreadable = (pointer: string, reason: string): Problem =>
  new Problem('bad_request', {
    detail: `The body ${reason}.`,
    errors: [{ pointer, ...fault('structure', { message: reason }) }],
  })

/** An identifier; null counts as absent, since forms send empty ones for new records. */
export const readIdentifierText = (object: BodyObject, name: string, pointer: string): string | undefined => {
  const value = own(object, name) ?? undefined
  if (value !== undefined && typeof value !== 'string') throw unreadable(pointer, `must give \`${name}\` as text`)
  return value
}
