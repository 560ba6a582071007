// What can be done with one kind of resource: endpoints and bulk requests call the same.

import { sha256Of } from '../../core/digest.ts'
import type { Records, TransactionRecords } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import type { ScimSchema } from './attributes.ts'
import { isObject, type ScimObject } from './scim-json.ts'

/** Who acts, and where. */
export interface Acting {
  /** For reading, with all permissions: only administrators come here. */
  readonly records: Records
  /** The address of the root, such as `https://example.org/api/scim/v2`. */
  readonly root: string
  /** All or nothing, as the administrator. */
  readonly write: <T>(work: (records: TransactionRecords) => Promise<T>) => Promise<T>
}

export interface ScimSearch {
  readonly filter: string | null
  readonly sortBy: string | null
  readonly isDescending: boolean
  readonly offset: number
  readonly limit: number
  /** Costly attributes that the answer leaves out. */
  readonly without: ReadonlySet<string>
}

export interface FoundResources {
  readonly total: number
  readonly resources: readonly ScimObject[]
}

export interface ResourceChange {
  readonly body: unknown
  readonly ifMatch: string | undefined
}

export interface ScimKind {
  readonly schema: ScimSchema
  search(acting: Acting, search: ScimSearch): Promise<FoundResources>
  find(acting: Acting, id: string): Promise<ScimObject>
  create(acting: Acting, body: unknown): Promise<ScimObject>
  replace(acting: Acting, id: string, change: ResourceChange): Promise<ScimObject>
  patch(acting: Acting, id: string, change: ResourceChange): Promise<ScimObject>
  remove(acting: Acting, id: string, ifMatch: string | undefined): Promise<void>
}

/** The version of a resource, of all that providers see of it. */
export const versionOf = (resource: ScimObject): string => `W/"${sha256Of(JSON.stringify(resource)).slice(0, 24)}"`

export const mustMatch = (resource: ScimObject, ifMatch: string | undefined): void => {
  if (ifMatch === undefined || ifMatch === '*') return
  const known = ifMatch.split(',').map(tag => tag.trim().replace(/^W\//, ''))
  if (!known.includes(versionOf(resource).replace(/^W\//, ''))) throw new Problem('precondition_failed')
}

/** With the address, and the version where nothing is left out. */
export const located = (
  { endpoint }: ScimSchema,
  resource: ScimObject,
  { root, isWhole }: { readonly root: string; readonly isWhole: boolean },
): ScimObject => ({
  ...resource,
  meta: {
    ...(isObject(resource.meta) && resource.meta),
    location: `${root}${endpoint}/${resource.id}`,
    ...(isWhole && { version: versionOf(resource) }),
  },
})
