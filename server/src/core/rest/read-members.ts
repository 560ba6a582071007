// The body of an action that is no record: its members by the same types as those of records, every fault named at once.

import { fault } from '../fault.ts'
import { ValueFault, type ValueField } from '../model/field.ts'
import { type Fault, Problem } from '../problem.ts'
import type { Body } from './body.ts'

type Fields = Readonly<Record<string, ValueField>>
export type Members<F extends Fields> = { readonly [K in keyof F]: F[K] extends ValueField<infer T> ? T : never }

/**
 * What is not named is ignored; null counts as absent. `further` finds what is wrong beyond the types, in those members
 * that could be read.
 */
export const readMembers = <const F extends Fields>(
  { json }: Body,
  fields: F,
  further: (readable: Partial<Members<F>>) => readonly Fault[] = () => [],
): Members<F> => {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Problem('bad_request', 'The body must be an object.')
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined
    try {
      values[name] = readMember(sent, field)
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      faults.push(...error.at(`/${name}`, name))
    }
  }
  faults.push(...further(values as Partial<Members<F>>))
  if (faults.length > 0) throw invalid(faults)
  return values as Members<F>
}

const readMember = (sent: unknown, { type, options }: ValueField): unknown => {
  if (sent !== undefined && (sent !== null || type.nullIsValue)) return type.read(sent)
  if (options.required) throw new ValueFault(fault('required'))
  return options.default ?? null
}

export const invalid = (faults: readonly Fault[]): Problem => {
  const [first] = faults
  const detail = faults.length === 1 ? `${first?.member} ${first?.message}.` : `${faults.length} members are at fault.`
  return new Problem('invalid', { detail, errors: faults })
}
