// What readers of values throw.

import type { FaultReason } from '../fault.ts'
import type { Fault } from '../problem.ts'

/** A fault of a value, or of a part of it. */
interface PartFault extends FaultReason {
  /** JSON Pointer from the value to the part; empty for the value itself. */
  readonly path?: string
}

/**
 * The error of readers when the value breaks the rules of its type. The caller adds where it stood.
 *
 * @example throw new ValueFault({ ...fault('required'), path: '/street' })
 */
export class ValueFault extends Error {
  readonly faults: readonly PartFault[]

  constructor(...faults: readonly PartFault[]) {
    super(faults.map(({ path = '', message }) => `${path.slice(1)} ${message}`.trimStart()).join('; '))
    this.name = 'ValueFault'
    this.faults = faults
  }

  /** The faults of a value that stood at this place in the body. */
  at(pointer: string, field: string): Fault[] {
    return this.faults.map(({ path = '', ...reason }) => ({ pointer: pointer + path, member: field, ...reason }))
  }
}
