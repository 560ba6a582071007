// Can a deleted record be restored by sending its fields again? Only then may a client offer to undo a deletion.

import { isAdmin } from '../model/caller.ts'
import type { Member, Resource } from '../model/resource.ts'
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
  if (!resource.hooks.isEmpty || storedIn || registry.resources.some(({ holder }) => holder === resource)) return false
  if (!may('create') || !may('replace') || (identifier.kind === 'generated' && !isAdmin(context.caller))) return false
  const members = [...resource.members.values()]
  return (
    members.every(member => isDerived(member) || isReadAndWritten(context, member)) &&
    !registry.resources.some(({ members }) => [...members.values()].some(member => losesBy(resource, member)))
  )
}

/** Made from other fields and records, or kept by the platform: the pk, the stamps and the version. */
const isDerived = ({ name, field, owner }: Member): boolean =>
  !Object.hasOwn(owner.definition.fields, name) ||
  field.role === 'inverse' ||
  field.role === 'count' ||
  (field.role === 'value' && field.compute !== undefined)

/** Does the caller read it whole, and may send the same value back? */
const isReadAndWritten = ({ visibility, platform, caller }: Context, member: Member): boolean => {
  const { field, owner, target } = member
  if (field.options.serverOwned || field.options.writeOnly || !visibility.view(owner).members.has(member.name))
    return false
  if (!platform.access.mayWrite(member, caller)) return false
  if (field.role === 'value') return !field.transient && !field.type.keep
  // References to records that the caller may not read are not shown.
  return (
    (field.role === 'one' || (field.role === 'links' && field.embed)) && !!target && visibility.records(target) === true
  )
}

/** Do records with this field vanish, or lose a reference, when one of the resource is deleted? */
const losesBy = (resource: Resource, { field, target }: Member): boolean =>
  target === resource && (field.role === 'links' || (field.role === 'one' && field.onDelete !== 'refuse'))
