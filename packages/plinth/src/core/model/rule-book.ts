// Every rule of every resource and field, compiled at start; all errors are reported together.

import { type Operation, operations } from './access-rules.ts'
import { defaultPathsIn } from './caller-default-paths.ts'
import { DefinitionError, type DefinitionFault } from './definition-error.ts'
import type { Path } from './query.ts'
import type { Registry } from './registry.ts'
import type { Resource, ResourceField } from './resource.ts'
import { RuleFault } from './rule-text.ts'
import { compileRule, type Rule, type RuleOptions } from './rules.ts'

export interface FieldRules {
  readonly readable: Rule | null
  readonly writable: Rule | null
}

/** The rule of an operation, and where it stands; a denial by default stands nowhere. */
export interface OperationRule extends Rule {
  readonly from: 'model' | 'configuration' | 'nowhere'
}

interface RuleBook {
  readonly ofResource: ReadonlyMap<Resource, Readonly<Record<Operation, OperationRule>>>
  /** The rules of fields that have their own. */
  readonly ofField: ReadonlyMap<ResourceField, FieldRules>
  /** What defaults of fields look at in the user record of the caller. */
  readonly defaultPaths: ReadonlyMap<string, Path>
}

/** Returns the names under which a rule may be written, from the most to the least specific. */
const namesOf = (operation: Operation): readonly (Operation | 'update' | 'write')[] => {
  if (operation === 'read') return ['read']
  if (operation === 'replace' || operation === 'patch') return [operation, 'update', 'write']
  return [operation, 'write']
}

const noRule: Omit<Rule, 'expression'> = {
  readsRecord: false,
  paths: [],
  roles: [],
  named: new Map(),
  callerPaths: new Map(),
  decide: () => false,
  holds: () => false,
}

/** The resource of the users, whose records paths such as `caller.user.shop` begin at. */
export const usersIn = (registry: Registry): Resource | null =>
  registry.has('users') ? registry.resource('users') : null

export const compileRules = (
  registry: Registry,
  overrides: ReadonlyMap<string, string>,
  clock: () => Date,
): RuleBook => {
  const options: RuleOptions = { clock, users: usersIn(registry) }
  const defaults = defaultPathsIn(registry, usersIn(registry))
  const faults: DefinitionFault[] = [...defaults.faults]
  const compile = (expression: string, resource: Resource, where: Pick<DefinitionFault, 'field'>): Rule => {
    try {
      return compileRule(expression, resource, options)
    } catch (error) {
      if (!(error instanceof RuleFault)) throw error
      // A rule for several operations is reported once.
      if (!faults.some(({ resource: of, message }) => of === resource.name && message === error.message))
        faults.push({ resource: resource.name, ...where, message: error.message })
      return { ...noRule, expression }
    }
  }
  const operationRule = (resource: Resource, operation: Operation): OperationRule => {
    const names = namesOf(operation)
    const override = names.map(name => overrides.get(`${resource.name}.${name}`)).find(found => found !== undefined)
    const own = names.find(name => resource.definition.access[name] !== undefined)
    const expression = override ?? (own && resource.definition.access[own]) ?? 'false'
    const rule = compile(expression, resource, { field: `access.${own ?? operation}` })
    return { ...rule, from: override !== undefined ? 'configuration' : own !== undefined ? 'model' : 'nowhere' }
  }
  const fieldRule = (expression: string | undefined, field: ResourceField): Rule | null => {
    if (expression === undefined) return null
    const rule = compile(expression, field.owner, { field: field.name })
    const message = `'${expression}': a rule on a field can use the caller alone, not the record`
    if (rule.readsRecord) faults.push({ resource: field.owner.name, field: field.name, message })
    return rule
  }

  const ofResource = new Map<Resource, Record<Operation, OperationRule>>()
  const ofField = new Map<ResourceField, FieldRules>()
  for (const resource of registry.resources) {
    const rules = operations.map(operation => [operation, operationRule(resource, operation)])
    ofResource.set(resource, Object.fromEntries(rules) as Record<Operation, OperationRule>)
    for (const field of resource.fields.values()) {
      const { readable, writable } = field.definition.options
      if (readable !== undefined || writable !== undefined) {
        ofField.set(field, { readable: fieldRule(readable, field), writable: fieldRule(writable, field) })
      }
    }
  }
  for (const resource of registry.resources)
    for (const [name, expression] of Object.entries(resource.definition.rules ?? {}))
      compile(expression, resource, { field: `rules.${name}` })
  if (faults.length > 0) throw new DefinitionError(faults)
  return { ofResource, ofField, defaultPaths: defaults.paths }
}

/** What rules and defaults look at in the caller's own user record. */
export const callerPathsIn = ({ ofResource, ofField, defaultPaths }: RuleBook): Map<string, Path> => {
  const rules: (Rule | null)[] = [
    ...[...ofResource.values()].flatMap(byOperation => operations.map(operation => byOperation[operation])),
    ...[...ofField.values()].flatMap(({ readable, writable }) => [readable, writable]),
  ]
  return new Map([...rules.flatMap(rule => [...(rule?.callerPaths ?? [])]), ...defaultPaths])
}

export const rolesIn = ({ ofResource, ofField }: RuleBook): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const add = (place: string, rule: Rule | null): void => {
    for (const role of rule?.roles ?? []) if (!found.has(role)) found.set(role, place)
  }
  for (const [{ name }, rules] of ofResource)
    for (const operation of operations) add(`${name}.${operation}`, rules[operation])
  for (const [{ owner, name }, { readable, writable }] of ofField)
    for (const rule of [readable, writable]) add(`${owner.name}.${name}`, rule)
  return found
}
