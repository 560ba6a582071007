// The fields of resources that are state machines.

import { keepFields } from './keep-fields.ts'
import type { ResourceField } from './resource.ts'
import type { StateMachine } from './state-machine.ts'

export type StateField = ResourceField & { readonly machine: StateMachine }

export const machineOf = ({ definition }: ResourceField): StateMachine | undefined =>
  definition.role === 'value' ? definition.type.machine : undefined

/** The fields of a resource that are state machines. */
export const stateFields = keepFields((field): StateField | null => {
  const machine = machineOf(field)
  return machine ? { ...field, machine } : null
})
