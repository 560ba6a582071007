// The templates by purpose.

import { addressChange } from './address-change.ts'
import { type AlreadyRegistered, alreadyRegistered } from './already-registered.ts'
import { confirmation } from './confirmation.ts'
import { type Invitation, invitation } from './invitation.ts'
import { type AccountLink, createPages, type Message, type Template, toLocale } from './message.ts'
import { passwordReset } from './password-reset.ts'

/** What each template needs to know. */
export interface Contents {
  confirmation: AccountLink
  addressChange: AccountLink
  passwordReset: AccountLink
  alreadyRegistered: AlreadyRegistered
  invitation: Invitation
}

export type Purpose = keyof Contents

const templates: { readonly [P in Purpose]: Template<Contents[P]> } = {
  confirmation,
  addressChange,
  passwordReset,
  alreadyRegistered,
  invitation,
}

export const purposes = Object.keys(templates) as readonly Purpose[]

export interface Filling<P extends Purpose = Purpose> {
  readonly purpose: P
  readonly locale: string
  readonly content: Contents[P]
  /** The address of the service, for links. */
  readonly base: string
}

export const fill = <P extends Purpose>({ purpose, locale, content, base }: Filling<P>): Message =>
  templates[purpose][toLocale(locale)](content, createPages(base))
