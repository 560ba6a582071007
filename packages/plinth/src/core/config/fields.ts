// Field types that settings need beyond those of resources. All sources give text, so a value is written alike everywhere.

import { isIP } from 'node:net'
import { fault } from '../fault.ts'
import type { Exactly, FieldOptions, OptionNames } from '../model/field-options.ts'
import { fieldOptions, value } from '../model/fields/value.ts'
import { ValueFault } from '../model/value-fault.ts'
import { type ValueField, type ValueType, valueToJson } from '../model/value-field.ts'

/** A type of settings that holds a secret in one part only. Other secrets are masked whole. */
export interface SecretType<T = unknown> extends ValueType<T> {
  /** The value without its secret part. */
  mask(value: T): string
  /** The secret parts, as texts that must not appear anywhere. */
  secretsIn(value: T): readonly string[]
}

/** Text of a source → the value, with every check of the type; throws ValueFault. */
export const readSettingText = (type: ValueType, text: string): unknown => {
  const trimmed = text.trim()
  const written = type.column === 'boolean' ? trimmed.toLowerCase() : trimmed
  return type.read(valueToJson(type, type.readText(written)))
}

/** A value as it is written in a source. */
export const settingText = (type: ValueType, value: unknown): string => String(valueToJson(type, value) ?? '')

const textTypeOf = (
  name: string,
  message: string,
  normalize: (text: string) => string | undefined,
): ValueType<string> => {
  const read = (input: unknown): string => {
    const text = typeof input === 'string' ? normalize(input.trim()) : undefined
    if (text === undefined) throw new ValueFault(fault('pattern', { message }))
    return text
  }
  return { name, column: 'text', schema: { type: 'string' }, widget: 'text', read, readText: read, wildcards: false }
}

/**
 * Declares a type of texts of a certain form. `normalize` gives the form in which a text is kept, and undefined for one that
 * is not of this form.
 *
 * @example
 * const isbn = defineTextType('text', 'must be an ISBN of 13 digits', value =>
 *   /^97[89]\d{10}$/.test(value) ? value : undefined,
 * )
 */
export const defineTextType = (name: string, message: string, normalize: (text: string) => string | undefined) => {
  const type = textTypeOf(name, message, normalize)
  return <const O extends FieldOptions<string>>(options?: Exactly<O, FieldOptions>) =>
    value<string, O>(type, options ?? {}, fieldOptions)
}

interface ListOptions<T = unknown> extends FieldOptions<readonly T[]> {
  /** What separates the items in text; a comma by default. */
  readonly separator?: string
}

const listOptions: OptionNames<ListOptions> = { ...fieldOptions, separator: true }

/**
 * A list of values of one type. YAML lists are understood; an empty text is an empty list.
 *
 * @example branches: settingList(text(), { default: ['main'], about: 'The branches of the library.' })
 */
export const list = <Input, const O extends ListOptions<NonNullable<Input>>>(
  item: ValueField<unknown, Input>,
  options?: Exactly<O, ListOptions>,
) => {
  const readItem = (input: unknown): NonNullable<Input> =>
    (typeof input === 'string' ? readSettingText(item.type, input) : item.type.read(input)) as NonNullable<Input>
  const read = (input: unknown): readonly NonNullable<Input>[] => {
    if (!Array.isArray(input)) throw new ValueFault(fault('list'))
    return input.map(readItem)
  }
  const { separator = ',', ...shared } = { ...options } as ListOptions
  return value<readonly NonNullable<Input>[], O>(
    {
      name: 'list',
      column: 'json',
      schema: { type: 'array', items: item.type.schema },
      widget: 'tags',
      read,
      readText: text => read(text.split(separator).filter(part => part.trim() !== '')),
      wildcards: false,
    },
    shared as FieldOptions<readonly NonNullable<Input>[]>,
    listOptions,
  )
}

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/**
 * A setting: a host name or an IP address.
 *
 * @example hostName({ default: '', about: 'The host of the label printer.' })
 */
export const hostName = defineTextType('text', 'must be a host name or an IP address', text =>
  /^[\w.:-]+$/.test(text) ? text : undefined,
)

/**
 * A network as `node:net` takes it.
 *
 * @example network({ default: '10.0.0.0/8', about: 'The network of the shops.' })
 */
export const network = defineTextType('text', 'must be an IP address or a network such as 10.0.0.0/8', text => {
  const [address = '', prefix = '0', ...more] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? text : undefined
})

/**
 * An address that is kept without a slash at the end, so that paths can be added.
 *
 * @example webAddress({ default: '', about: 'The address of the service for rates.' })
 */
export const webAddress = defineTextType('url', 'must be an http:// or https:// address', text => {
  const url = parseUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    return undefined
  return url.href.replace(/\/+$/, '')
})

/**
 * An origin as browsers send it: RFC 6454, section 6.2.
 *
 * @example origin({ default: 'https://shop.example', about: 'The web site of the shop.' })
 */
export const origin = defineTextType(
  'text',
  'must be an origin such as https://shop.example (neither * nor null)',
  text => {
    const url = parseUrl(text)
    if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) return undefined
    return url.origin
  },
)

const databaseType: SecretType<string> = {
  ...textTypeOf('url', 'must be a postgres:// or postgresql:// address', text =>
    /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text) ? text : undefined,
  ),
  mask: address => {
    const url = parseUrl(address)
    if (!url) return address
    if (url.password) url.password = '******'
    if (url.searchParams.has('password')) url.searchParams.set('password', '******')
    return url.href
  },
  secretsIn: address => {
    const url = parseUrl(address)
    const passwords = url ? [url.password, url.searchParams.get('password') ?? ''] : []
    return [address, ...passwords, ...passwords.map(decodeURIComponent)].filter(part => part !== '')
  },
}

/** The address of a PostgreSQL database, whose password is secret. */
export const databaseAddress = <const O extends FieldOptions<string>>(options?: Exactly<O, FieldOptions>) =>
  value<string, O & { readonly writeOnly: true }>(databaseType, { ...options, writeOnly: true }, fieldOptions)
