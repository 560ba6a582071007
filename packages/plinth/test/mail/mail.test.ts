// Mails: caused by requests, sent in the background, once, to the right person, whatever the mail server does.

import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClock, days } from '@plinth/test-kit/clock'
import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { linkIn, type MailServer, type ReceivedMail, smtpSettings, startMailServer } from '@plinth/test-kit/mailbox'
import { clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

const invite = (service: TestService, ...recipients: object[]) =>
  service.as('client').post('/api/rest/invitations', { recipients })

const to =
  (address: string) =>
  (delivery: ReceivedMail): boolean =>
    delivery.to.includes(address)

/** Reads again and again until the value fits. */
const readUntil = async <T>(read: () => Promise<T>, fits: (value: T) => boolean): Promise<T> =>
  (
    await until('the outbox to change', async () => {
      const value = await read()
      return fits(value) && { value }
    })
  ).value

const mailTo = async (service: TestService, recipient: string) =>
  (await service.as('admin').get(`/api/rest/mails?recipient=${encodeURIComponent(recipient)}`)).body.content[0]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  describe('with a mail server', () => {
    let server: MailServer
    let service: TestService
    beforeAll(async () => {
      server = await startMailServer({ refuses: address => (address.startsWith('refused') ? 550 : null) })
      service = await startService(database, { settings: { 'app.modules': '', ...smtpSettings(server.port) } })
    })
    afterAll(async () => {
      await service.stop()
      await server.stop()
    })

    test('a mail has a text and a page that say the same, one recipient and one link to the client', async () => {
      await invite(service, { email: 'ada@example.org', firstName: 'Ada' })
      const delivery = await server.next(to('ada@example.org'))
      expect(delivery).toMatchObject({ from: 'service@example.org', to: ['ada@example.org'] })
      const { mail } = delivery
      expect(mail.subject).toBe('Clive Entwhistle invites you')
      expect(mail.text).toContain('Hello Ada,')
      expect(mail.html).toContain('<p>Hello Ada,</p>')
      expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
      expect(mail.from?.value).toEqual([{ name: 'Plinth', address: 'service@example.org' }])
      expect(mail.text).toContain(`Plinth\n${service.url}/client/`)
      const link = linkIn(delivery)
      expect(link.href).toBe(`${service.url}/client/register?email=ada%40example.org`)
      expect(mail.html).toContain(link.href)
    })

    test('a mail that was sent is not sent again, and the outbox says so without what it said', async () => {
      await invite(service, { email: 'once@example.org' })
      await server.next(to('once@example.org'))
      const kept = await readUntil(
        () => mailTo(service, 'once@example.org'),
        mail => mail?.state === 'sent',
      )
      expect(kept).toMatchObject({ purpose: 'invitation', attempts: 1, nextAttempt: null, lastError: null })
      expect(JSON.stringify(kept)).not.toContain('/client/')
      expect(kept).not.toHaveProperty('content')
      expect((await service.as('admin').get(`/api/rest/mails/${kept.pk}/message`)).status).toBe(404)
      await service.idle()
      expect(server.deliveries.filter(to('once@example.org'))).toHaveLength(1)
    })

    test('only administrators read the outbox, and no user writes it', async () => {
      for (const user of ['operator', 'client'] as const)
        expect((await service.as(user).get('/api/rest/mails')).status).toBe(403)
      expect((await service.as('anonymous').get('/api/rest/mails')).status).toBe(401)
      expect((await service.as('admin').post('/api/rest/mails', { recipient: 'x@example.org' })).status).toBe(403)
      const { pk } = await mailTo(service, 'once@example.org')
      expect((await service.as('admin').patch(`/api/rest/mails/${pk}`, { state: 'waiting' })).status).toBe(403)
      expect((await service.as('admin').get('/api/rest/mailContents')).status).toBe(404)
      expect((await service.as('admin').get('/api/rest/mails?content=x')).status).toBe(400)
    })

    test.each([
      ['a line break', 'Eve\r\nBcc: victim@example.org'],
      ['a bare line feed', 'Eve\nX-Evil: yes\n\nbody'],
      ['a separator of lines', 'Eve\u2028Bcc: victim@example.org'],
      ['an encoded line break', 'Eve%0D%0ABcc: victim@example.org'],
      ['an encoded word', '=?utf-8?q?Eve=0D=0ABcc:_victim@example.org?='],
    ])('a name with %s adds no header and no recipient', async (_, firstName) => {
      const email = `inject${Math.random().toString(36).slice(2)}@example.org`
      await service
        .as('simple')
        .patch('/api/rest/users/00000000-0000-7000-8000-000000000005', { firstName: firstName.slice(0, 100) })
      await service.as('simple').post('/api/rest/invitations', { recipients: [{ email, firstName }] })
      const delivery = await server.next(to(email))
      expect(delivery.to).toEqual([email])
      const head = delivery.raw.split('\r\n\r\n')[0] ?? ''
      expect(head).not.toMatch(/^(bcc|x-evil):/im)
      expect(delivery.mail.to).toMatchObject({ value: [{ address: email }] })
      expect(delivery.mail.bcc).toBeUndefined()
    })

    test.each(['jörg.müller@bücher.example', '用户@例子.example', 'анна@example.org'])(
      'an address beyond ASCII receives mails: %s',
      async email => {
        await invite(service, { email })
        const { mail, isInternational } = await server.next(({ mail: { to: listed } }) =>
          [listed].flat().some(one => one?.text.normalize('NFC').startsWith(email.split('@')[0] ?? '')),
        )
        expect(isInternational).toBe(true)
        expect(mail.text).toContain(`email=${encodeURIComponent(email)}`)
        expect(await mailTo(service, email)).toMatchObject({ recipient: email })
      },
    )

    test.each([
      ['scripts that look alike', 'pаypal@example.org'],
      ['other forms of letters', 'ｊoerg@example.org'],
      ['signs that are no letters', 'a\u200bb@example.org'],
      ['a domain that name servers do not know', 'jörg@-bücher-.example'],
    ])('an address with %s is refused', async (_, email) => {
      const { body } = await service.as('simple').post('/api/rest/invitations', { recipients: [{ email }] })
      expect(body).toMatchObject({ invited: [], invalid: [email] })
      expect(await mailTo(service, email)).toBeUndefined()
    })

    test('a name is text in the page, neither markup nor a link', async () => {
      const firstName = '<a href="https://evil.example">win</a>'
      await invite(service, { email: 'markup@example.org', firstName })
      const { mail } = await server.next(to('markup@example.org'))
      expect(mail.html).not.toContain('<a href="https://evil')
      expect(`${mail.html}${mail.text}`).not.toContain('evil.example')
      expect(`${mail.html}`.match(/<a /g)).toHaveLength(1)
    })

    test('a recipient whom the server refuses for good is given up at once, without its words', async () => {
      await invite(service, { email: 'refused@example.org' })
      const kept = await readUntil(
        () => mailTo(service, 'refused@example.org'),
        mail => mail?.state === 'failed',
      )
      expect(kept).toMatchObject({ attempts: 1, nextAttempt: null, lastError: 'EENVELOPE 550' })
    })
  })

  test('a server that is down fails no request; the mail goes out when it is back, later each time', async () => {
    let now = new Date('2030-01-01T00:00:00Z')
    const away = await startMailServer()
    await away.stop()
    const settings = { 'app.modules': '', ...smtpSettings(away.port), 'app.log.level': 'silent' }
    const service = await startService(database, { settings, clock: () => now })
    try {
      expect((await invite(service, { email: 'late@example.org' })).status).toBe(201)
      const delays: number[] = []
      for (const attempts of [1, 2, 3]) {
        const tried = await readUntil(
          () => mailTo(service, 'late@example.org'),
          mail =>
            mail?.attempts === attempts &&
            mail.lastError !== null &&
            Date.parse(mail.nextAttempt) - now.getTime() !== 300_000,
        )
        expect(tried.lastError).toBe('ESOCKET ECONNREFUSED')
        delays.push(Date.parse(tried.nextAttempt) - now.getTime())
        now = new Date(tried.nextAttempt)
      }
      expect(delays[0]).toBeGreaterThanOrEqual(7500)
      expect(delays[0]).toBeLessThanOrEqual(15_000)
      expect(delays[2]).toBeGreaterThanOrEqual(30_000)
      const back = await startMailServer({ port: away.port })
      now = new Date(now.getTime() + 3600_000)
      await back.next(to('late@example.org'))
      await readUntil(
        () => mailTo(service, 'late@example.org'),
        mail => mail?.state === 'sent',
      )
      await back.stop()
    } finally {
      await service.stop()
    }
  })

  testAll('a mail that waits for the time of a clock that was ahead goes out when the clock is right', async () => {
    const clock = createClock()
    let isDown = true
    const server = await startMailServer({ refuses: () => (isDown ? 451 : null) })
    const settings = { 'app.modules': '', ...smtpSettings(server.port), 'app.log.level': 'silent' }
    const service = await startService(database, { settings, clock: clock.now })
    try {
      clock.pass(400 * days)
      await invite(service, { email: 'ahead@example.org' })
      await readUntil(
        () => mailTo(service, 'ahead@example.org'),
        mail => typeof mail?.lastError === 'string',
      )
      isDown = false
      clock.pass(-400 * days)
      await server.next(to('ahead@example.org'))
    } finally {
      await service.stop()
      await server.stop()
    }
  })

  testAll('a mail that could not be sent for a day is given up and kept', async () => {
    let now = new Date('2030-01-01T00:00:00Z')
    const settings = { 'app.modules': '', ...smtpSettings(9), 'app.log.level': 'silent' }
    const service = await startService(database, { settings, clock: () => now })
    try {
      await invite(service, { email: 'never@example.org' })
      await readUntil(
        () => mailTo(service, 'never@example.org'),
        mail => mail?.lastError !== null && mail?.lastError !== undefined,
      )
      now = new Date('2030-01-02T00:00:01Z')
      const kept = await readUntil(
        () => mailTo(service, 'never@example.org'),
        mail => mail?.state === 'failed',
      )
      expect(kept.nextAttempt).toBeNull()
    } finally {
      await service.stop()
    }
  })
})

