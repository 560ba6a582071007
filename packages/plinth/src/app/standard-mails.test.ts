// Every standard mail in every language: as a page and as text they say the same, and no part is left out.

import { codeContextOf } from '@plinth/test-kit/code-context'
import { loadConfig } from '@plinth/test-kit/platform'
import { expect, test } from 'vitest'
import type { MailDefinition } from '../core/mail.ts'
import { toHtml, toText } from '../modules/mail/message.ts'
import { fill as fillMail, type TemplateInput } from '../modules/mail/templates.ts'
import { standardMails } from './standard-modules.ts'

const templates: ReadonlyMap<string, MailDefinition> = new Map(Object.entries(standardMails))
const { settings } = codeContextOf(loadConfig({ env: {}, cwd: '/' }))
const fill = (input: TemplateInput, mails = templates) => fillMail({ mails, settings }, input)

const purposes = [...templates.keys()]
const locales = ['en', 'de']

const brand = { name: 'City library', home: 'https://plinth.example/client/', logo: null, color: null }

const content = {
  name: 'Ada <b>',
  username: 'ada',
  inviter: 'Charles & co',
  email: 'ada@example.org',
  keyName: 'nightly export',
  until: '2030-01-15',
  webhookName: 'The warehouse',
  host: 'receiver.example',
  title: 'Revenue',
  report: 'revenue',
}

/** The page without its markup, as a reader would see it. */
const readable = (html: string): string =>
  html
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const cases = purposes.flatMap(purpose => locales.map(locale => [purpose, locale] as const))

test.each(cases)('%s in %s', (purpose, locale) => {
  const message = fill({ purpose, locale, content, base: 'https://plinth.example', token: 'a-token' })
  const [html, text] = [toHtml(message, brand), toText(message, brand)]
  expect(html).toContain(`<html lang="${locale}">`)
  expect(`${message.subject}${text}${html}`).not.toMatch(/undefined|\[object|null/)
  expect(html).not.toContain('<b>')
  const lines = text.split('\n').filter(line => line !== '')
  for (const line of lines) expect(readable(html)).toContain(line.replace(/:$/, ''))
  const links = [...text.matchAll(/https:\/\/\S+/g)].map(([link]) => link)
  for (const link of links) expect(link).toMatch(/^https:\/\/plinth\.example\/client\//)
  // Browsers do not send what is behind `#`.
  for (const link of links) expect(link.replace(/#.*/, '')).not.toContain('token')
})

test.each(
  locales.flatMap(locale => (['confirmation', 'addressChange'] as const).map(purpose => [purpose, locale] as const)),
)('%s in %s, which may go to a stranger, contains no web address but our own', (purpose, locale) => {
  const odd = { ...content, username: 'evil.example/prize' }
  const { action, ...said } = fill({ purpose, locale, content: odd, base: 'https://plinth.example' })
  expect(JSON.stringify(said)).toContain('evil. example prize')
  expect(action?.href).toContain('username=evil.example%2Fprize')
})

test.each(purposes)('%s has another text in each language', purpose => {
  const subjects = locales.map(locale => fill({ purpose, locale, content, base: '' }).subject)
  expect(new Set(subjects).size).toBe(locales.length)
})

test.each([
  ['de-AT', 'de'],
  ['DE_ch', 'de'],
  ['fr', 'en'],
  ['constructor', 'en'],
  ['', 'en'],
])('a recipient with the locale %j gets the text in %s', (locale, language) => {
  const filled = fill({ purpose: 'passwordReset', locale, content, base: '' })
  expect(filled).toEqual(fill({ purpose: 'passwordReset', locale: language, content, base: '' }))
})

test('a mail shows the logo of the application, and has its colour', () => {
  const message = fill({ purpose: 'passwordReset', locale: 'en', content, base: 'https://plinth.example' })
  const html = toHtml(message, { ...brand, logo: 'https://plinth.example/client/assets/logo-1.png', color: '#0b7285' })
  expect(html).toContain('<img src="https://plinth.example/client/assets/logo-1.png" alt=""')
  expect(html).toContain('background:#0b7285')
})

test('a text in the language of a region comes before that of the language', () => {
  const mail = standardMails.invitation
  const texts = { ...mail.texts, 'pt-BR': mail.texts.en, pt: mail.texts.en }
  const languageOf = (locale: string) =>
    fill({ purpose: 'invitation', locale, content, base: '' }, new Map([['invitation', { ...mail, texts }]])).language
  expect(['pt_BR', 'pt-br', 'pt-PT', 'fr-CA'].map(languageOf)).toEqual(['pt-BR', 'pt-BR', 'pt', 'en'])
})
