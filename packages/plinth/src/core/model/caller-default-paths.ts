// Defaults from the user record of the caller, such as `default: 'caller.user.shop'`: where their paths lead.

import { callerPathOf, namesOfUserPath } from './caller-default.ts'
import { toCallerPath } from './caller-paths.ts'
import type { DefinitionFault } from './definition-error.ts'
import type { Path } from './query.ts'
import type { Registry } from './registry.ts'
import type { Resource, ResourceField } from './resource.ts'
import { RuleFault } from './rule-text.ts'

interface DefaultPaths {
  /** The paths by their names, such as `shop.region`. */
  readonly paths: ReadonlyMap<string, Path>
  readonly faults: readonly DefinitionFault[]
}

export const defaultPathsIn = (registry: Registry, users: Resource | null): DefaultPaths => {
  const paths = new Map<string, Path>()
  const faults: DefinitionFault[] = []
  for (const { name: resource, fields } of registry.resources)
    for (const field of fields.values()) {
      const path = callerPathOf(field.definition)
      const names = path && namesOfUserPath(path)
      if (!names) continue
      const refuse = (why: string): never => {
        throw new RuleFault(`default '${path}': ${why}`)
      }
      try {
        const found = toCallerPath(names, users, refuse)
        if (!fits(found, field)) refuse(misfit(found, field))
        paths.set(names.join('.'), found)
      } catch (error) {
        if (!(error instanceof RuleFault)) throw error
        faults.push({ resource, field: field.name, message: error.message })
      }
    }
  return { paths, faults }
}

/** A reference takes a reference to the same resource, or the pk of one of its records; a text takes a text. */
const fits = ({ field: { definition, owner, name, target } }: Path, of: ResourceField): boolean => {
  if (of.definition.role === 'one')
    return definition.role === 'one' ? target === of.target : name === 'pk' && owner === of.target
  return definition.role === 'value' && definition.type.column === 'text'
}

const misfit = ({ field: { name, target } }: Path, of: ResourceField): string =>
  of.definition.role === 'one'
    ? `'${name}' ${target ? `refers to '${target.name}'` : 'is no reference'}, and the field refers to '${of.target?.name}'`
    : `'${name}' is no text`
