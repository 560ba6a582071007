// What rules look at in the caller's own user record, such as `caller.user.shop`: read with the row that each request begins with.

import type { CallerAttributes } from '../../../core/model/caller.ts'
import { attributeValue } from '../../../core/model/caller-paths.ts'
import type { ResourceDefinition } from '../../../core/model/define.ts'
import type { Path } from '../../../core/model/query.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import type { ValuesBeside } from '../../../core/store/revalidating-cache.ts'
import { users } from '../../people/index.ts'

type AttributePlatform = Pick<Platform, 'store' | 'access'>

/** Beside rows whose field `user` refers to a user. */
export interface AttributeReader {
  readonly beside: ValuesBeside
  /** Returns undefined where no rule looks at the user. */
  toAttributes(values: readonly unknown[]): CallerAttributes | undefined
}

export const readAttributesBeside = (
  { store, access: { callerPaths } }: AttributePlatform,
  definition: ResourceDefinition,
): AttributeReader => {
  const resource = store.resource(definition)
  const relation = resource.fields.get('user')
  const target = relation?.target
  if (!relation || !target) throw new Error(`${definition.name} has no user`)
  const first = { relation, target, linkFilter: null }
  const toUser = ({ steps, field }: Path): Path => ({ steps: [first, ...steps], field })
  let known: readonly Path[] = []
  return {
    beside: {
      paths: () => {
        if (known.length !== callerPaths.size) known = [...callerPaths.values()].map(toUser)
        return known
      },
    },
    toAttributes: values => attributesOf(callerPaths, values),
  }
}

const attributesOf = (paths: ReadonlyMap<string, Path>, values: readonly unknown[]): CallerAttributes | undefined => {
  if (paths.size === 0) return undefined
  return new Map([...paths].map(([name, path], at) => [name, attributeValue(path, values[at])]))
}

/** Those of a user who sends no request, such as the owner of a webhook. */
export const readAttributes = async (
  { store, access: { callerPaths } }: AttributePlatform,
  user: string,
): Promise<CallerAttributes | undefined> => {
  if (callerPaths.size === 0) return undefined
  const [found] = await store.valuesAlong(store.resource(users), [user], [...callerPaths.values()])
  return attributesOf(callerPaths, found?.values ?? [])
}
