// State machines: the states that a record can take next.

import type { Item } from '../../api/records.ts'
import type { UiField } from './ui-schema.ts'
import type { FieldWithWidget } from './widgets/widget.ts'

type Stated = Pick<UiField, 'transitions' | 'initial'>

export const nextStates = ({ transitions = {}, initial = [] }: Stated, state: unknown): readonly string[] =>
  typeof state === 'string' ? (Object.hasOwn(transitions, state) && transitions[state]) || [] : initial

/** No other state can follow. */
export const isFinal = (field: Stated, state: string): boolean => nextStates(field, state).length === 0

/** The fields of a form, which offers only the states that the record can take. Null for a new record. */
export const offeringStates = (fields: readonly FieldWithWidget[], record: Item | null): readonly FieldWithWidget[] =>
  fields.map(field => {
    if (!field.transitions) return field
    const state = record?.[field.name]
    const options = [...(typeof state === 'string' ? [state] : []), ...nextStates(field, state)]
    return { ...field, options, nullable: false }
  })

/** Can every state of the change be left for the one before? Only then can the change be undone. */
export const canStepBack = (fields: readonly FieldWithWidget[], back: Readonly<Record<string, unknown>>, now: Item) =>
  fields.every(
    field =>
      !field.transitions ||
      !Object.hasOwn(back, field.name) ||
      nextStates(field, now[field.name]).some(state => state === back[field.name]),
  )
