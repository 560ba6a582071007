// What the condition of a check means. An absent value is equal to an absent value alone, and has no order.

import type { Json, JsonMembers } from './json.ts'
import type { ResourceField } from './resource.ts'

type CheckOrder = '<' | '<=' | '>' | '>='

export type CheckOperand =
  | { readonly kind: 'field'; readonly field: ResourceField }
  /** `stored` is the value as the database has it, `json` as callers see it. */
  | { readonly kind: 'constant'; readonly stored: unknown; readonly json: Json }

export type CheckCondition =
  | { readonly op: 'and' | 'or'; readonly parts: readonly CheckCondition[] }
  | { readonly op: 'not'; readonly part: CheckCondition }
  | { readonly op: CheckOrder | '==' | '!='; readonly left: CheckOperand; readonly right: CheckOperand }
  | { readonly op: 'in'; readonly left: CheckOperand; readonly among: readonly CheckOperand[] }

type ValueOf = (field: ResourceField) => Json

export const checkHolds = (condition: CheckCondition, fieldValue: ValueOf): boolean => {
  switch (condition.op) {
    case 'and':
      return condition.parts.every(part => checkHolds(part, fieldValue))
    case 'or':
      return condition.parts.some(part => checkHolds(part, fieldValue))
    case 'not':
      return !checkHolds(condition.part, fieldValue)
    case 'in': {
      const value = operandValue(condition.left, fieldValue)
      return condition.among.some(one => operandValue(one, fieldValue) === value)
    }
    case '==':
      return isEqual(operandValue(condition.left, fieldValue), operandValue(condition.right, fieldValue))
    case '!=':
      return !isEqual(operandValue(condition.left, fieldValue), operandValue(condition.right, fieldValue))
    default:
      return isInOrder(
        condition.op,
        operandValue(condition.left, fieldValue),
        operandValue(condition.right, fieldValue),
      )
  }
}

const operandValue = (operand: CheckOperand, fieldValue: ValueOf): Json =>
  operand.kind === 'field' ? fieldValue(operand.field) : operand.json

const isEqual = (left: Json, right: Json): boolean =>
  typeof left === 'object' && left !== null ? JSON.stringify(left) === JSON.stringify(right) : left === right

const isInOrder = (op: CheckOrder, left: Json, right: Json): boolean => {
  if (typeof left === 'number' && typeof right === 'number') return isOrdered(op, left - right)
  if (typeof left === 'string' && typeof right === 'string')
    return isOrdered(op, left === right ? 0 : left < right ? -1 : 1)
  return false
}

const isOrdered = (op: CheckOrder, difference: number): boolean => {
  if (difference === 0) return op === '<=' || op === '>='
  return difference < 0 ? op === '<' || op === '<=' : op === '>' || op === '>='
}

/** A condition as JSON, for clients. */
export const conditionToJson = (condition: CheckCondition): JsonMembers => {
  switch (condition.op) {
    case 'and':
    case 'or':
      return { op: condition.op, parts: condition.parts.map(conditionToJson) }
    case 'not':
      return { op: 'not', part: conditionToJson(condition.part) }
    case 'in':
      return { op: 'in', left: operandToJson(condition.left), among: condition.among.map(operandToJson) }
    default:
      return { op: condition.op, left: operandToJson(condition.left), right: operandToJson(condition.right) }
  }
}

const operandToJson = (operand: CheckOperand): JsonMembers =>
  operand.kind === 'field' ? { field: operand.field.name } : { value: operand.json }
