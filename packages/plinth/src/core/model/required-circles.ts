// Required references that lead back to where they begin: no record could be the first.

import type { DefinitionFault } from './definition-error.ts'
import type { Resource, ResourceField } from './resource.ts'

export const requiredCircles = (resources: readonly Resource[]): DefinitionFault[] => {
  const known = new Set<string>()
  return resources.flatMap(resource => {
    const circle = circleFrom(resource, resource, [])
    const key = circle?.map(nameOf).sort().join()
    if (!circle || key === undefined || known.has(key)) return []
    known.add(key)
    const way = circle.map(nameOf).join(' → ')
    return [
      {
        resource: resource.name,
        message: `no record can be created: the required references ${way} lead back to ${resource.name}; make one of them optional`,
      },
    ]
  })
}

const nameOf = ({ owner, name }: ResourceField): string => `${owner.name}.${name}`

const circleFrom = (start: Resource, at: Resource, way: readonly ResourceField[]): readonly ResourceField[] | null => {
  for (const field of at.fields.values()) {
    const { definition, target } = field
    if (
      definition.role !== 'one' ||
      definition.options.required !== true ||
      !target ||
      way.some(one => one.owner === target && target !== start)
    )
      continue
    const longer = [...way, field]
    if (target === start) return longer
    const circle = circleFrom(start, target, longer)
    if (circle) return circle
  }
  return null
}
