// Checks over several fields of one record, in the language of rules. Each is compiled once, at start, to plain data: the write path,
// the migrations and the forms of clients evaluate the same condition.

import type { ASTNode } from '@marcbachmann/cel-js'
import { type CheckCondition, type CheckOperand, checkHolds } from './check-condition.ts'
import { didYouMean } from './definition-error.ts'
import type { Json } from './json.ts'
import type { Values } from './record.ts'
import { type Requirement, ruleOf } from './requirement.ts'
import type { Resource, ResourceField } from './resource.ts'
import { parseRule, RuleFault } from './rule-text.ts'
import { isScalar, valueToJson } from './value-field.ts'
import type { Text } from './words.ts'

export interface FieldCheck {
  readonly name: string
  readonly rule: string
  readonly condition: CheckCondition
  /** The fields that it looks at, in the order of their last mention in the rule. */
  readonly fields: readonly ResourceField[]
  readonly message: Text | undefined
  /** Does it hold for a record with these values, in stored form? */
  holds(values: Values): boolean
}

interface CompiledChecks {
  readonly checks: readonly FieldCheck[]
  readonly faults: readonly string[]
}

const compiled = new WeakMap<Resource, CompiledChecks>()

/** The checks of the definition. One with a fault, which stops the start, is left out. */
export const checksOf = (resource: Resource): readonly FieldCheck[] => compiledIn(resource).checks

export const checkFaults = (resource: Resource): readonly string[] => compiledIn(resource).faults

const compiledIn = (resource: Resource): CompiledChecks => {
  const before = compiled.get(resource)
  if (before) return before
  const [checks, faults]: [FieldCheck[], string[]] = [[], []]
  for (const [name, check] of Object.entries(resource.definition.checks ?? {}))
    try {
      checks.push(compileCheck(name, check, resource))
    } catch (error) {
      if (!(error instanceof RuleFault)) throw error
      faults.push(`check '${name}': ${error.message}`)
    }
  const found = { checks, faults }
  compiled.set(resource, found)
  return found
}

const compileCheck = (name: string, declared: Requirement, resource: Resource): FieldCheck => {
  const { rule, message } = ruleOf(declared)
  const fields = new Map<string, ResourceField>()
  const condition = toCondition(parseRule(rule), { rule, resource, fields })
  if (fields.size === 0) throw new RuleFault(`'${rule}': a check looks at a field of the record, such as record.name`)
  return {
    name,
    rule,
    condition,
    fields: [...fields.values()],
    message,
    holds: values => checkHolds(condition, field => shownValue(field, values[field.name])),
  }
}

const shownValue = ({ definition }: ResourceField, stored: unknown): Json =>
  definition.role === 'value' ? valueToJson(definition.type, stored) : typeof stored === 'string' ? stored : null

interface CheckScope {
  readonly rule: string
  readonly resource: Resource
  /** The fields that were met so far. */
  readonly fields: Map<string, ResourceField>
}

const refuse = (node: ASTNode, { rule }: CheckScope, why: string): never => {
  throw new RuleFault(`'${rule}': ${why} (at ${node.start})`)
}

const toCondition = (node: ASTNode, scope: CheckScope): CheckCondition => {
  switch (node.op) {
    case '&&':
    case '||':
      return {
        op: node.op === '&&' ? 'and' : 'or',
        parts: [toCondition(node.args[0], scope), toCondition(node.args[1], scope)],
      }
    case '!_':
      return { op: 'not', part: toCondition(node.args, scope) }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(node.op, node.args, scope)
    case 'in':
      return membership(node.args, scope)
    default:
      return flag(node, scope)
  }
}

const flag = (node: ASTNode, scope: CheckScope): CheckCondition => {
  const field = fieldAt(node, scope)
  if (!field) return refuse(node, scope, 'a check compares fields of the record with ==, !=, <, <=, >, >= and in')
  if (field.definition.role !== 'value' || field.definition.type.column !== 'boolean')
    refuse(node, scope, `'${field.name}' is not a boolean`)
  return { op: '==', left: { kind: 'field', field }, right: { kind: 'constant', stored: true, json: true } }
}

const flipped = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const

