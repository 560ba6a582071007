// Which origins may use which address: the static list, the dynamic one, the model's own and the record's own.

import { readOrigin } from '../http/cors.ts'
import type { Resource } from '../model/resource.ts'
import type { Platform } from './platform.ts'
import type { Service } from './service.ts'

export interface OriginSources {
  readonly fixed: readonly string[]
  /** Do records allow this origin, such as those of known hosts? */
  readonly dynamic: (origin: string) => Promise<boolean>
}

export const createOriginPolicy = (platform: Platform, { fixed, dynamic }: OriginSources): Service['allowsOrigin'] => {
  const everywhere = new Set(fixed.map(readOrigin))
  return async (sent, target) => {
    const origin = readOrigin(sent)
    if (origin === null) return false
    if (everywhere.has(origin)) return true
    if (target?.resource.definition.cors?.origins?.some(one => readOrigin(one) === origin)) return true
    if (await dynamic(origin)) return true
    return target?.pk !== undefined && recordAllows(platform, origin, { resource: target.resource, pk: target.pk })
  }
}

/** The record is read without rights: what it says of origins is no secret, and a preflight has no caller. */
const recordAllows = async (
  { store }: Platform,
  origin: string,
  { resource, pk }: { resource: Resource; pk: string },
): Promise<boolean> => {
  const member = resource.definition.cors?.originsMember
  if (!member) return false
  const origins = (await store.get(resource, pk))?.[member]
  const list = Array.isArray(origins) ? origins : [origins]
  return list.some(one => typeof one === 'string' && readOrigin(one) === origin)
}
