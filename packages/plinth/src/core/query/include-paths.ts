// `include`: a tree of relations to fetch along.

import { fault } from '../fault.ts'
import type { Filter } from '../model/query.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { excerpt, note, tooCostly } from './query-faults.ts'
import { fieldOf, maxSteps, noteUnknown, stepInto } from './query-path.ts'
import type { QueryScope } from './scope.ts'

export interface IncludeNode {
  readonly relation: ResourceField
  readonly target: Resource
  /** The caller's own filter on the target. */
  readonly linkFilter: Filter | null
  readonly deeper: readonly IncludeNode[]
}

interface IncludeDraft extends IncludeNode {
  readonly deeper: IncludeDraft[]
}

const maxPaths = 20

/** `film,customer.roles`; what several paths share is fetched once. */
export const readInclude = (
  text: string | undefined,
  resource: Resource,
  scope: QueryScope,
): readonly IncludeNode[] => {
  if (!text) return []
  const roots: IncludeDraft[] = []
  const seen = new Set<string>()
  let position = 0
  for (const entry of text.split(',')) {
    const path = entry.trim()
    if (path !== '' && !seen.has(path)) {
      seen.add(path)
      if (seen.size > maxPaths) {
        throw tooCostly(`'include' may name at most ${maxPaths} paths.`, { parameter: 'include', position })
      }
      grow(roots, { path, position: position + entry.indexOf(path), resource }, scope)
    }
    position += entry.length + 1
  }
  return roots
}

interface Branch {
  readonly path: string
  readonly position: number
  readonly resource: Resource
}

const grow = (roots: IncludeDraft[], { path, position, resource }: Branch, scope: QueryScope): void => {
  const names = path.split('.', maxSteps + 1)
  if (names.length > maxSteps) {
    const reason = fault('too_deep', { path: excerpt(path), max: maxSteps })
    note(scope.faults, { parameter: 'include', member: path, position, ...reason })
    return
  }
  let siblings = roots
  let here = resource
  let offset = 0
  for (const name of names) {
    let node = siblings.find(sibling => sibling.relation.name === name)
    if (!node) {
      const step = stepInto(fieldOf(here, name, scope.visibility), scope.visibility)
      const mention = { parameter: 'include', name: path, position }
      if (!step) return void noteUnknown({ mention, name, offset, here, wants: 'relation' }, scope)
      node = { ...step, deeper: [] }
      siblings.push(node)
    }
    siblings = node.deeper
    here = node.target
    offset += name.length + 1
  }
}
