// Who may do what, and who sees what: the one place that asks the rules.

import { Problem } from '../problem.ts'
import { type Operation, operations } from './access-rules.ts'
import { type Caller, scopesAllow } from './caller.ts'
import { DefinitionError, type DefinitionFault } from './definition-error.ts'
import type { Filter, LinkFilters } from './query.ts'
import type { Registry } from './registry.ts'
import type { Member, Resource } from './resource.ts'
import { compileRule, type Decision, type Rule, RuleFault } from './rules.ts'
import type { View } from './view.ts'

export interface Access {
  /** Yes, no, or a filter on the records that the caller may treat so. */
  decide(resource: Resource, operation: Operation, caller: Caller): Decision
  /** As `decide`, but "no" is a problem: 401 for anonymous callers, 403 for others. */
  permit(resource: Resource, operation: Operation, caller: Caller): true | Exclude<Decision, boolean>
  /** May the caller give this member a value? */
  mayWrite(member: Member, caller: Caller): boolean
  visibility(caller: Caller): Visibility
  /** The rule behind an operation, for explanations. */
  rule(resource: Resource, operation: Operation): OperationRule
  /** The roles that rules name, each with the first rule that does, such as `books.read`. */
  readonly roles: ReadonlyMap<string, string>
}

/** `overrides` are rules by `<resource>.<operation>`, as configuration gives them; they win over the model's own. */
export const createAccess = (
  registry: Registry,
  overrides: ReadonlyMap<string, string> = new Map(),
  clock: () => Date = () => new Date(),
): Access => {
  const { ofResource, ofMember } = compileRules(registry, overrides, clock)
  const rule: Access['rule'] = (resource, operation) => {
    const found = ofResource.get(resource)
    if (!found) throw new Error(`'${resource.name}' is not of this registry`)
    return found[operation]
  }
  const decide: Access['decide'] = (resource, operation, caller) =>
    isWithinScopes(caller, resource, operation) && rule(resource, operation).decide(caller)
  const viewOf = createViews(ofMember)
  return {
    rule,
    roles: rolesIn({ ofResource, ofMember }),
    decide,
    permit: (resource, operation, caller) => {
      const decision = decide(resource, operation, caller)
      if (decision === false) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
      return decision
    },
    mayWrite: (member, caller) => ofMember.get(member)?.writable?.decide(caller) !== false,
    visibility: caller => ({
      records: resource => decide(resource, 'read', caller),
      view: resource => viewOf(resource, caller),
    }),
  }
}

/** Are the caller's credentials good for this, whatever the rules say of their user? */
export const isWithinScopes = ({ scopes }: Caller, { name, definition }: Resource, operation: Operation): boolean =>
  scopes === undefined || (!definition.inPerson && scopesAllow(scopes, name, operation === 'read' ? 'read' : 'write'))

// Every rule of every resource and member, compiled at start; all errors are reported together

export interface MemberRules {
  readonly readable: Rule | null
  readonly writable: Rule | null
}

/** The rule of an operation, and where it stands; a denial by default stands nowhere. */
interface OperationRule extends Rule {
  readonly from: 'model' | 'configuration' | 'nowhere'
}

interface RuleBook {
  readonly ofResource: ReadonlyMap<Resource, Readonly<Record<Operation, OperationRule>>>
  /** Only members that have rules of their own. */
  readonly ofMember: ReadonlyMap<Member, MemberRules>
}

/** From the most to the least specific name under which a rule may be written. */
const namesOf = (operation: Operation): readonly (Operation | 'update' | 'write')[] => {
  if (operation === 'read') return ['read']
  if (operation === 'replace' || operation === 'patch') return [operation, 'update', 'write']
  return [operation, 'write']
}