const comparison = (
  op: keyof typeof flipped,
  [left, right]: readonly [ASTNode, ASTNode],
  scope: CheckScope,
): CheckCondition => {
  const [first, second] = [fieldAt(left, scope), fieldAt(right, scope)]
  const mustBeOrdered = (node: ASTNode, field: ResourceField): void => {
    if (op !== '==' && op !== '!=' && !hasOrder(field)) refuse(node, scope, `'${field.name}' has no order`)
  }
  if (first && second) {
    if (kindOf(first) !== kindOf(second))
      refuse(right, scope, `'${first.name}' and '${second.name}' are of different kinds and cannot be compared`)
    mustBeOrdered(left, first)
    return { op, left: { kind: 'field', field: first }, right: { kind: 'field', field: second } }
  }
  if (first) {
    mustBeOrdered(left, first)
    return { op, left: { kind: 'field', field: first }, right: constant(right, first, scope, op) }
  }
  if (!second) return refuse(left, scope, 'one side of a comparison must be a field of the record')
  mustBeOrdered(right, second)
  return { op: flipped[op], left: { kind: 'field', field: second }, right: constant(left, second, scope, op) }
}

const membership = ([left, right]: readonly [ASTNode, ASTNode], scope: CheckScope): CheckCondition => {
  const field = fieldAt(left, scope)
  if (!field || right.op !== 'list')
    return refuse(right, scope, "'in' takes a field and a list of constants: record.state in ['open', 'late']")
  return {
    op: 'in',
    left: { kind: 'field', field },
    among: right.args.map(entry => constant(entry, field, scope, '==')),
  }
}

/** Values of one kind have one order. Numbers are compared as callers see them, whatever their decimals. */
const kindOf = ({ definition, target }: ResourceField): string =>
  definition.role === 'value' ? definition.type.column : `reference to ${target?.name}`

const hasOrder = ({ definition }: ResourceField): boolean =>
  definition.role === 'value' && isScalar(definition.type) && definition.type.column !== 'boolean'

const constant = (node: ASTNode, field: ResourceField, scope: CheckScope, op: string): CheckOperand => {
  if (node.op !== 'value') return refuse(node, scope, whyNoConstant(node))
  const { args } = node
  if (args === null) {
    if (op !== '==' && op !== '!=') refuse(node, scope, 'null has no order')
    return { kind: 'constant', stored: null, json: null }
  }
  const literal = typeof args === 'bigint' ? Number(args) : args
  const { definition } = field
  if (definition.role !== 'value') return { kind: 'constant', stored: literal, json: String(literal) }
  try {
    const stored = typeof literal === 'string' ? definition.type.readText(literal) : definition.type.read(literal)
    return { kind: 'constant', stored, json: valueToJson(definition.type, stored) }
  } catch (error) {
    return refuse(node, scope, `'${field.name}' ${(error as Error).message}`)
  }
}

const whyNoConstant = (node: ASTNode): string => {
  const root = rootOf(node)
  if (root === 'caller') return 'a check is about the record alone, not about the caller; write a rule in access'
  if (root === 'now') return 'a check must hold at any time, so it cannot use now; compare in a hook'
  return 'a field can be compared with another field of the record or with a constant'
}

const rootOf = (node: ASTNode): string | null => {
  if (node.op === 'id') return node.args
  return node.op === '.' ? rootOf(node.args[0]) : null
}

/** The field that a node names; null when it names none. */
const fieldAt = (node: ASTNode, scope: CheckScope): ResourceField | null => {
  if (rootOf(node) !== 'record') return null
  if (node.op !== '.') return refuse(node, scope, "'record' alone is not allowed; name a field")
  const [of, name] = node.args
  if (of.op === '.') return refuse(node, scope, 'a check looks at fields of the record itself, not at related records')
  const { fields } = scope.resource
  const field = fields.get(name)
  if (!field) {
    const hint = didYouMean(fields.keys(), name)
    return refuse(node, scope, `${scope.resource.name} has no field '${name}'${hint}`)
  }
  const { definition } = field
  const isComparable =
    definition.role === 'one' || (definition.role === 'value' && !definition.transient && !definition.options.writeOnly)
  if (!isComparable) refuse(node, scope, `'${name}' has no value that a check could compare`)
  // The place of its last mention counts: many rules begin with `record.until == null ||`.
  scope.fields.delete(name)
  scope.fields.set(name, field)
  return field
}
