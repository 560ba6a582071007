// Makes messages of the mails that modules declare: finds the text in the language of the recipient, and fills it in.

import type { AccountPages, MailContext, MailDefinition, MailMessage, MailOptions } from '../../core/mail.ts'
import type { TokenPurpose } from './tokens.ts'

/** The mails of all modules by name, and the settings that their texts read. */
export interface MailTemplates extends MailContext {
  readonly mails: ReadonlyMap<string, MailDefinition>
}

/** The content of mails about an account. */
export interface NamedAccount {
  readonly name: string
  readonly username: string
}

/** A mail with a link that opens the account of its recipient. */
export interface LinkMailDefinition<P extends TokenPurpose = TokenPurpose>
  extends MailDefinition<NamedAccount, AccountPages> {
  readonly name: P
}

export const defineLinkMail = <P extends TokenPurpose>(
  name: P,
  options: MailOptions<NamedAccount, AccountPages>,
): LinkMailDefinition<P> => ({ trusted: ['username'], ...options, name })

/**
 * A name that looks like an address would become a link in mail clients, of which strangers could make the service a sender. Tags are no
 * links: they stay, and are escaped in HTML.
 */
export const disarm = (name: string): string =>
  name
    .replace(/(?:[:\\@]|(?<!<)\/(?!>))+/g, ' ')
    .replace(/([.\u2024\u3002\uff0e\uff61])(?=\S)/g, '$1 ')
    .slice(0, 80)

export interface TemplateInput {
  readonly purpose: string
  readonly locale: string
  /** The content as `queueMail` has stored it. */
  readonly content: object
  /** The address of the service, for links. */
  readonly base: string
  /** The token of a link that opens an account. */
  readonly token?: string
}

export interface FilledMail extends MailMessage {
  readonly language: string
}

export const fill = (
  { mails, settings }: MailTemplates,
  { purpose, locale, content, base, token = '' }: TemplateInput,
): FilledMail => {
  const texts = mails.get(purpose)?.texts
  if (!texts) throw new Error(`no module declares the mail '${purpose}' in its list of mails`)
  const language = languageOf(locale, texts)
  const text = texts[language] ?? texts.en
  // The mail was queued with the content of its definition.
  return { ...text(content as never, createPages(base, token), { settings }), language }
}

/** The language of a locale: `pt-BR` has the texts in `pt-BR`, else those in `pt`, else the English ones. */
const languageOf = (locale: string, texts: object): string => {
  const whole = locale.replaceAll('_', '-').toLowerCase()
  const [language] = whole.split('-')
  const known = Object.keys(texts)
  return known.find(one => one.toLowerCase() === whole) ?? known.find(one => one === language) ?? 'en'
}

const createPages = (base: string, token: string): AccountPages => {
  const pages = (page: string, query: Readonly<Record<string, string>> = {}) => {
    const search = new URLSearchParams(query).toString()
    return `${base}/client/${page}${search && `?${search}`}`
  }
  return Object.assign(pages, {
    withToken: (page: string, { username }: Pick<NamedAccount, 'username'>) =>
      `${pages(page)}#${new URLSearchParams({ username, token })}`,
  })
}
