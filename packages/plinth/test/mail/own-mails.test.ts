// Mails of an application: its own, and its texts in place of those of standard modules.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeContextOf } from '@plinth/test-kit/code-context'
import { loadConfig, modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { simpleParser } from 'mailparser'
import { defineEndpoint, defineMail, defineModule, queueMail, replaceMail, text } from 'plinth'
import type { MailReplacement } from 'plinth/module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModel } from '../../src/app/model.ts'
import { DefinitionError } from '../../src/core/model/definition-error.ts'
import { until } from '../../src/testing/waiting.ts'

interface LoanDue {
  readonly name: string
  readonly title: string
  readonly code: string
  readonly isLate: boolean
}

const loanDue = defineMail<LoanDue>('loanDue', {
  title: { de: 'Fällige Ausleihe' },
  trusted: ['code'],
  limit: { count: 2, hours: 1 },
  texts: {
    en: ({ name, title, code, isLate }, pages) => ({
      subject: `${isLate ? 'Late' : 'Due'}: ${title}`,
      greeting: `Hello ${name},`,
      paragraphs: [`please return “${title}” (${code}).`],
      action: { label: 'My loans', href: pages('resources/loans') },
      note: 'The library',
    }),
  },
})

const ownPasswordReset = replaceMail('passwordReset', {
  en: ({ name, username }, pages) => ({
    subject: 'City library: a new password',
    greeting: `Dear ${name},`,
    paragraphs: ['Choose a new password.'],
    action: { label: 'Choose', href: pages.withToken('reset-password', { username }) },
    note: 'City library',
  }),
})

const frenchLoanDue = replaceMail(loanDue, {
  fr: ({ name, title }) => ({ subject: `À rendre : ${title}`, greeting: `Bonjour ${name},`, paragraphs: [], note: '' }),
})

const remind = defineEndpoint({
  method: 'POST',
  path: '/api/rest/reminders',
  id: 'remind',
  summary: 'Send a reminder',
  access: 'caller.signedIn',
  body: { recipient: text({ required: true }), locale: text({ required: true }), title: text({ required: true }) },
  answers: { 204: 'Queued.' },
  run: async ({ body: { recipient, locale, title }, records }) => {
    const content = { name: 'Ada', title, code: 'L.1/2', isLate: false }
    await records.transaction(transaction => queueMail(transaction, loanDue, { recipient, locale, content }))
  },
})

const library = defineModule({
  name: 'library',
  about: 'Loans.',
  resources: [],
  reservedNames: ['reminders'],
  endpoints: [remind],
  mails: [loanDue, ownPasswordReset, frenchLoanDue],
})

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite', { modules: [...modules, library], settings: { 'app.modules': '' } })
})
afterAll(() => service.stop())

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

/** The messages in the outbox folder to this address. */
const messagesTo = async (address: string) => {
  const outbox = join(service.folder, 'outbox')
  const files = (await readdir(outbox).catch(() => [])).filter(name => name.endsWith('.eml') && !name.startsWith('.'))
  const mails = await Promise.all(files.map(async file => simpleParser(await readFile(join(outbox, file)))))
  return mails.filter(({ to }) => JSON.stringify(to).includes(address))
}

const messageTo = (address: string) =>
  until('the mail', async () => {
    const [mail] = await messagesTo(address)
    return mail
  })

const send = (recipient: string, locale: string, title = 'Emma') =>
  service.as('client').post('/api/rest/reminders', { recipient, locale, title })

test('a mail of a module is sent from the outbox, and what users entered becomes no link', async () => {
  expect((await send('own@example.org', 'de', 'evil.example/prize')).status).toBe(204)
  const mail = await messageTo('own@example.org')
  expect(mail.subject).toBe('Due: evil. example prize')
  expect(mail.text).toContain('please return “evil. example prize” (L.1/2).')
  expect(mail.text).toContain(`${service.url}/client/resources/loans`)
  const { body } = await service.as('admin').get('/api/rest/mails?recipient=own@example.org')
  expect(body.content[0]).toMatchObject({ purpose: 'loanDue', subject: mail.subject, state: 'sent' })
  const schema = await service.as('admin').get('/api/rest/mails/uischema', { 'Accept-Language': 'de' })
  expect(schema.text).toContain('Fällige Ausleihe')
})

