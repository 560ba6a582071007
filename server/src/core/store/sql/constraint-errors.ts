// What a constraint of the database refused, as problems that name the members.

import { type FaultReason, fault } from '../../fault.ts'
import type { Resource } from '../../model/resource.ts'
import { type Fault, Problem } from '../../problem.ts'
import { foldedColumnOf, isFolded } from './names.ts'

export interface Violation {
  readonly kind: 'unique' | 'reference' | 'required'
  /** Empty when the database does not tell. */
  readonly columns: readonly string[]
  /** The table that refers, for references; null when the database does not tell. */
  readonly table: string | null
}

/** The members that the columns belong to; a companion column stands for its member. */
export const membersOf = (resource: Resource, columns: readonly string[]): string[] => {
  const folded = new Map([...resource.members.values()].filter(isFolded).map(one => [foldedColumnOf(one), one.name]))
  return columns.map(column => folded.get(column) ?? column).filter(name => resource.members.has(name))
}

const faultsOf = (members: readonly string[], reason: FaultReason): Fault[] =>
  members.map(member => ({ pointer: `/${member}`, member, ...reason }))

export const taken = (members: readonly string[], cause: unknown): Problem =>
  new Problem('taken', {
    detail: members.length > 0 ? `Another record has this ${members.join(' and ')}.` : 'Another record has this value.',
    errors: faultsOf(members, fault('taken')),
    cause,
  })

export const absent = (members: readonly string[], cause: unknown): Problem =>
  new Problem('invalid', { errors: faultsOf(members, fault('required')), cause })

export interface Missing {
  readonly member: string
  readonly target: string
}

export const missingTargets = (missing: readonly Missing[], cause: unknown): Problem =>
  new Problem('unprocessable', {
    detail: 'A record that is referred to does not exist.',
    errors: missing.flatMap(({ member, target }) => faultsOf([member], fault('missing', { resource: target }))),
    cause,
  })

export const referenced = (by: string | null, cause: unknown): Problem =>
  new Problem('referenced', {
    detail: by ? `Records of ${by} still refer to this one.` : 'Other records still refer to this one.',
    cause,
  })
