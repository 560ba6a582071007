// Addresses as people paste them: one to a line or separated by commas and semicolons, with or without a name.

import { isEmail } from '../../mail/index.ts'

export interface Recipient {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

export interface ReadLines {
  readonly recipients: readonly Recipient[]
  /** What cannot be understood, as it was written. */
  readonly invalid: readonly string[]
}

const named = /^"?([^"<>]*)(?:"\s*)?<([^<>\s]+)>$/

export const readAddressLines = (text: string): ReadLines => {
  const recipients: Recipient[] = []
  const invalid: string[] = []
  for (const entry of text.split(/[\r\n,;]+/).map(part => part.trim())) {
    if (entry === '') continue
    const [, name = '', bracketed] = named.exec(entry) ?? []
    const email = bracketed ?? entry
    if (isEmail(email)) recipients.push({ email, ...splitName(name) })
    else invalid.push(entry.slice(0, 254))
  }
  return { recipients, invalid }
}

const splitName = (name: string): { firstName: string; lastName: string } => {
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  return { firstName: firstName.slice(0, 100), lastName: rest.join(' ').slice(0, 100) }
}
