// Checks over several fields, for clients: forms evaluate them before they send.

import { conditionToJson } from '../model/check-condition.ts'
import { checksOf, type FieldCheck } from '../model/checks.ts'
import type { JsonSchema } from '../model/json.ts'
import type { View } from '../model/view.ts'
import { inLanguage } from '../model/words.ts'

/** The checks whose fields the caller may all see. */
const visibleChecks = ({ resource, fields: visible }: View): readonly FieldCheck[] =>
  checksOf(resource).filter(({ fields }) => fields.every(({ name }) => visible.has(name)))

const checksJson = (view: View, language: string): JsonSchema[] =>
  visibleChecks(view).map(({ name, rule, condition, fields, message }) => ({
    name,
    rule: rule.replaceAll('record.', ''),
    fields: fields.map(field => field.name),
    condition: conditionToJson(condition),
    ...(message !== undefined && { message: inLanguage(message, language) }),
  }))

const where = (key: string, checks: readonly JsonSchema[]): JsonSchema => (checks.length > 0 ? { [key]: checks } : {})

export const checksFor = (view: View, language: string): JsonSchema => where('checks', checksJson(view, language))

export const checkMarks = (view: View, language: string): JsonSchema => where('x-checks', checksJson(view, language))
