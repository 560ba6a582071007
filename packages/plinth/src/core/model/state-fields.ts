// The fields of resources that are state machines.

import type { Resource, ResourceField } from './resource.ts'
import type { StateMachine } from './state-machine.ts'

export type StateField = ResourceField & { readonly machine: StateMachine }

/** Keeps the fields of each resource that `toField` gives something for: they are looked for once. */
export const keepFields = <F>(toField: (field: ResourceField) => F | null): ((resource: Resource) => readonly F[]) => {
  const known = new WeakMap<Resource, readonly F[]>()
  return resource => {
    const kept = known.get(resource) ?? [...resource.fields.values()].flatMap(field => toField(field) ?? [])
    known.set(resource, kept)
    return kept
  }
}

export const machineOf = ({ definition }: ResourceField): StateMachine | undefined =>
  definition.role === 'value' ? definition.type.machine : undefined

/** The fields of a resource that are state machines. */
export const stateFields = keepFields((field): StateField | null => {
  const machine = machineOf(field)
  return machine ? { ...field, machine } : null
})
