// The trash: which resources keep deleted records in it, and which records go there together with others.

import type { Resource, ResourceField } from './resource.ts'

/** Can its records be restored after they were deleted? */
export const keepsTrash = ({ definition }: Resource): boolean => definition.trash === true

/** What records in the trash have beside their own fields. */
export const deletionFields = ['deletedDate', 'deletedBy'] as const

export type DeletionField = (typeof deletionFields)[number]

/** A reference whose records are deleted together with their target. */
interface CascadingReference {
  /** The field that refers. */
  readonly field: ResourceField
  readonly owner: Resource
}

/** The table that a reference points to belongs to this resource. */
export const holderOfTarget = ({ target }: ResourceField): Resource | null => target?.holder ?? null

/** The references by which records go to the trash together with those of this resource. */
export const trashedThrough = (target: Resource, resources: readonly Resource[]): readonly CascadingReference[] =>
  resources
    .filter(owner => owner.holder === owner && owner.definition.trash !== false)
    .flatMap(owner =>
      [...owner.fields.values()]
        .filter(({ definition }) => definition.role === 'one' && definition.onDelete === 'cascade')
        .filter(field => holderOfTarget(field) === target)
        .map(field => ({ field, owner })),
    )

/** The resource itself, and all whose records can go to the trash together with its own. */
export const trashedTogether = (resource: Resource, resources: readonly Resource[]): ReadonlySet<Resource> => {
  const found = new Set([resource])
  // A set also visits what is added to it on the way.
  for (const one of found) for (const { owner } of trashedThrough(one, resources)) found.add(owner)
  return found
}

/** All resources whose records the trash can hold. */
export const trashedResources = (resources: readonly Resource[]): ReadonlySet<Resource> =>
  new Set(resources.filter(keepsTrash).flatMap(resource => [...trashedTogether(resource, resources)]))
