// Some credentials are good for less than their user is: they read, or they write too, everywhere or in some resources.

import type { Caller } from './caller.ts'
import type { Operation } from './define.ts'
import type { Resource } from './resource.ts'

export type ReachKind = 'read' | 'write'

/** `read` and `write` for everything, `films:read` and `films:write` for one resource. Writing includes reading. */
export type Reach = ReadonlySet<string>

/** Null stands for what belongs to no resource: only what reaches everything reaches that. */
export const reaches = (reach: Reach, resource: string | null, kind: ReachKind): boolean =>
  (kind === 'read' ? (['read', 'write'] as const) : (['write'] as const)).some(
    known => reach.has(known) || (resource !== null && reach.has(`${resource}:${known}`)),
  )

/** Is the caller there, and not only credentials of limited reach, such as an API key? */
export const isInPerson = ({ reach }: Caller): boolean => reach === undefined

/** Are the caller's credentials good for this, whatever the rules say of their user? */
export const isWithinReach = ({ reach }: Caller, { name, definition }: Resource, operation: Operation): boolean =>
  reach === undefined || (!definition.inPerson && reaches(reach, name, operation === 'read' ? 'read' : 'write'))
