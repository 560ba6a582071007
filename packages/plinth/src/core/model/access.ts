// Who may do what: the one place that asks the rules.

import { Problem } from '../problem.ts'
import type { Operation } from './access-rules.ts'
import { type Caller, scopesAllow } from './caller.ts'
import type { Path } from './query.ts'
import type { Registry } from './registry.ts'
import type { Resource, ResourceField } from './resource.ts'
import { callerPathsIn, compileRules, type OperationRule, rolesIn, usersIn } from './rule-book.ts'
import { compileRule, type Decision, type Rule } from './rules.ts'
import { createViews, type Visibility } from './views.ts'

export interface Access {
  /** Yes, no, or a filter on the records that the caller may treat so. */
  decide(resource: Resource, operation: Operation, caller: Caller): Decision
  /** Decides as `decide` does, but "no" is a problem: 401 for anonymous callers, 403 for others. */
  permit(resource: Resource, operation: Operation, caller: Caller): true | Exclude<Decision, boolean>
  /** May the caller give this field a value? */
  mayWrite(field: ResourceField, caller: Caller): boolean
  visibility(caller: Caller): Visibility
  /** The rule behind an operation, for explanations. */
  rule(resource: Resource, operation: Operation): OperationRule
  /** The roles that rules name, each with the first rule that does, such as `books.read`. */
  readonly roles: ReadonlyMap<string, string>
  /** Compiles a rule on the caller alone, such as that of an endpoint. RuleFault for one that cannot be compiled. */
  compile(expression: string): Rule
  /** From now on, callers have what this rule looks at in their user record. */
  uses(rule: Rule): void
  /** What rules and defaults look at in the caller's own user record, by path such as `shop.region`. */
  readonly callerPaths: ReadonlyMap<string, Path>
}

/** `overrides` are rules by `<resource>.<operation>`, as configuration gives them; they win over the model's own. */
export const createAccess = (
  registry: Registry,
  overrides: ReadonlyMap<string, string> = new Map(),
  clock: () => Date = () => new Date(),
): Access => {
  const book = compileRules(registry, overrides, clock)
  const { ofResource, ofField } = book
  const callerPaths = callerPathsIn(book)
  const uses: Access['uses'] = rule => {
    for (const [name, path] of rule.callerPaths) callerPaths.set(name, path)
  }
  const rule: Access['rule'] = (resource, operation) => {
    const found = ofResource.get(resource)
    if (!found) throw new Error(`'${resource.name}' is not of this registry`)
    return found[operation]
  }
  const decide: Access['decide'] = (resource, operation, caller) =>
    isWithinScopes(caller, resource, operation) && rule(resource, operation).decide(caller)
  const viewOf = createViews(ofField)
  return {
    rule,
    roles: rolesIn(book),
    callerPaths,
    compile: expression => {
      const rule = compileRule(expression, null, { clock, users: usersIn(registry) })
      uses(rule)
      return rule
    },
    uses,
    decide,
    permit: (resource, operation, caller) => {
      const decision = decide(resource, operation, caller)
      if (decision === false) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
      return decision
    },
    mayWrite: (field, caller) => ofField.get(field)?.writable?.decide(caller) !== false,
    visibility: caller => ({
      records: resource => decide(resource, 'read', caller),
      view: resource => viewOf(resource, caller),
    }),
  }
}

/** Are the caller's credentials good for this, whatever the rules say of their user? */
export const isWithinScopes = ({ scopes }: Caller, { name, definition }: Resource, operation: Operation): boolean =>
  scopes === undefined || (!definition.inPerson && scopesAllow(scopes, name, operation === 'read' ? 'read' : 'write'))
