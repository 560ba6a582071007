// The resources whose records lie in tables: views are read from the tables of others.

import type { Registry } from '../model/registry.ts'
import { hasTable, type Resource } from '../model/resource.ts'

const known = new WeakMap<Registry, readonly Resource[]>()

export const storedResources = (registry: Registry): readonly Resource[] => {
  let resources = known.get(registry)
  if (!resources) {
    resources = registry.resources.filter(hasTable)
    known.set(registry, resources)
  }
  return resources
}
