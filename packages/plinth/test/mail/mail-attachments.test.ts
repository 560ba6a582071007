// Mails with attachments and HTML of their own, through a real SMTP server.

import { featureDatabases } from '@plinth/test-kit/databases'
import { type MailServer, smtpSettings, startMailServer } from '@plinth/test-kit/mailbox'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineMail, defineModule, defineResource, file, html, integer, queueMail, text } from '../../src/index.ts'
import type { MailAttachment } from '../../src/module.ts'
import { until } from '../../src/testing/waiting.ts'

const invoice = defineMail<{ title: string; count: number }>('invoiceSent', {
  limit: { count: 100, hours: 1 },
  texts: {
    en: ({ title, count }) => ({
      subject: `Invoice ${title}`,
      greeting: 'Hello,',
      paragraphs: [`here is invoice ${title}.`],
      note: 'The shop',
      html: html`<table class="items">${Array.from({ length: count }, (_, at) => html`<tr><td>${title}-${at}</td></tr>`)}</table>`,
    }),
  },
})

const invoices = defineResource('sentInvoices', {
  about: 'Invoices that are mailed.',
  fields: {
    title: text({ required: true }),
    recipient: text({ required: true }),
    /** Bytes to attach. */
    bytes: integer({ default: 0 }),
    copies: integer({ default: 1 }),
    mediaType: text({ default: 'text/csv' }),
    paper: file(),
  },
  hooks: {
    afterCreate: async ({ record, records }) => {
      const { title, recipient, bytes, copies, mediaType, paper } = record
      const list = { name: '../list\n.csv', mediaType, content: Buffer.alloc(bytes, 'x') }
      const attachments: MailAttachment[] = [
        ...(bytes > 0 ? Array<MailAttachment>(copies).fill(list) : []),
        ...(paper ? [{ file: paper }] : []),
      ]
      await queueMail(records, invoice, { recipient, locale: 'en', content: { title, count: 2 }, attachments })
    },
  },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

const shop = defineModule({ name: 'shop', about: 'Invoices.', resources: [invoices], mails: [invoice] })

const json = { Accept: 'application/json, application/problem+json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let server: MailServer
  let service: TestService
  beforeAll(async () => {
    server = await startMailServer()
    service = await startService(database, {
      modules: [...modules, shop],
      settings: {
        ...smtpSettings(server.port),
        'app.mail.maxAttachments': '2',
        'app.mail.maxAttachmentBytes': '2048',
        'app.mail.attachmentTypes': 'text/*,application/pdf',
      },
    })
  })
  afterAll(async () => {
    await service.stop()
    await server.stop()
  })

  const create = (values: object) => service.as('staff').post('/api/rest/sentInvoices', values, json)

  const uploadPaper = async (content: string) => {
    const form = new FormData()
    form.append('paper', new Blob([content]), 'Übersicht.txt')
    const framed = new Response(form)
    const headers = { 'Content-Type': framed.headers.get('content-type') ?? '' }
    const body = new Uint8Array(await framed.arrayBuffer())
    return (await service.as('staff')('/api/rest/sentInvoices/files', { method: 'POST', headers, body })).body.paper
  }

  const mailTo = (address: string) => server.next(({ to }) => to.includes(address))

  const rowsOf = (name: string) => {
    const { store } = service.app.platform
    return store.count(store.resource(name), null)
  }

  test('bytes and a file of a record arrive under their names, and nothing stays in the outbox', async () => {
    const paper = await uploadPaper('what was bought')
    const made = await create({ title: 'A-1', recipient: 'one@example.org', bytes: 5, paper })
    expect([made.status, made.text]).toMatchObject([201, expect.any(String)])
    const { mail } = await mailTo('one@example.org')
    const attachments = mail.attachments.map(({ filename, contentType, content }) => [
      filename,
      contentType,
      `${content}`,
    ])
    expect(attachments).toEqual([
      ['list .csv', 'text/csv', 'xxxxx'],
      ['Übersicht.txt', 'text/plain', 'what was bought'],
    ])
    await service.idle()
    await until('the outbox to be empty', async () => (await rowsOf('mailAttachments')) === 0)
  })

  test('a file that its record gives up is still sent, and deleted afterwards', async () => {
    const paper = await uploadPaper('given up')
    const { body } = await create({ title: 'A-2', recipient: 'two@example.org', paper })
    await service.as('staff').delete(`/api/rest/sentInvoices/${body.pk}`)
    const { mail } = await mailTo('two@example.org')
    expect(`${mail.attachments[0]?.content}`).toBe('given up')
  })

  test('the HTML of a mail is its own, with values escaped, beside the text', async () => {
    await create({ title: 'A<b>', recipient: 'three@example.org' })
    const { mail } = await mailTo('three@example.org')
    expect(mail.html).toContain(
      '<table class="items"><tr><td>A&lt;b&gt;-0</td></tr><tr><td>A&lt;b&gt;-1</td></tr></table>',
    )
    expect(mail.html).toContain('<html lang="en">')
    expect(mail.text).toContain('here is invoice A<b>.')
  })

  test('attachments that are too large refuse the change that causes the mail', async () => {
    const refused = await create({ title: 'A-4', recipient: 'four@example.org', bytes: 3000 })
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'The attachments of an e-mail can have at most 2048 bytes together.',
    ])
    const { body } = await service.as('admin').get('/api/rest/mails?recipient=four@example.org', json)
    expect(body.content).toEqual([])
  })

  test('so do more attachments than the settings allow, and those of other types', async () => {
    const many = await create({ title: 'A-5', recipient: 'five@example.org', bytes: 5, copies: 3 })
    expect([many.status, many.body.detail]).toEqual([422, 'An e-mail can have at most 2 attachments.'])
    const other = await create({ title: 'A-6', recipient: 'five@example.org', bytes: 5, mediaType: 'image/png' })
    expect([other.status, other.body.detail]).toEqual([
      422,
      'Attachments of e-mails can be text/*, application/pdf, and not image/png.',
    ])
  })
})
