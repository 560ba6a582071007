// Checks over several fields of a record, evaluated while a form is edited. The service checks again: this only says it sooner.

import { ApiProblem } from '@plinth/client'
import { toText } from '../../i18n/dictionary.ts'
import type { Language } from '../../i18n/language.ts'
import { problemTexts } from '../dictionary.ts'
import { type FormValues, isSame, toBodyValue } from './form-values.ts'
import type { FormCondition, FormOperand, RecordCheck } from './ui-schema.ts'
import type { FieldWithWidget } from './widgets/widget.ts'

type ValueOf = (field: string) => unknown

const holds = (condition: FormCondition, fieldValue: ValueOf): boolean => {
  switch (condition.op) {
    case 'and':
      return condition.parts.every(part => holds(part, fieldValue))
    case 'or':
      return condition.parts.some(part => holds(part, fieldValue))
    case 'not':
      return !holds(condition.part, fieldValue)
    case 'in':
      return condition.among.some(one => isSame(operand(condition.left, fieldValue), operand(one, fieldValue)))
    case '==':
      return isSame(operand(condition.left, fieldValue), operand(condition.right, fieldValue))
    case '!=':
      return !isSame(operand(condition.left, fieldValue), operand(condition.right, fieldValue))
    default:
      return isInOrder(condition.op, operand(condition.left, fieldValue), operand(condition.right, fieldValue))
  }
}

const operand = (of: FormOperand, fieldValue: ValueOf): unknown =>
  'field' in of ? (fieldValue(of.field) ?? null) : (of.value ?? null)

const isInOrder = (op: '<' | '<=' | '>' | '>=', left: unknown, right: unknown): boolean => {
  const areNumbers = typeof left === 'number' && typeof right === 'number'
  const areTexts = typeof left === 'string' && typeof right === 'string'
  if (!areNumbers && !areTexts) return false
  if (left === right) return op === '<=' || op === '>='
  return left < right === (op === '<' || op === '<=')
}

/** A reference is its pk. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'pk' in value ? value.pk : value

export interface CheckedForm {
  readonly checks: readonly RecordCheck[]
  readonly fields: readonly FieldWithWidget[]
  /** The values of fields that the form does not show. */
  readonly record: FormValues | null
  /** What the service said of the last values that were sent. */
  readonly error: unknown
}

const messageOf = ({ rule, fields, message }: RecordCheck, language: Language): string =>
  message ?? toText(problemTexts, language)('check', { fields: fields.join(', '), rule })

const refusedChecks = (error: unknown): ReadonlySet<unknown> =>
  new Set(
    error instanceof ApiProblem
      ? error.faults.filter(({ code }) => code === 'check').map(({ params }) => params?.check)
      : [],
  )

/**
 * What to say of fields that contradict one another, by the last field of each check. While a value is missing nothing is said: it may
 * be the next that is entered; unless the service has refused the record because of it.
 */
export const brokenChecks = (
  { checks, fields, record, error }: CheckedForm,
  values: FormValues,
  language: Language,
): ReadonlyMap<string, string> => {
  const fieldValue: ValueOf = name => {
    const field = fields.find(one => one.name === name)
    return plain(field ? toBodyValue(values[name], field) : record?.[name])
  }
  const refused = refusedChecks(error)
  const broken = new Map<string, string>()
  for (const check of checks) {
    const onForm = check.fields.filter(name => fields.some(field => field.name === name))
    const last = onForm.at(-1)
    const isComplete = check.fields.every(name => (fieldValue(name) ?? null) !== null)
    if (last !== undefined && (isComplete || refused.has(check.name)) && !holds(check.condition, fieldValue))
      broken.set(last, messageOf(check, language))
  }
  return broken
}
