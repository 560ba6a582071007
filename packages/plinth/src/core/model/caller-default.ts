// Defaults that come from the caller, such as `default: 'caller.pk'` of a reference to users, and `default: 'caller.user.shop'`.

import type { Caller } from './caller.ts'
import { didYouMean } from './definition-error.ts'
import type { Field } from './field.ts'

const paths = {
  'caller.pk': ({ pk }: Caller) => pk,
  'caller.username': ({ username }: Caller) => username,
} as const

const ofUser = 'caller.user.'

/** A path through the user record of the caller; `caller-default-paths.ts` says where it leads. */
type UserPath = `${typeof ofUser}${string}`

export type CallerPath = keyof typeof paths | UserPath

const isUserPath = (text: string): text is UserPath => text.startsWith(ofUser)

const isPath = (text: unknown): text is CallerPath =>
  typeof text === 'string' && (Object.hasOwn(paths, text) || isUserPath(text))

/** The names after `caller.user`; null for other paths. */
export const namesOfUserPath = (path: CallerPath): readonly string[] | null =>
  isUserPath(path) ? path.slice(ofUser.length).split('.') : null

const valueAt = (path: CallerPath, caller: Caller): unknown =>
  isUserPath(path) ? (caller.attributes?.get(path.slice(ofUser.length)) ?? null) : paths[path](caller)

const isText = (field: Field): boolean => field.role === 'value' && field.type.column === 'text'

/** Returns the path in the default of a field; null for a default that does not depend on the caller. */
export const callerPathOf = (field: Field): CallerPath | null => {
  const { default: usual } = field.options
  return (field.role === 'one' || isText(field)) && isPath(usual) ? usual : null
}

/** The default of a field in a new record of this caller; null if there is none. */
export const defaultOf = (field: Field, caller: Caller): unknown => {
  const { default: usual } = field.options
  const path = typeof usual === 'string' ? callerPathOf(field) : null
  if (path) return valueAt(path, caller)
  return usual === undefined ? null : typeof usual === 'function' ? usual() : usual
}

/** What is wrong with a default that names something of the caller. */
export const callerDefaultFaults = (field: Field): readonly string[] => {
  const { default: usual } = field.options
  if (typeof usual !== 'string' || !usual.startsWith('caller.')) return []
  if (field.role === 'one') {
    if (!isPath(usual)) return [`default '${usual}' is nothing of the caller${didYouMean(Object.keys(paths), usual)}`]
    if (isUserPath(usual)) return []
    if (usual !== 'caller.pk') return [`default '${usual}' is no pk; use 'caller.pk'`]
    return field.target === 'users' ? [] : [`default 'caller.pk' is a user, and the field refers to '${field.target}'`]
  }
  // Any other text is a default like others.
  const hint = isText(field) && !isPath(usual) ? didYouMean(Object.keys(paths), usual) : ''
  return hint ? [`default '${usual}' is nothing of the caller${hint}`] : []
}
