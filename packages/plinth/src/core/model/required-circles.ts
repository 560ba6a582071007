// Required references that lead back to where they begin: no record could be the first.

import type { DefinitionFault } from './definition-error.ts'
import type { Member, Resource } from './resource.ts'

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

const nameOf = ({ owner, name }: Member): string => `${owner.name}.${name}`

const circleFrom = (start: Resource, at: Resource, way: readonly Member[]): readonly Member[] | null => {
  for (const member of at.members.values()) {
    const { field, target } = member
    if (
      field.role !== 'one' ||
      field.options.required !== true ||
      !target ||
      way.some(one => one.owner === target && target !== start)
    )
      continue
    const longer = [...way, member]
    if (target === start) return longer
    const circle = circleFrom(start, target, longer)
    if (circle) return circle
  }
  return null
}
