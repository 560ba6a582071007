// Values on their way between records, forms and bodies.

import type { Item } from '../../api/records.ts'
import type { FieldWithWidget } from './widgets/widget.ts'

export type FormValues = Readonly<Record<string, unknown>>

/** What a form starts with. */
export const initialValues = (fields: readonly FieldWithWidget[], record: Item | null): FormValues =>
  Object.fromEntries(
    fields.map(({ name, writeOnly, default: usual }) => [
      name,
      writeOnly ? '' : ((record ? record[name] : usual) ?? null),
    ]),
  )

/** Returns the value as a body carries it; what was left empty is null. */
export const toBodyValue = (value: unknown, { widget }: FieldWithWidget): unknown => {
  if (value === '' || value === undefined) return null
  return widget.toBody ? widget.toBody(value) : value
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Returns what differs: fields that a person did not touch are left to others. */
export const changedValues = (
  fields: readonly FieldWithWidget[],
  before: FormValues,
  after: FormValues,
): Readonly<Record<string, unknown>> => {
  const changed: Record<string, unknown> = {}
  for (const field of fields) {
    const { name, writeOnly, isLocked } = field
    const [was, is] = [toBodyValue(before[name], field), toBodyValue(after[name], field)]
    if (isLocked || (writeOnly && is === null) || isSame(was, is)) continue
    changed[name] = is
  }
  return changed
}

/** Everything that was given. */
export const valuesToSend = (
  fields: readonly FieldWithWidget[],
  values: FormValues,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields
      .map(field => [field.name, toBodyValue(values[field.name], field)] as const)
      .filter(([, value]) => value !== null),
  )
