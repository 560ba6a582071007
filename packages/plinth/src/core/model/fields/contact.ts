// How people and pages are reached: e-mail addresses, phone numbers and web addresses.

import { fault } from '../../fault.ts'
import { emailPattern } from '../email-address.ts'
import type { Exactly, FieldOptions } from '../field-options.ts'
import { type TextPattern, textType } from './text.ts'
import { fieldOptions, value } from './value.ts'

/**
 * An e-mail address, at most 254 characters. With `unique: 'ignoreCase'`, one that differs only in case counts as the same.
 *
 * @example email({ required: true })
 */
export const email = <const O extends FieldOptions<string>>(options?: Exactly<O, FieldOptions>) =>
  value<string, O>(
    textType('email', 'email', { max: 254, format: 'email', pattern: emailPattern, ...options }),
    options ?? {},
    fieldOptions,
  )

const phonePattern: TextPattern = {
  is: /^\+?[0-9][0-9 ()./-]{3,38}$/,
  says: fault('telephone'),
  normal: text => text.trim(),
}

/**
 * A phone number as people write it: digits, blanks and `( ) . / -`, with `+` at the start where the country is given.
 *
 * @example phone()
 */
export const phone = <const O extends FieldOptions<string>>(options?: Exactly<O, FieldOptions>) =>
  value<string, O>(
    textType('phone', 'phone', { max: 40, pattern: phonePattern, ...options }),
    options ?? {},
    fieldOptions,
  )

const urlPattern: TextPattern = {
  is: /^https?:\/\/[^\s\\]+$/,
  says: fault('url'),
  normal: text => text.trim(),
  faultOf: text => (URL.canParse(text) ? null : fault('url')),
}

/**
 * An address of the web, which begins with http:// or https://. Use `webLink` where paths of this service are allowed too.
 *
 * @example url()
 */
export const url = <const O extends FieldOptions<string>>(options?: Exactly<O, FieldOptions>) =>
  value<string, O>(
    textType('url', 'url', { max: 2000, format: 'uri', pattern: urlPattern, ...options }),
    options ?? {},
    fieldOptions,
  )
