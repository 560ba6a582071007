// Which hooks were defined and never attached to a resource: they would never run, and nothing else would tell.

import { placeOf } from '../source-place.ts'
import type { ResourceModel } from './definition.ts'
import type { Hooks } from './hooks.ts'

/** Weakly: hooks of services that have ended are forgotten with them. */
let defined: readonly WeakRef<Hooks>[] = []
const definitions = new WeakMap<Hooks, ResourceModel>()
/** By their functions: hooks can be spread and joined. */
const attached = new WeakSet<object>()

const functionsOf = ({ before, after, restored }: Hooks): readonly object[] =>
  [before, after, restored].filter(one => one !== undefined)

export const noteHooks = (definition: ResourceModel, hooks: Hooks): void => {
  definitions.set(hooks, definition)
  defined = [...defined, new WeakRef(hooks)]
}

export const noteAttached = (hooks: Hooks | undefined): void => {
  for (const one of hooks ? functionsOf(hooks) : []) attached.add(one)
}

const isAttached = (hooks: Hooks): boolean => functionsOf(hooks).some(run => attached.has(run))

/**
 * Those of resources that the service has, with their places in the application. A place whose hooks were attached once is right: code
 * that depends on settings may make hooks more than once.
 */
export const unattachedHooks = (has: (definition: ResourceModel) => boolean): readonly string[] => {
  defined = defined.filter(one => one.deref() !== undefined)
  const living = defined.flatMap(one => one.deref() ?? [])
  const places = new Set(living.filter(isAttached).map(placeOf))
  return living.flatMap(hooks => {
    const [definition, place] = [definitions.get(hooks), placeOf(hooks)]
    if (place === null || places.has(place) || !definition || !has(definition)) return []
    return [`${definition.name} (${place})`]
  })
}
