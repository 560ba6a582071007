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

export const violationOf = (error: unknown): Violation | null => {
  if (!(error instanceof Error)) return null
  return 'severity' in error ? postgresViolation(error as PostgresFields) : sqliteViolation(error.message)
}

interface PostgresFields {
  readonly code?: string
  readonly detail?: string
  readonly column_name?: string
  readonly table_name?: string
}

const postgresKinds: Readonly<Record<string, Violation['kind']>> = {
  '23505': 'unique',
  '23503': 'reference',
  '23001': 'reference',
  '23502': 'required',
}

const postgresViolation = ({ code = '', detail = '', column_name, table_name }: PostgresFields): Violation | null => {
  const kind = postgresKinds[code]
  if (!kind) return null
  // The words around the columns depend on the server's language; their form, `(a, "b")=(…)`, does not.
  const listed = /\(([^()]*)\)=\(/.exec(detail)?.[1]?.split(', ') ?? []
  const columns = column_name ? [column_name] : listed.map(name => name.replace(/^"(.*)"$/, '$1'))
  return { kind, columns, table: table_name ?? null }
}

const sqliteViolation = (message: string): Violation | null => {
  if (message.startsWith('FOREIGN KEY constraint failed')) return { kind: 'reference', columns: [], table: null }
  const [, kind, listed] = /^(UNIQUE|NOT NULL) constraint failed: (.*)$/.exec(message) ?? []
  if (!kind || !listed) return null
  const columns = listed.split(', ').map(column => column.slice(column.indexOf('.') + 1))
  return { kind: kind === 'UNIQUE' ? 'unique' : 'required', columns, table: null }
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