test('without a mail server, mails are files that only the service may read', async () => {
  const service = await startService('sqlite', { settings: { 'app.modules': '' } })
  try {
    await invite(service, { email: 'file@example.org', firstName: 'Zoë' })
    const outbox = join(service.folder, 'outbox')
    const [name = ''] = await readUntil(
      async () => (await readdir(outbox).catch(() => [])).filter(name => !name.startsWith('.')),
      names => names.length > 0,
    )
    expect(name).toMatch(/^[0-9a-f-]{36}\.eml$/)
    const source = await readFile(join(outbox, name), 'latin1')
    expect(source.match(/(?<!\r)\n|\r(?!\n)/g)).toBe(null)
    const mail = await simpleParser(source)
    expect(mail.text).toContain('Hello Zoë,')
    expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600)
    const path = `/api/rest/mails/${name.replace('.eml', '')}/message`
    const response = await service.as('admin').get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'message/rfc822'])
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await simpleParser(response.text)).text).toBe(mail.text)
    const { events } = (await service.as('admin').get('/api/management/auditevents?type=MAIL_READ')).body
    expect(events).toMatchObject([{ principal: 'admin', data: { recipient: 'file@example.org' } }])
    const expirationDate = new Date(Date.now() + 3600_000).toISOString()
    for (const scopes of [['read'], ['write'], ['mails:read']]) {
      const made = await service.as('admin').post('/api/rest/apiKeys', { name: 'program', scopes, expirationDate })
      const program = clientFor(service.url, { Authorization: `Bearer ${made.body.key}` })
      expect([scopes, (await program.get('/api/rest/mails')).status, (await program.get(path)).status]).toEqual([
        scopes,
        200,
        403,
      ])
    }
    for (const [user, status] of [
      ['anonymous', 401],
      ['operator', 403],
      ['client', 403],
    ] as const)
      expect([user, (await service.as(user).get(path)).status]).toEqual([user, status])
    for (const pk of ['..%2Fplinth.db', '00000000-0000-7000-8000-000000000000', '%2e%2e'])
      expect([pk, (await service.as('admin').get(`/api/rest/mails/${pk}/message`)).status]).toEqual([pk, 404])
  } finally {
    await service.stop()
  }
})

