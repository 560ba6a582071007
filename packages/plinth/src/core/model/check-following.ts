// What can be wrong with rows that follow from records.

import { numberingOf } from './number-fields.ts'
import type { Resource } from './resource.ts'

/** What is wrong with the rows that follow from a resource. `found`: the resource of the rows in the service. */
export const followingFaults = (resource: Resource, found: (name: string) => Resource | undefined): string[] =>
  resource.hooks.following.flatMap(({ definition, by }) => {
    const { name } = definition
    const target = found(name)
    const at = `hooks.follow: '${name}'`
    if (!target) return [`${at} is no resource of the service`]
    if (target.fields.get(by)?.target !== resource) return [`${at}: '${by}' must be a reference to '${resource.name}'`]
    const { history, trash, search } = target.definition
    const needsMore = [...target.fields.values()].some(
      field => field.definition.role === 'links' || numberingOf(field) !== undefined,
    )
    return target.hooks.isEmpty && !history && !trash && !search && !needsMore
      ? []
      : [
          `${at} must have no hooks, history, trash, search, links or sequence, since its rows are written with the record`,
        ]
  })
