// Mistakes in what developers declare: modules, resources, fields, rules, seeds, jobs. The start reports them all together.

import { nearestName } from '../nearest-name.ts'
import { placeOf } from '../source-place.ts'

export interface DefinitionFault {
  readonly seed?: string
  readonly job?: string
  /** Method and path. */
  readonly endpoint?: string
  readonly resource?: string
  readonly field?: string
  readonly module?: string
  readonly message: string
  /** What the fault is in, to find its place in the source; the definition of the resource unless given. */
  readonly definition?: object
}

/** What messages say of a resource beside its name. */
export interface Declaration {
  /** The names of the modules that declare it. */
  readonly modules: string
  readonly definition: object
}

export class DefinitionError extends Error {
  readonly faults: readonly DefinitionFault[]
  /** `declarations`: of the resources, by name, where they are known. */
  constructor(faults: readonly DefinitionFault[], declarations: ReadonlyMap<string, Declaration> = new Map()) {
    const count = faults.length === 1 ? 'an error' : `${faults.length} errors`
    super([`The definitions have ${count}:`, ...faults.map(fault => `  - ${toLine(fault, declarations)}`)].join('\n'))
    this.name = 'DefinitionError'
    this.faults = faults
  }
}

const toLine = (
  { seed, job, endpoint, resource, field, module, message, definition }: DefinitionFault,
  declarations: ReadonlyMap<string, Declaration>,
): string => {
  const declared = resource === undefined ? undefined : declarations.get(resource)
  const place = placeOf(definition ?? declared?.definition ?? {})
  const details = [declared && `module ${declared.modules}`, place].filter(Boolean).join(', ')
  const named = resource
    ? `${resource}${field ? `.${field}` : ''}`
    : (endpoint ?? (job ? `job '${job}'` : module && `module ${module}`))
  const where = named && `${named}${details ? ` (${details})` : ''}`
  return [seed && `seed '${seed}'`, where, message].filter(Boolean).join(': ')
}

/** A hint after a name that is not known: the one that was probably meant. */
export const didYouMean = (known: Iterable<string>, name: string): string => {
  const nearest = nearestName([...known], name)
  return nearest === undefined ? '' : `; did you mean '${nearest}'?`
}