test('markup that users entered is text in both parts, and their addresses are broken up', async () => {
  await send('markup@example.org', 'en', '<b>Mail</b><br/> https://evil.example\\host me@evil.example 1/2')
  const mail = await messageTo('markup@example.org')
  const shown = '<b>Mail</b><br/> https evil. example host me evil. example 1 2'
  expect(mail.subject).toBe(`Due: ${shown}`)
  expect(mail.text).toContain(`please return “${shown}”`)
  expect(mail.html).toContain('please return “&lt;b&gt;Mail&lt;/b&gt;&lt;br/&gt; https evil.')
})

test('a replaced mail has the texts of the application, and other languages keep theirs', async () => {
  for (const username of ['client', 'simple']) {
    const { body } = await service.as('admin').get(`/api/rest/users?username=${username}`, json)
    const locale = username === 'client' ? 'en' : 'de'
    await service.as('admin').patch(`/api/rest/users/${body.content[0].pk}`, { locale }, json)
    await service.as('anonymous').put('/api/auth/account', { username })
  }
  const english = await messageTo('client@')
  expect([english.subject, english.text]).toEqual(['City library: a new password', expect.stringContaining('Dear ')])
  expect(english.text).toMatch(/reset-password#username=client&token=\S{20,}/)
  expect((await messageTo('simple@')).subject).toBe('Ein neues Passwort für Ihr Konto')
})

test('a replacement can add a language', async () => {
  await send('french@example.org', 'fr-CA')
  const mail = await messageTo('french@example.org')
  expect(mail.subject).toBe('À rendre : Emma')
  expect(mail.html).toContain('<html lang="fr">')
})

test('an address gets no more mails than the limit says', async () => {
  for (const title of ['one', 'two', 'three']) expect((await send('often@example.org', 'en', title)).status).toBe(204)
  await service.idle()
  expect((await messagesTo('often@example.org')).map(({ subject }) => subject).sort()).toEqual(['Due: one', 'Due: two'])
})

const faultsWith = (...mails: readonly unknown[]): readonly string[] => {
  const config = loadConfig({ env: {}, cwd: '/' })
  const wrong = { ...library, mails: mails as readonly MailReplacement[] }
  try {
    createModel([...modules, wrong], { config, clock: () => new Date(), codeContexts: () => codeContextOf(config) })
    return []
  } catch (error) {
    if (error instanceof DefinitionError) return error.faults.map(({ message }) => message)
    throw error
  }
}

test('mistakes in mails are reported at the start', () => {
  const texts = { en: () => ({}) }
  expect(faultsWith({ replaces: 'pasword', texts }, { replaces: 'passwordReset', texts: { en: 'Hello' } })).toEqual([
    "no module has the mail 'pasword' that is replaced; the mails are confirmation, addressChange, welcome, apiKeyCreated, passwordReset, alreadyRegistered, invitation, dataExportReady, accountDeletionRequested, accountDeleted, webhookAddress, scheduledReport",
    "mail 'passwordReset': the text in 'en' must be a function of its content",
  ])
  expect(faultsWith({ replaces: 'pasworReset', texts })).toEqual([
    "no module has the mail 'pasworReset' that is replaced; did you mean 'passwordReset'?",
  ])
  expect(faultsWith({ name: 'loan due', texts: { de: texts.en } }, { name: 'invitation', texts })).toEqual([
    "several modules declare the mail 'invitation'; rename all but one",
    "mail 'loan due': names are camelCase, such as 'loanDue'",
    "mail 'loan due': needs a text in English, 'en'",
  ])
  expect(faultsWith(ownPasswordReset, ownPasswordReset)).toEqual([
    "several modules replace the mail 'passwordReset' in 'en'; remove all but one",
  ])
})
