// Can a deleted record be restored by sending its fields again? Only then may a client offer to undo a deletion.

import { isAdmin } from '../model/caller.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import type { Context } from './context.ts'

/**
 * True when a PUT of the fields that this caller reads restores every record of the resource: its stored fields, and
 * everything else that its deletion removes or changes. The stamps and the version start again.
 */
export const canRestore = (context: Context, resource: Resource): boolean => {
  const { access, registry } = context.platform
  const { identifier, storedIn } = resource.definition
  const may = (operation: 'create' | 'replace') => access.decide(resource, operation, context.caller) === true
  // Hooks may do anything when a record is deleted, and other resources may show the same rows.
  if (
    !resource.hooks.isEmpty ||
    storedIn ||
    registry.resources.some(one => one !== resource && one.holder === resource)
  )
    return false
  if (!may('create') || !may('replace') || (identifier.kind === 'generated' && !isAdmin(context.caller))) return false
  const fields = [...resource.fields.values()]
  return (
    fields.every(field => isDerived(field) || isReadAndWritten(context, field)) &&
    !registry.resources.some(({ fields }) => [...fields.values()].some(field => losesBy(resource, field)))
  )
}

/**
 * Says whether a field is made from other fields and records, or kept by the platform: the pk, the stamps and the
 * version.
 */
const isDerived = ({ name, definition, owner }: ResourceField): boolean =>
  !Object.hasOwn(owner.definition.fields, name) ||
  definition.role === 'inverse' ||
  definition.role === 'count' ||
  (definition.role === 'value' && definition.compute !== undefined)

/** Does the caller read it whole, and may send the same value back? */
const isReadAndWritten = ({ visibility, platform, caller }: Context, field: ResourceField): boolean => {
  const { definition, owner, target } = field
  if (definition.options.serverOwned || definition.options.writeOnly || !visibility.view(owner).fields.has(field.name))
    return false
  if (!platform.access.mayWrite(field, caller)) return false
  if (definition.role === 'value') return !definition.transient && !definition.type.keep && !definition.type.machine
  // References to records that the caller may not read are not shown.
  return (
    (definition.role === 'one' || (definition.role === 'links' && definition.embed)) &&
    !!target &&
    visibility.records(target) === true
  )
}

/** Do records with this field vanish, or lose a reference, when one of the resource is deleted? */
const losesBy = (resource: Resource, { definition, target }: ResourceField): boolean =>
  target === resource &&
  (definition.role === 'links' || (definition.role === 'one' && definition.onDelete !== 'refuse'))
