// A field that a resource or a shape does not have, with the name that was probably meant.

import { type FaultReason, fault } from '../fault.ts'
import { nearestName } from '../nearest-name.ts'

export const unknownField = (name: string, known: readonly string[]): FaultReason => {
  const nearest = nearestName(known, name)
  return nearest === undefined ? fault('unknown_field') : fault('misspelt_field', { nearest })
}
