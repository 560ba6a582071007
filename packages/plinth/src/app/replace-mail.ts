// replaceMail: an application's own texts in place of those of a standard module or a package.

import type { MailDefinition, MailReplacement, MailTexts } from '../core/mail.ts'
import type { StandardMails } from './standard-modules.ts'

/**
 * Replaces the texts of a mail in some languages, or adds languages. List it in `mails` of a module of your application. Name a
 * standard mail, or give the definition that a package exports.
 *
 * @example
 * const ownPasswordReset = replaceMail('passwordReset', {
 *   en: ({ name, username }, pages) => ({
 *     subject: 'City library: your new password',
 *     greeting: `Dear ${name},`,
 *     paragraphs: ['Choose a new password within 24 hours.'],
 *     action: { label: 'Choose a password', href: pages.withToken('reset-password', { username }) },
 *     note: 'City library',
 *   }),
 * })
 */
export function replaceMail<Name extends keyof StandardMails>(
  name: Name,
  texts: Partial<StandardMails[Name]['texts']>,
): MailReplacement
export function replaceMail<Content extends object, Pages>(
  mail: MailDefinition<Content, Pages>,
  texts: Partial<MailTexts<Content, Pages>>,
): MailReplacement
export function replaceMail(
  mail: string | { readonly name: string },
  texts: MailReplacement['texts'],
): MailReplacement {
  return { replaces: typeof mail === 'string' ? mail : mail.name, texts }
}
