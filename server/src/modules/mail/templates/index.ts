// The templates by purpose.

import { addressChange } from './address-change.ts'
import { alreadyRegistered } from './already-registered.ts'
import { type ApiKeyCreated, apiKeyCreated } from './api-key-created.ts'
import { confirmation } from './confirmation.ts'
import { type Invitation, invitation } from './invitation.ts'
import { type Account, createPages, type Message, type Template, toLocale } from './message.ts'
import { passwordReset } from './password-reset.ts'

/** What each template needs to know. */
export interface Contents {
  confirmation: Account
  addressChange: Account
  passwordReset: Account
  alreadyRegistered: Account
  apiKeyCreated: ApiKeyCreated
  invitation: Invitation
}

export type Purpose = keyof Contents

const templates: { readonly [P in Purpose]: Template<Contents[P]> } = {
  confirmation,
  addressChange,
  passwordReset,
  alreadyRegistered,
  apiKeyCreated,
  invitation,
}

export const purposes = Object.keys(templates) as readonly Purpose[]

export interface Filling<P extends Purpose = Purpose> {
  readonly purpose: P
  readonly locale: string
  readonly content: Contents[P]
  /** The address of the service, for links. */
  readonly base: string
  /** For a link that opens an account. */
  readonly token?: string
}

export const fill = <P extends Purpose>({ purpose, locale, content, base, token = '' }: Filling<P>): Message =>
  templates[purpose][toLocale(locale)](content, createPages(base, token))
