// Rules: expressions in the Common Expression Language over `caller`, `record` and `now`. Each is compiled once, at start;
// for a caller it gives yes, no, or a filter on records. Only a small part of the language is known here: whatever
// cannot become a filter is refused at start, so a rule never fails at run time.

import type { ASTNode } from '@marcbachmann/cel-js'
import { type Caller, isAdmin } from './caller.ts'
import { toCallerPath } from './caller-paths.ts'
import { didYouMean } from './definition-error.ts'
import { namedRules, ruleNameOf, whyUnknown } from './named-rules.ts'
import type { Filter, Path, Step } from './query.ts'
import type { Resource, ResourceField } from './resource.ts'
import { parseRule, RuleFault } from './rule-text.ts'

export type Decision = boolean | Filter

export interface Rule {
  readonly expression: string
  /** Does it look at the record, or at the caller alone? */
  readonly readsRecord: boolean
  /** The fields of the record that it looks at. */
  readonly paths: readonly Path[]
  /** The roles that it names. */
  readonly roles: readonly string[]
  /** The rules that it uses by their names, with their texts. */
  readonly named: ReadonlyMap<string, string>
  /** What it looks at in the caller's own user record, by path. */
  readonly callerPaths: ReadonlyMap<string, Path>
  decide(caller: Caller): Decision
  /** The same without the exception for administrators: for conditions on the state of a record. */
  holds(caller: Caller): Decision
}

export interface RuleOptions {
  readonly clock?: () => Date
  /** The resource of users, for paths such as `caller.user.shop`. Not known yet: the paths are not checked. */
  readonly users?: Resource | null | undefined
}

/**
 * Compiles a rule on `resource`; null for a rule on the caller alone. Administrators pass every rule but the literal `false`.
 */
export const compileRule = (
  expression: string,
  resource: Resource | null,
  { clock = () => new Date(), users }: RuleOptions = {},
): Rule => {
  const root = parseRule(expression)
  const [reads, roles]: [Path[], string[]] = [[], []]
  const named = new Map<string, string>()
  const callerPaths = new Map<string, Path>()
  const condition = toCondition(root, { resource, users, expression, reads, roles, named, callerPaths, within: [] })
  const denied = deniesAll(root, named)
  return {
    expression,
    readsRecord: reads.length > 0,
    paths: reads,
    roles,
    named,
    callerPaths,
    decide: caller => (!denied && isAdmin(caller) ? true : condition({ caller, now: clock() })),
    holds: caller => condition({ caller, now: clock() }),
  }
}

/** The literal `false`, also by a name. */
const deniesAll = (root: ASTNode, named: ReadonlyMap<string, string>): boolean => {
  const name = ruleNameOf(root)
  return name === null ? root.op === 'value' && root.args === false : named.get(name)?.trim() === 'false'
}

interface RuleScope {
  readonly resource: Resource | null
  readonly users: Resource | null | undefined
  readonly expression: string
  /** What the parts seen so far look at. */
  readonly reads: Path[]
  /** The roles that they name. */
  readonly roles: string[]
  readonly named: Map<string, string>
  readonly callerPaths: Map<string, Path>
  /** The names of the rules that this text is part of, from the outermost. */
  readonly within: readonly string[]
}

interface Moment {
  readonly caller: Caller
  readonly now: Date
}

type RuleCondition = (moment: Moment) => Decision
/** A value known without the record. Null and undefined from the caller never equal anything. */
type KnownValue = (moment: Moment) => unknown

const refuse = (node: ASTNode, scope: RuleScope, why: string): never => {
  throw new RuleFault(`'${scope.expression}': ${why} (at ${node.start})`)
}

const toCondition = (node: ASTNode, scope: RuleScope): RuleCondition => {
  switch (node.op) {
    case '&&':
      return junction('and', node.args, scope)
    case '||':
      return junction('or', node.args, scope)
    case '!_':
      return negation(toCondition(node.args, scope))
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
      return comparison(node.op, node.args, scope)
    default: {
      const name = ruleNameOf(node)
      if (name !== null) return namedRule(name, node, scope)
      return isRecordPath(node) ? flag(node, scope) : truth(node, scope)
    }
  }
}