testAll('files of mails go with their records', async () => {
  let now = new Date('2030-01-01T00:00:00Z')
  const first = await startService('sqlite', { settings: { 'app.modules': '' }, clock: () => now })
  onTestFinished(first.stop)
  const outbox = join(first.folder, 'outbox')
  const files = async (): Promise<string[]> => (await readdir(outbox).catch(() => [])).sort()
  const sent = async (email: string): Promise<string> => {
    await invite(first, { email })
    const mail = await readUntil(
      () => mailTo(first, email),
      found => found?.state === 'sent',
    )
    return mail.pk
  }
  const old = await sent('old@example.org')
  now = new Date('2030-01-20T00:00:00Z')
  const [deleted, young] = [await sent('deleted@example.org'), await sent('young@example.org')]
  await writeFile(join(outbox, `.${old}`), 'half of it')
  await writeFile(join(outbox, 'notes.txt'), 'of somebody else')
  expect(await files()).toEqual([`.${old}`, `${old}.eml`, `${deleted}.eml`, `${young}.eml`, 'notes.txt'])
  expect((await first.as('admin').delete(`/api/rest/mails/${deleted}`)).status).toBe(204)
  now = new Date('2030-02-01T00:00:00Z')
  const next = await startService('sqlite', {
    settings: { 'app.modules': '', 'app.dataDir': first.folder },
    clock: () => now,
  })
  onTestFinished(next.app.close)
  await expect.poll(files).toEqual([`${young}.eml`, 'notes.txt'])
})

testAll('several instances on one database send each mail once', async () => {
  const server = await startMailServer()
  const first = await startService('postgres', { settings: { 'app.modules': '', ...smtpSettings(server.port) } })
  const settings = { 'app.modules': '', ...smtpSettings(server.port), 'app.database.url': first.database }
  const others = await Promise.all([startService('postgres', { settings }), startService('postgres', { settings })])
  try {
    const emails = Array.from({ length: extent(12, 30) }, (_, at) => `many${at}@example.org`)
    await invite(first, ...emails.map(email => ({ email })))
    for (const email of emails) await server.next(to(email))
    await first.idle()
    expect(server.deliveries.map(({ to: [address] }) => address).sort()).toEqual([...emails].sort())
  } finally {
    for (const one of [first, ...others]) await one.stop()
    await server.stop()
  }
})