const compileRules = (registry: Registry, overrides: ReadonlyMap<string, string>, clock: () => Date): RuleBook => {
  const faults: DefinitionFault[] = []
  const compile = (expression: string, resource: Resource, where: Pick<DefinitionFault, 'field'>): Rule => {
    try {
      return compileRule(expression, resource, clock)
    } catch (error) {
      if (!(error instanceof RuleFault)) throw error
      // A rule for several operations is reported once.
      if (!faults.some(({ resource: of, message }) => of === resource.name && message === error.message))
        faults.push({ resource: resource.name, ...where, message: error.message })
      return { expression, readsRecord: false, paths: [], roles: [], decide: () => false }
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
  const memberRule = (expression: string | undefined, member: Member): Rule | null => {
    if (expression === undefined) return null
    const rule = compile(expression, member.owner, { field: member.name })
    const message = `'${expression}': a rule on a field can use the caller alone, not the record`
    if (rule.readsRecord) faults.push({ resource: member.owner.name, field: member.name, message })
    return rule
  }

  const ofResource = new Map<Resource, Record<Operation, OperationRule>>()
  const ofMember = new Map<Member, MemberRules>()
  for (const resource of registry.resources) {
    const rules = operations.map(operation => [operation, operationRule(resource, operation)])
    ofResource.set(resource, Object.fromEntries(rules) as Record<Operation, OperationRule>)
    for (const member of resource.members.values()) {
      const { readable, writable } = member.field.options
      if (readable !== undefined || writable !== undefined) {
        ofMember.set(member, { readable: memberRule(readable, member), writable: memberRule(writable, member) })
      }
    }
  }
  if (faults.length > 0) throw new DefinitionError(faults)
  return { ofResource, ofMember }
}

const rolesIn = ({ ofResource, ofMember }: RuleBook): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const add = (place: string, rule: Rule | null): void => {
    for (const role of rule?.roles ?? []) if (!found.has(role)) found.set(role, place)
  }
  for (const [{ name }, rules] of ofResource)
    for (const operation of operations) add(`${name}.${operation}`, rules[operation])
  for (const [{ owner, name }, { readable, writable }] of ofMember)
    for (const rule of [readable, writable]) add(`${owner.name}.${name}`, rule)
  return found
}

// What one caller may see: records, members, and what records show of related ones.

/**
 * Everything that one caller may see. Asked wherever a search, a relation or an include leaves one resource for
 * another, so that no way of reading shows more than reading the record itself would.
 */
export interface Visibility {
  /** All records, none of them, or those that match. */
  records(resource: Resource): boolean | Filter
  /** The members that the caller may read. Others behave as if they did not exist. */
  view(resource: Resource): View
}

// Which related records stay hidden in the links and counts of a record

const none: LinkFilters = new Map()
const shownLinks = new WeakMap<View, readonly RelatedMember[]>()

/** A member that shows something of the records of another resource. */
interface RelatedMember {
  readonly name: string
  readonly target: Resource | null
}

/** The members that show or count related records inside a record; the same for every request with this view. */
const relatedMembers = (view: View): readonly RelatedMember[] => {
  let members = shownLinks.get(view)
  if (!members) {
    members = [...view.members.values()].flatMap(member => {
      const { name, field, target } = member
      const isShown = field.role === 'links' ? field.embed : field.role === 'inverse' && field.single
      if (field.role === 'one' || isShown) return { name, target }
      return field.role === 'count' ? { name, target: countedResource(member) } : []
    })
    shownLinks.set(view, members)
  }
  return members
}

/** The resource whose records a count counts as far as the caller may read them; null for counts of all, and other fields. */
export const countedResource = ({ owner, field }: Member): Resource | null =>
  field.role === 'count' && !field.countsHidden ? (owner.members.get(field.relation)?.target ?? null) : null

/** What a record may show of its related records: the caller's visibility of each target. */
export const linkFiltersOf = (view: View, visibility: Visibility): LinkFilters => {
  let linkFilters: Map<string, Filter | false> | null = null
  for (const { name, target } of relatedMembers(view)) {
    const seen = target === null || visibility.records(target)
    if (seen === true) continue
    linkFilters ??= new Map()
    linkFilters.set(name, seen)
  }
  return linkFilters ?? none
}

// Which members a caller sees. Callers with the same rights share one view, and with it all that was compiled for it.

export const createViews = (memberRules: ReadonlyMap<Member, MemberRules>) => {
  const known = new Map<Resource, ReturnType<typeof createViewsOf>>()
  return (resource: Resource, caller: Caller): View => {
    let viewsOf = known.get(resource)
    if (!viewsOf) {
      viewsOf = createViewsOf(resource, memberRules)
      known.set(resource, viewsOf)
    }
    return viewsOf(caller)
  }
}

const createViewsOf = (resource: Resource, memberRules: ReadonlyMap<Member, MemberRules>) => {
  const shown = [...resource.members.values()].filter(member => !member.field.options.writeOnly)
  const whole = toView(resource, shown)
  const guarded = shown.filter(member => memberRules.get(member)?.readable)
  if (guarded.length === 0) return () => whole
  const byHidden = new Map<string, View>()
  return (caller: Caller): View => {
    const hidden = guarded.filter(member => memberRules.get(member)?.readable?.decide(caller) === false)
    if (hidden.length === 0) return whole
    const key = hidden.map(member => member.name).join()
    let view = byHidden.get(key)
    if (!view) {
      view = toView(
        resource,
        shown.filter(member => !hidden.includes(member)),
      )
      byHidden.set(key, view)
    }
    return view
  }
}

const toView = (resource: Resource, members: readonly Member[]): View => ({
  resource,
  members: new Map(members.map(member => [member.name, member])),
})
