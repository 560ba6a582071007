// The condition of a check as SQL, to find rows that break it. Records are checked as they are written (`records/checked.ts`) and not by
// a constraint: SQLite can neither add one to a table that exists nor drop one, and a constraint would also refuse rows that were there
// before the check.

import type { CheckCondition, CheckOperand } from '../../model/check-condition.ts'
import type { ValueType } from '../../model/value-field.ts'
import type { DatabaseDialect } from '../driver.ts'
import { initialSql } from './table-sql.ts'

export interface CheckedTable {
  readonly dialect: DatabaseDialect
  /** What a column of the model holds once the migration is done, from what is there now. */
  fieldValue(column: string): string
}

/** True or false for each row, and never unknown. */
export const checkSql = (condition: CheckCondition, table: CheckedTable): string => {
  switch (condition.op) {
    case 'and':
    case 'or':
      return `(${condition.parts.map(part => checkSql(part, table)).join(condition.op === 'and' ? ' AND ' : ' OR ')})`
    case 'not':
      return `NOT ${checkSql(condition.part, table)}`
    case 'in': {
      const { left, among } = condition
      return `(${among.map(one => comparisonSql({ op: '==', left, right: one }, table)).join(' OR ') || 'FALSE'})`
    }
    default:
      return comparisonSql(condition, table)
  }
}

const comparisonSql = (
  { op, left, right }: Extract<CheckCondition, { readonly left: CheckOperand; readonly right: CheckOperand }>,
  table: CheckedTable,
): string => {
  const [one, other] = [operandSql(left, right, table), operandSql(right, left, table)]
  if (op === '==' || op === '!=') return `(${one} IS ${op === '==' ? 'NOT ' : ''}DISTINCT FROM ${other})`
  return `((${one} ${op} ${other}) IS TRUE)`
}

const operandSql = (operand: CheckOperand, other: CheckOperand, { dialect, fieldValue }: CheckedTable): string => {
  if (operand.kind === 'constant')
    return operand.stored === null ? 'NULL' : initialSql({ kind: 'constant', value: operand.stored }, dialect)
  const value = fieldValue(operand.field.name)
  // Decimals are integers of their smallest unit, which two fields may have different ones of.
  const factor = other.kind === 'field' ? unitsOf(other) / unitsOf(operand) : 1
  return factor > 1 ? `(${value} * ${factor})` : value
}

const unitsOf = ({ field: { definition } }: Extract<CheckOperand, { readonly kind: 'field' }>): number =>
  definition.role === 'value' ? unitsIn(definition.type) : 1

const unitsIn = ({ column, schema }: ValueType): number =>
  column === 'integer' && typeof schema.multipleOf === 'number' && schema.multipleOf < 1
    ? Math.round(1 / schema.multipleOf)
    : 1
