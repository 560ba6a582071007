// The fields of resources that are state machines.

import type { Resource, ResourceField } from './resource.ts'
import type { StateMachine } from './state-machine.ts'

export type StateField = ResourceField & { readonly machine: StateMachine }

const known = new WeakMap<Resource, readonly StateField[]>()

/** The fields of a resource that are state machines. */
export const stateFields = (resource: Resource): readonly StateField[] => {
  let fields = known.get(resource)
  if (!fields) {
    fields = [...resource.fields.values()].flatMap(field => {
      const machine = machineOf(field)
      return machine ? [{ ...field, machine }] : []
    })
    known.set(resource, fields)
  }
  return fields
}

export const machineOf = ({ definition }: ResourceField): StateMachine | undefined =>
  definition.role === 'value' ? definition.type.machine : undefined
