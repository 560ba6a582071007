// Mistakes in what developers declare: modules, resources, fields, rules, seeds. The start reports them all together.

import { nearestName } from '../nearest-name.ts'

export interface DefinitionFault {
  readonly seed?: string
  /** Method and path. */
  readonly endpoint?: string
  readonly resource?: string
  readonly field?: string
  readonly message: string
}

export class DefinitionError extends Error {
  readonly faults: readonly DefinitionFault[]
  /** `moduleOf` gives the module of each resource, where it is known. */
  constructor(faults: readonly DefinitionFault[], moduleOf: ReadonlyMap<string, string> = new Map()) {
    const count = faults.length === 1 ? 'an error' : `${faults.length} errors`
    super([`The definitions have ${count}:`, ...faults.map(fault => `  - ${toLine(fault, moduleOf)}`)].join('\n'))
    this.name = 'DefinitionError'
    this.faults = faults
  }
}

const toLine = (
  { seed, endpoint, resource, field, message }: DefinitionFault,
  moduleOf: ReadonlyMap<string, string>,
): string => {
  const module = resource && moduleOf.get(resource)
  const place = resource && `${resource}${field ? `.${field}` : ''}${module ? ` (module ${module})` : ''}`
  return [seed && `seed '${seed}'`, endpoint, place, message].filter(Boolean).join(': ')
}

/** A hint after a name that is not known: the one that was probably meant. */
export const didYouMean = (known: Iterable<string>, name: string): string => {
  const nearest = nearestName([...known], name)
  return nearest === undefined ? '' : `; did you mean '${nearest}'?`
}
