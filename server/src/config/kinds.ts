// The kinds of values that a setting may have. All sources give text, so a value reads the same wherever it stands.

import { isIP } from 'node:net'

/** As a source gives it: text, a list of texts (YAML), or true for an option named without a value. */
export type Raw = string | readonly string[] | true

export interface Kind<T> {
  /** One word for tables. */
  readonly type: string
  /** Ends the sentence "expected …". */
  readonly expects: string
  /** Undefined when the text is no such value. */
  read(raw: Raw): T | undefined
  /** A secret value without its secret part. Kinds without this are masked whole. */
  mask?(value: T): string
  /** The secret parts of a secret value, as texts that must not be seen anywhere. Kinds without this are secret whole. */
  secretsIn?(value: T): readonly string[]
}

const ofText = <T>(type: string, expects: string, read: (text: string) => T | undefined): Kind<T> => ({
  type,
  expects,
  read: raw => (typeof raw === 'string' ? read(raw.trim()) : undefined),
})

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

export const text = (expects = 'some text'): Kind<string> => ofText('text', expects, value => value || undefined)

export const integer = (min: number, max: number): Kind<number> =>
  ofText('integer', `a whole number from ${min} to ${max}`, value => {
    const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    return number >= min && number <= max ? number : undefined
  })

export const boolean: Kind<boolean> = {
  type: 'boolean',
  expects: 'true or false',
  read: raw => {
    if (raw === true) return true
    const word = typeof raw === 'string' ? raw.trim().toLowerCase() : ''
    return word === 'true' ? true : word === 'false' ? false : undefined
  },
}

export const choice = <const T extends string>(...choices: readonly T[]): Kind<T> =>
  ofText('choice', `one of ${choices.join(', ')}`, value => choices.find(known => known === value))

/** Commas separate the items where the source has no lists of its own; no text at all is the empty list. */
export const list = <T>(item: Kind<T>): Kind<readonly T[]> => ({
  type: 'list',
  expects: `a list separated by commas, each ${item.expects}`,
  read: raw => {
    if (raw === true) return undefined
    const texts = (typeof raw === 'string' ? raw.split(',') : raw).filter(part => part.trim() !== '')
    const items = texts.map(part => item.read(part))
    return items.every(value => value !== undefined) ? items : undefined
  },
})

/** X.500 names hold commas, so semicolons separate them. */
export const x500List: Kind<readonly string[]> = {
  type: 'list',
  expects: 'X.500 names separated by semicolons',
  read: raw => {
    if (raw === true) return undefined
    return (typeof raw === 'string' ? raw.split(';') : raw).map(name => name.trim()).filter(name => name !== '')
  },
}

export const host: Kind<string> = ofText('text', 'a host name or an IP address', value =>
  /^[\w.:-]+$/.test(value) ? value : undefined,
)

/** As `node:net` takes it. */
export const network: Kind<string> = ofText('text', 'an IP address or a network such as 10.0.0.0/8', value => {
  const [address = '', prefix = '0', ...more] = value.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? value : undefined
})

/** ISO 4217. */
export const currency: Kind<string> = ofText('text', 'a currency code such as EUR', value =>
  Intl.supportedValuesOf('currency').includes(value) ? value : undefined,
)

/** A name of the tz database. */
export const timeZone: Kind<string> = ofText('text', 'a time zone such as Europe/Athens', value => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) && value
  } catch {
    return undefined
  }
})

/** `ada@example.com` or `Ada <ada@example.com>`. */
export const mailbox: Kind<string> = ofText('text', 'an e-mail address, with a name before it if wanted', value =>
  /^(?:[^<>"@,;:\\\r\n]* <)?[^\s<>@,;:"]+@[A-Za-z0-9.-]+>?$/.test(value) && value.includes('<') === value.endsWith('>')
    ? value
    : undefined,
)

/** Empty for none; else without a slash at the end, so that paths can be added. */
export const webAddress: Kind<string> = ofText('url', 'an http:// or https:// address, or nothing', value => {
  if (value === '') return ''
  const url = parseUrl(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    return undefined
  return url.href.replace(/\/+$/, '')
})

/** As browsers send it: RFC 6454, section 6.2. */
export const origin: Kind<string> = ofText(
  'text',
  'an origin such as https://shop.example (neither * nor null)',
  value => {
    const url = parseUrl(value)
    if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) return undefined
    return url.origin
  },
)

/** Empty for the embedded database. */
export const databaseAddress: Kind<string> = {
  ...ofText('url', 'a postgres:// or postgresql:// address, or nothing', value => {
    if (value === '') return ''
    return /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value) ? value : undefined
  }),
  mask: value => {
    const url = parseUrl(value)
    if (!url) return value
    if (url.password) url.password = '******'
    if (url.searchParams.has('password')) url.searchParams.set('password', '******')
    return url.href
  },
  secretsIn: value => {
    const url = parseUrl(value)
    const passwords = url ? [url.password, url.searchParams.get('password') ?? ''] : []
    return [value, ...passwords, ...passwords.map(decodeURIComponent)].filter(part => part !== '')
  },
}

/** Empty for none. */
export const cookieDomain: Kind<string> = ofText('text', 'a domain such as example.com, or nothing', value => {
  const domain = value.toLowerCase().replace(/^\./, '')
  return domain === '' || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? domain : undefined
})

/** What keys in manuals and examples are made of. */
const everydayWords =
  /your|my|our|the|this|is|not|an?|at|least|\d+|bits?|bytes?|characters?|jwt|token|signing|super|very|long|top|secret|key|change|me|it|pass(word|phrase)?|please|default|example|test|dev|abc|xyz|[^a-z]/g

/** Empty for none. RFC 7518, 3.2: a key of HS256 has at least 256 bits. */
export const signingKey: Kind<string> = ofText(
  'text',
  'at least 32 characters that nobody could guess, or nothing',
  value => {
    if (value === '') return ''
    const isGuessable = new Set(value).size < 12 || value.toLowerCase().replace(everydayWords, '').length < 4
    return value.length < 32 || isGuessable ? undefined : value
  },
)
