// Text, on one line or several, and text that is never shown.

import { type FaultReason, fault } from '../../fault.ts'
import type { Text } from '../../text.ts'
import type { Exactly, FieldOptions, OptionNames } from '../field-options.ts'
import { ValueFault } from '../value-fault.ts'
import type { ValueType } from '../value-field.ts'
import { fieldOptions, value } from './value.ts'

/** The length in characters, as JSON Schema counts them; most texts are short enough by their code units already. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

export const readPlainText =
  (max: number, min: number) =>
  (input: unknown): string => {
    if (typeof input !== 'string') throw new ValueFault(fault('text'))
    // A lone surrogate has no UTF-8 form and NUL has none in PostgreSQL: neither could be read back as written.
    if (!input.isWellFormed() || input.includes('\0')) throw new ValueFault(fault('characters'))
    if (input.length > max && lengthOf(input) > max) throw new ValueFault(fault('max_length', { max }))
    if (input.length < min) throw new ValueFault(min === 1 ? fault('not_empty') : fault('min_length', { min }))
    return input
  }

const isFault = (reason: Text | FaultReason): reason is FaultReason => typeof reason === 'object' && 'code' in reason

export interface TextPattern {
  readonly is: RegExp
  /** What a text that does not fit is refused with: a fault of the module, or a message of its own, in languages too. */
  readonly says: Text | FaultReason
  /** The form in which the text is looked at and kept. */
  readonly normal?: (text: string) => string
  /** What is wrong beyond what the expression says. */
  readonly faultOf?: (text: string) => FaultReason | null
}

interface TextOptions extends FieldOptions<string> {
  readonly max?: number
  readonly min?: number
  readonly pattern?: TextPattern
  /** The format in JSON Schema and forms. Add a `pattern` to validate it. */
  readonly format?: 'uri' | 'uri-reference' | 'email' | 'uuid' | 'hostname' | 'password'
}

const textOptions: OptionNames<TextOptions> = { ...fieldOptions, max: true, min: true, pattern: true, format: true }

export const textType = (name: string, widget: string, options: TextOptions): ValueType<string> => {
  const max = options.max ?? 255
  const min = options.min ?? (options.required ? 1 : 0)
  const plain = readPlainText(max, min)
  const pattern = options.pattern
  const read = (input: unknown): string => {
    const text = plain(pattern?.normal && typeof input === 'string' ? pattern.normal(input) : input)
    const reason = pattern && (pattern.is.test(text) ? pattern.faultOf?.(text) : pattern.says)
    if (reason) throw new ValueFault(isFault(reason) ? reason : fault('pattern', { message: reason }))
    return text
  }
  return {
    name,
    column: 'text',
    schema: {
      type: 'string',
      ...(min > 0 && { minLength: min }),
      maxLength: max,
      ...(pattern && { pattern: pattern.is.source }),
      ...(options.format && { format: options.format }),
    },
    widget,
    read,
    // A search may ask for text that no record could hold; it finds nothing.
    readText: readPlainText(Number.POSITIVE_INFINITY, 0),
    wildcards: true,
  }
}

/**
 * One line of text, at most 255 characters unless `max` says otherwise.
 *
 * @example text({ required: true, max: 200, unique: true })
 */
export const text = <const O extends TextOptions>(options?: Exactly<O, TextOptions>) =>
  value<string, O>(textType('text', 'text', options ?? {}), options ?? {}, textOptions)

/**
 * Text of several lines.
 *
 * @example longText({ max: 20_000 })
 */
export const longText = <const O extends TextOptions>(options?: Exactly<O, TextOptions>) =>
  value<string, O>(
    { ...textType('longText', 'textarea', { max: 4000, ...options }), isBulky: true },
    options ?? {},
    textOptions,
  )

/**
 * A text that is accepted and kept, but never shown nor searched.
 *
 * @example secret({ max: 100 })
 */
export const secret = <const O extends TextOptions>(options?: Exactly<O, TextOptions>) =>
  value<string, O & { readonly writeOnly: true }>(
    textType('secret', 'password', { max: 1000, ...options }),
    { ...options, writeOnly: true },
    textOptions,
  )

/** Addresses such as `javascript:` are no links, and `//host` is a path only by its looks. */
const followable = { is: /^(?:https?:\/\/[^\s\\]+|\/(?![/\\])[^\s\\]*)$/, says: fault('web_address') }

/**
 * An address that a page may show or lead to: of the web, or a path of this service.
 *
 * @example webLink()
 */
export const webLink = <const O extends FieldOptions<string>>(options?: Exactly<O, FieldOptions>) =>
  value<string, O>(
    textType('text', 'text', { max: 1000, format: 'uri-reference', pattern: followable, ...options }),
    options ?? {},
    fieldOptions,
  )
