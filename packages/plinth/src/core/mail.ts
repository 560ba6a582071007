// Mails that modules send: their texts by language, and the texts that an application puts in their place.

import type { Html } from './html.ts'
import type { CodeContext } from './model/code-context.ts'
import { type DefinitionFault, didYouMean } from './model/definition-error.ts'
import type { Title } from './model/words.ts'

/** What a mail says. The service makes text and HTML of it, and escapes everything. */
export interface MailMessage {
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** What the recipient can do, if anything. */
  readonly action?: { readonly label: string; readonly href: string }
  /** Small print below. */
  readonly note: string
  /**
   * The body of the HTML part, made by the tag `html`, in place of the one that the service makes of the parts above. The text part is
   * always made of those.
   */
  readonly html?: Html
}

/** Bytes under a name, or a file that a record has. */
export type MailAttachment =
  | { readonly name: string; readonly mediaType: string; readonly content: Uint8Array | string }
  | { readonly file: AttachedFile }

/** A file as the value of a field of a record. */
export interface AttachedFile {
  readonly pk: string
  readonly name: string
  readonly mediaType: string
  readonly size: number
}

/** Addresses of pages of the web client. */
export type ClientPages = (page: string, query?: Readonly<Record<string, string>>) => string

/** The pages of the client, with the addresses of pages that open an account. */
export interface AccountPages extends ClientPages {
  /** The token comes after `#`: browsers do not send it, so it gets into no log. */
  withToken(page: string, account: { readonly username: string }): string
}

/** What the texts of a mail find besides their content: the values of settings, when the mail is queued and when it is sent. */
export type MailContext = Pick<CodeContext, 'settings'>

type MailText<Content, Pages> = (content: Content, pages: Pages, context: MailContext) => MailMessage

/** The texts of a mail by language, such as `de`. Recipients with another language get the English text. */
export interface MailTexts<Content, Pages = ClientPages> {
  readonly en: MailText<Content, Pages>
  readonly [language: string]: MailText<Content, Pages> | undefined
}

/** What `defineMail` takes. */
export interface MailOptions<Content extends object, Pages = ClientPages> {
  /** What it is called in the outbox; by default derived from the name. */
  readonly title?: Title
  readonly texts: MailTexts<Content, Pages>
  /**
   * Parts of the content that the service has made or checked. All others count as entered by users: they are shortened, and what
   * mail clients would turn into a link is broken up.
   */
  readonly trusted?: readonly (keyof Content & string)[]
  /** Does the recipient wait for it? Then it is sent before others. True unless given. */
  readonly isUrgent?: boolean
  /** How many of these mails an address gets at most, and in how many hours: 5 per hour unless given. */
  readonly limit?: { readonly count: number; readonly hours: number }
}

/** A mail that a module sends. Made by `defineMail`. */
export interface MailDefinition<Content extends object = never, Pages = AccountPages>
  extends MailOptions<Content, Pages> {
  readonly name: string
}

/** Texts in place of those of another module. Made by `replaceMail`. */
export interface MailReplacement {
  /** The name of the mail. */
  readonly replaces: string
  /** Languages that are not among them keep their texts. */
  readonly texts: Partial<MailTexts<never, AccountPages>>
}

/**
 * Declares a mail. List it in `mails` of your module, and send it by `queueMail`.
 *
 * @example
 * export const loanDue = defineMail<{ name: string; title: string }>('loanDue', {
 *   texts: {
 *     en: ({ name, title }, pages) => ({
 *       subject: 'A book is due',
 *       greeting: `Hello ${name},`,
 *       paragraphs: [`please return “${title}”.`],
 *       action: { label: 'My loans', href: pages('resources/loans') },
 *       note: 'You get this e-mail because you have borrowed a book.',
 *     }),
 *   },
 * })
 */
export const defineMail = <Content extends object>(
  name: string,
  options: MailOptions<Content>,
): MailDefinition<Content, ClientPages> => ({ ...options, name })

const isReplacement = (mail: MailDefinition | MailReplacement): mail is MailReplacement => 'replaces' in mail

/** A module, as far as its mails are concerned. */
interface MailOwner {
  readonly name: string
  readonly mails?: readonly (MailDefinition | MailReplacement)[]
}

/** The mails of all modules by name, with the texts that replace others. */
export const mailsOf = (modules: readonly MailOwner[]): ReadonlyMap<string, MailDefinition> => {
  const found = new Map<string, MailDefinition>()
  const all = modules.flatMap(({ mails = [] }) => mails)
  for (const mail of all) if (!isReplacement(mail)) found.set(mail.name, mail)
  for (const one of all) {
    const mail = isReplacement(one) && found.get(one.replaces)
    if (mail) found.set(mail.name, { ...mail, texts: { ...mail.texts, ...one.texts } })
  }
  return found
}

/** What is wrong with the mails of these modules. */
export const mailFaults = (modules: readonly MailOwner[]): readonly DefinitionFault[] => {
  const names = modules.flatMap(({ mails = [] }) => mails.flatMap(mail => (isReplacement(mail) ? [] : [mail.name])))
  const texts = modules.flatMap(({ mails = [] }) => mails.filter(isReplacement).flatMap(placesOf))
  return [
    ...repeated(names).map(name => ({ message: `several modules declare the mail '${name}'; rename all but one` })),
    ...repeated(texts).map(text => ({ message: `several modules replace the mail ${text}; remove all but one` })),
    ...modules.flatMap(module =>
      (module.mails ?? [])
        .flatMap(mail => (isReplacement(mail) ? replacementFaults(mail, names) : definitionFaults(mail)))
        .map(message => ({ module: module.name, message, definition: module })),
    ),
  ]
}

const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, at) => names.indexOf(name) < at)),
]

const placesOf = ({ replaces, texts }: MailReplacement): readonly string[] =>
  Object.keys(texts).map(language => `'${replaces}' in '${language}'`)

const replacementFaults = ({ replaces, texts }: MailReplacement, names: readonly string[]): readonly string[] => [
  ...(names.includes(replaces)
    ? []
    : [`no module has the mail '${replaces}' that is replaced${hint(names, replaces)}`]),
  ...textFaults(replaces, texts),
]

const hint = (names: readonly string[], name: string): string =>
  didYouMean(names, name) || `; the mails are ${names.join(', ')}`

const definitionFaults = ({ name, texts }: MailDefinition): readonly string[] => [
  ...(/^[a-z][A-Za-z0-9]*$/.test(name) ? [] : [`mail '${name}': names are camelCase, such as 'loanDue'`]),
  ...(typeof texts?.en === 'function' ? [] : [`mail '${name}': needs a text in English, 'en'`]),
  ...textFaults(name, texts),
]

const textFaults = (name: string, texts: object = {}): readonly string[] =>
  Object.entries(texts)
    .filter(([, text]) => text !== undefined && typeof text !== 'function')
    .map(([language]) => `mail '${name}': the text in '${language}' must be a function of its content`)
