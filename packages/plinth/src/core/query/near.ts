// `near`: the vector that records are to be near to.

import { type FaultReason, fault } from '../fault.ts'
import type { RecordsNear } from '../model/near.ts'
import type { ResourceField } from '../model/resource.ts'
import { ValueFault } from '../model/value-fault.ts'
import { vectorTypeOf } from '../model/vector-fields.ts'
import type { Vector } from '../model/vectors.ts'
import type { View } from '../model/view.ts'
import { type Parameters, single } from './parameters.ts'
import { badValue, excerpt, note } from './query-faults.ts'
import type { QueryScope } from './scope.ts'

export const nearParameter = 'near'
const namedShape = /^near\[(.*)\]$/s

const vectorFieldsIn = ({ fields }: View): readonly ResourceField[] =>
  [...fields.values()].filter(field => vectorTypeOf(field))

/** Is it about vectors, among those that the caller may read? For others it is the name of a field like any other. */
export const isNearParameter = (name: string, view: View): boolean =>
  (name === nearParameter || namedShape.test(name)) && vectorFieldsIn(view).length > 0

/** Reads the parameter; null where the records are to be near nothing. */
export const readNear = (parameters: Parameters, view: View, { faults }: QueryScope): RecordsNear | null => {
  const [parameter, second] = [...parameters.keys()].filter(name => isNearParameter(name, view))
  if (parameter === undefined) return null
  if (second !== undefined) note(faults, { parameter: second, ...fault('contradiction', { first: parameter, second }) })
  for (const other of [...others, ...(parameters.get('page') ? ['page'] : [])])
    if (parameters.has(other))
      note(faults, { parameter: other, ...fault('contradiction', { first: parameter, second: other }) })
  const sent = single(parameters, parameter, faults)
  // An empty field of a form is no search.
  if (!sent?.trim()) return null
  const refuse = (reason: FaultReason): null => {
    note(faults, { parameter, ...badValue(sent, reason, `'${excerpt(parameter)}' ${reason.message}.`) })
    return null
  }
  const field = fieldFor(parameter, view)
  if (!field) return refuse(fault('which_vector', { known: namesOf(view) }))
  try {
    return toNear(field, vectorIn(sent))
  } catch (error) {
    const [reason] = error instanceof ValueFault ? error.faults : []
    if (!reason) throw error
    return refuse(reason)
  }
}

/** The nearest records come first, and those of the past and of the trash have no order of their own. */
const others = ['trash', 'asOf', 'pks', 'pks[]', 'sort']

/** Near a vector that comes from a caller or from code; ValueFault where it is none of the field. */
export const toNear = (field: ResourceField, vector: unknown): RecordsNear => {
  const type = vectorTypeOf(field)
  if (!type) throw new Error(`${field.owner.name}.${field.name} has no vectors`)
  return { kind: 'near', field, vector: type.read(vector) as Vector }
}

const namesOf = (view: View): string =>
  vectorFieldsIn(view)
    .map(({ name }) => `near[${name}]`)
    .join(', ')

/** The field in brackets, or the only one. */
const fieldFor = (parameter: string, view: View): ResourceField | undefined => {
  const [first, ...more] = vectorFieldsIn(view)
  const name = namedShape.exec(parameter)?.[1]
  if (name === undefined) return more.length === 0 ? first : undefined
  return [first, ...more].find(field => field?.name === name)
}

/** `[0.1,0.2]`, or the same numbers of 32 bits in Base64, beginning with the lowest byte: a third as long. */
const vectorIn = (text: string): unknown => {
  if (text.trimStart().startsWith('[')) {
    try {
      return JSON.parse(text)
    } catch {
      return null
    }
  }
  const bytes = Buffer.from(text, 'base64')
  if (!/^[\w+/-]+={0,2}$/.test(text) || bytes.length % 4 !== 0) return null
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at))
}