/** Stands for the rule of this name. */
const namedRule = (name: string, node: ASTNode, scope: RuleScope): RuleCondition => {
  const rules = namedRules(scope.resource)
  const expression = Object.hasOwn(rules, name) ? rules[name] : undefined
  if (expression === undefined) return refuse(node, scope, whyUnknown(name, rules))
  if (scope.within.includes(name)) {
    const circle = [...scope.within.slice(scope.within.indexOf(name)), name].join(' → ')
    return refuse(node, scope, `the rules lead back to where they begin: ${circle}`)
  }
  scope.named.set(name, expression)
  return toCondition(parseRule(expression), { ...scope, expression, within: [...scope.within, name] })
}

const junction = (op: 'and' | 'or', sides: readonly [ASTNode, ASTNode], scope: RuleScope): RuleCondition => {
  const [left, right] = [toCondition(sides[0], scope), toCondition(sides[1], scope)]
  // `true` decides an or, `false` decides an and; the other constant leaves the other side.
  const deciding = op === 'or'
  return moment => {
    const first = left(moment)
    if (first === deciding) return deciding
    const second = right(moment)
    if (second === deciding) return deciding
    if (typeof first === 'boolean') return second
    if (typeof second === 'boolean') return first
    return { op, parts: [first, second] }
  }
}

const negation =
  (inner: RuleCondition): RuleCondition =>
  moment => {
    const decision = inner(moment)
    return typeof decision === 'boolean' ? !decision : { op: 'not', part: decision }
  }

const truth = (node: ASTNode, scope: RuleScope): RuleCondition => {
  const known = toKnown(node, scope)
  return moment => known(moment) === true
}

const flag = (node: ASTNode, scope: RuleScope): RuleCondition => {
  const path = toPath(node, scope)
  if (path.field.definition.role !== 'value' || path.field.definition.type.column !== 'boolean') {
    refuse(node, scope, `'${path.field.name}' is not a boolean`)
  }
  const filter: Filter = { op: 'eq', path, value: true }
  return () => filter
}

const opposite = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=', in: 'in' } as const
type RuleOperator = keyof typeof opposite

const comparison = (operator: RuleOperator, sides: readonly [ASTNode, ASTNode], scope: RuleScope): RuleCondition => {
  const [left, right] = sides
  if (isRecordPath(left)) return recordComparison(operator, left, right, scope)
  if (isRecordPath(right)) {
    if (operator === 'in') refuse(right, scope, "the right side of 'in' must be a list known without the record")
    return recordComparison(opposite[operator], right, left, scope)
  }
  const [first, second] = [toKnown(left, scope), toKnown(right, scope)]
  return moment => compareKnown(operator, first(moment), second(moment))
}

const compareKnown = (operator: RuleOperator, left: unknown, right: unknown): boolean => {
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  if (operator === 'in') return Array.isArray(right) && right.includes(left)
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false
  const [low, high] = [left, right as typeof left]
  return operator === '<' ? low < high : operator === '<=' ? low <= high : operator === '>' ? low > high : low >= high
}

