// What a widget is: everything that these pages do with one kind of value. The service names the widget of each field.

import type { ComponentType } from 'react'
import type { Formats } from '../../../i18n/format.ts'
import type { FieldUse } from '../ui-schema.ts'

export interface InputProps {
  readonly field: FieldUse
  /** What every input takes. */
  readonly frame: {
    readonly label: string
    readonly name: string
    readonly error: string | undefined
    readonly required: boolean
    readonly disabled: boolean
    readonly description?: string
  }
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

export interface ValueProps {
  readonly field: FieldUse
  readonly value: unknown
}

export interface ConditionProps {
  readonly field: FieldUse
  /** The value as written in the address of the page; empty when there is no condition. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A search by one field. */
export interface FilterCondition {
  readonly Input: ComponentType<ConditionProps>
  /** What the field must be, as the client library takes it. */
  readonly toCondition: (value: string, field: FieldUse) => unknown
}

/** What texts are made with. */
export interface Words {
  readonly formats: Formats
  readonly yes: string
  readonly no: string
}

export interface Widget {
  /** The input in forms. */
  readonly Input: ComponentType<InputProps>
  /** Writes the value in one line, for lists and comparisons. Never called with null or an empty text. */
  readonly text: (value: unknown, field: FieldUse, words: Words) => string
  /** The display on the page of a record, where there is room; by default the text. */
  readonly Display?: ComponentType<ValueProps>
  /** Returns the value as a body carries it; by default as it is. */
  readonly toBody?: (value: unknown) => unknown
  /** The condition of a search by the field; without it, records cannot be searched by it. */
  readonly search?: FilterCondition
  /** Writes the value in a CSV file; by default as programs read it. */
  readonly toCell?: (value: unknown, field: FieldUse) => string
  /** Takes the whole width of a form. */
  readonly isWide?: boolean
  /** Says that its digits have the same width, so that a column of numbers lines up. */
  readonly isNumeric?: boolean
  /** The width of its column in a list, in rem. */
  readonly width?: number
}

/** One field in one use case, and its widget. */
export interface FieldWithWidget extends FieldUse {
  readonly widget: Widget
}

export const asText = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