const filterOperators = { '==': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' } as const

const recordComparison = (
  operator: RuleOperator,
  pathNode: ASTNode,
  valueNode: ASTNode,
  scope: RuleScope,
): RuleCondition => {
  if (isRecordPath(valueNode))
    refuse(
      valueNode,
      scope,
      'two fields cannot be compared with each other; compare with the caller or a value, or use `checks` for what must hold in every record',
    )
  const path = toPath(pathNode, scope)
  const known = toKnown(valueNode, scope)
  if (operator === 'in') {
    return moment => {
      const values = known(moment)
      return Array.isArray(values) ? { op: 'in', path, values: values.map(value => toStored(value, path)) } : false
    }
  }
  const op = filterOperators[operator]
  checkLiteral(valueNode, path, scope)
  if (isLiteralNull(valueNode)) {
    if (op !== 'eq' && op !== 'ne') refuse(valueNode, scope, 'null has no order')
    const filter: Filter = { op: 'null', path, isNull: op === 'eq' }
    return () => filter
  }
  return moment => {
    const value = known(moment)
    // A caller without a value matches nothing: an anonymous caller does not own records without an owner.
    return value === null || value === undefined ? false : { op, path, value: toStored(value, path) }
  }
}

const isLiteralNull = (node: ASTNode): boolean => node.op === 'value' && node.args === null

/** A literal that the field's type cannot read is a fault of the rule, to be found at start. */
const checkLiteral = (node: ASTNode, path: Path, scope: RuleScope): void => {
  if (node.op !== 'value' || node.args === null) return
  try {
    toStored(typeof node.args === 'bigint' ? Number(node.args) : node.args, path)
  } catch (error) {
    refuse(node, scope, `'${path.field.name}' ${(error as Error).message}`)
  }
}

const toStored = (value: unknown, path: Path): unknown => {
  const { definition } = path.field
  if (definition.role !== 'value') return value
  return typeof value === 'string' ? definition.type.readText(value) : definition.type.read(value)
}

const isRecordPath = (node: ASTNode): boolean =>
  node.op === '.' ? isRecordPath(node.args[0]) : node.op === 'id' && node.args === 'record'

const toPath = (node: ASTNode, scope: RuleScope): Path => {
  const names: string[] = []
  for (let at = node; at.op === '.'; at = at.args[0]) names.unshift(at.args[1])
  const last = names.pop()
  if (last === undefined) return refuse(node, scope, "'record' alone is not allowed; name a field")
  const steps: Step[] = []
  let resource = scope.resource ?? refuse(node, scope, 'there is no record here; use only the caller')
  for (const name of names) {
    const relation = fieldNamed(name, resource, node, scope)
    if (!relation.target) return refuse(node, scope, `'${name}' is not a relation`)
    steps.push({ relation, target: relation.target, linkFilter: null })
    resource = relation.target
  }
  const field = fieldNamed(last, resource, node, scope)
  if (field.definition.role === 'inverse' || field.definition.role === 'links') {
    return refuse(node, scope, `name a field of '${last}', such as '${last}.pk'`)
  }
  const path = { steps, field }
  scope.reads.push(path)
  return path
}

const fieldNamed = (name: string, resource: Resource, node: ASTNode, scope: RuleScope): ResourceField =>
  resource.fields.get(name === 'id' ? 'pk' : name) ??
  refuse(node, scope, `${resource.name} has no field '${name}'${didYouMean(resource.fields.keys(), name)}`)

const callerFields = new Map<string, KnownValue>([
  ['signedIn', ({ caller }) => caller.pk !== null],
  ['pk', ({ caller }) => caller.pk],
  ['username', ({ caller }) => caller.username],
  ['roles', ({ caller }) => [...caller.roles]],
])

const toKnown = (node: ASTNode, scope: RuleScope): KnownValue => {
  if (node.op === 'value') {
    const value = typeof node.args === 'bigint' ? Number(node.args) : node.args
    return () => value
  }
  if (node.op === 'list') {
    const entries = node.args.map(entry => toKnown(entry, scope))
    return moment => entries.map(entry => entry(moment))
  }
  if (node.op === 'id' && node.args === 'now') return ({ now }) => now.toISOString()
  const ofUser = namesAfterUser(node)
  if (ofUser) {
    const name = ofUser.join('.')
    if (scope.users !== undefined)
      scope.callerPaths.set(
        name,
        toCallerPath(ofUser, scope.users, why => refuse(node, scope, why)),
      )
    return ({ caller }) => caller.attributes?.get(name) ?? null
  }
  if (node.op === '.' && isCaller(node.args[0])) {
    return (
      callerFields.get(node.args[1]) ??
      refuse(
        node,
        scope,
        `the caller has no property '${node.args[1]}'${didYouMean(callerFields.keys(), node.args[1])}`,
      )
    )
  }
  if (node.op === 'rcall' && node.args[0] === 'has' && isCaller(node.args[1])) {
    const roles = node.args[2].map(role => toKnown(role, scope))
    for (const { op, args } of node.args[2]) if (op === 'value' && typeof args === 'string') scope.roles.push(args)
    return moment => roles.some(role => moment.caller.roles.has(String(role(moment))))
  }
  return refuse(node, scope, unsupported(node))
}

const unsupported = (node: ASTNode): string => {
  if (node.op === 'rcall' && isCaller(node.args[1]))
    return `the caller has no function '${node.args[0]}'; ask for a role with caller.has('ROLE_STAFF')`
  if (node.op === 'rcall' || node.op === 'call')
    return `the function '${node.args[0]}' is not supported; compare fields with ==, !=, <, <=, >, >= and 'in'`
  return 'this syntax is not supported in rules'
}

/** The names after `caller.user`; null for anything else. */
const namesAfterUser = (node: ASTNode): readonly string[] | null => {
  if (node.op !== '.') return null
  const [of, name] = node.args
  if (name === 'user' && isCaller(of)) return []
  const before = namesAfterUser(of)
  return before && [...before, name]
}

const isCaller = (node: ASTNode): boolean => node.op === 'id' && node.args === 'caller'
