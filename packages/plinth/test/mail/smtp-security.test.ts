// Mail servers as they are met outside: with TLS and a password. Nothing that is worth hiding travels in the clear.

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createCertificate } from '@plinth/test-kit/certificate'
import { extent, testAll } from '@plinth/test-kit/extent'
import { type MailServer, type MailServerOptions, startMailServer } from '@plinth/test-kit/mailbox'
import { type Client, startService } from '@plinth/test-kit/service'
import { launch, preparedFolder } from '@plinth/test-kit/service-process'
import { expect, onTestFinished, test } from 'vitest'

const [recipient, username, password] = ['ada@example.org', 'postman', 'open-the-mailbag-7']
const certified = createCertificate()

interface Post {
  readonly server: MailServer
  /** Settings of a service that sends there, protected as it is shipped. */
  readonly settings: Record<string, string>
  /** All that was sent to the server, as an eavesdropper could read it. */
  overheard(): string
}

/** A mail server, and an eavesdropper in between. */
const openPost = async (options: MailServerOptions): Promise<Post> => {
  const server = await startMailServer(options)
  let overheard = ''
  const way = createServer(client => {
    const beyond = connect(server.port, '127.0.0.1')
    client.on('data', sent => {
      overheard += sent.toString('latin1')
    })
    client.pipe(beyond).pipe(client)
    for (const [one, other] of [
      [client, beyond],
      [beyond, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  way.listen(0, '127.0.0.1')
  await once(way, 'listening')
  onTestFinished(async () => {
    way.close()
    await server.stop()
  })
  const settings = {
    'app.modules': '',
    'app.mail.host': '127.0.0.1',
    'app.mail.port': String((way.address() as AddressInfo).port),
    'app.mail.from': 'Plinth <service@example.org>',
  }
  return { server, settings, overheard: () => overheard }
}

const invite = async (client: Client): Promise<void> => {
  expect((await client.post('/api/rest/invitations', { recipients: [{ email: recipient }] })).status).toBe(201)
}

const mailOf = async (client: Client) =>
  (await client.get('/api/rest/mails', { Accept: 'application/json' })).body.content[0]

/** A process that trusts the certificate of the server. */
const launchTrusting = async (settings: Record<string, string>) => {
  const folder = await preparedFolder()
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, certified.certificate)
  return launch({ folder, settings: { 'app.modules': '', ...settings }, env: { NODE_EXTRA_CA_CERTS: authority } })
}

const login = { 'app.mail.username': username, 'app.mail.password': password }
const knows = (name: string, word: string): boolean => name === username && word === password

const hidden = [recipient, username, password, btoa(`\0${username}\0${password}`), btoa(password)]

const expectHidden = (text: string): void => {
  for (const secret of hidden) expect(text).not.toContain(secret)
}

const startTls = ['STARTTLS, as it is shipped,', {}, {}] as const
const tls = ['TLS from the start', { fromStart: true }, { 'app.mail.security': 'tls' }] as const

test.each(extent([startTls], [startTls, tls]))(
  'with %s a mail and the password go encrypted',
  { timeout: 120_000 },
  async (_, server, security) => {
    const post = await openPost({ tls: { ...certified, ...server }, knows })
    const { admin } = await launchTrusting({ ...post.settings, ...login, ...security })
    await invite(admin)
    const delivery = await post.server.next()
    expect(delivery).toMatchObject({ by: username, isEncrypted: true, from: 'service@example.org', to: [recipient] })
    await expect.poll(async () => (await mailOf(admin)).state, { timeout: 30_000 }).toBe('sent')
    expectHidden(post.overheard())
  },
)

testAll(
  'a wrong password fails no request, appears nowhere, and the mail is sent once it is right',
  {
    timeout: 120_000,
  },
  async () => {
    let isRight = false
    const post = await openPost({ tls: certified, knows: (name, word) => isRight && knows(name, word) })
    const service = await launchTrusting({ ...post.settings, ...login, 'app.log.level': 'trace' })
    await invite(service.admin)
    await expect
      .poll(async () => (await mailOf(service.admin)).lastError, { timeout: 30_000 })
      .toMatch(/^EAUTH 535: the login is refused/)
    expect(await mailOf(service.admin)).toMatchObject({ state: 'waiting', sentDate: null })
    expect(post.server.deliveries).toEqual([])
    isRight = true
    expect(await post.server.next()).toMatchObject({ by: username, to: [recipient] })
    expect(service.said()).toContain('mail not sent')
    for (const secret of hidden.slice(2)) expect(service.said()).not.toContain(secret)
    expectHidden(post.overheard())
  },
)

test.each<[string, MailServerOptions, string]>([
  ['offers no STARTTLS', {}, 'the connection cannot be encrypted. Check that the server offers STARTTLS'],
  [
    'has an untrusted certificate',
    { tls: certified },
    'ESOCKET: the certificate is not trusted: self-signed certificate. Name the file of its authority in NODE_EXTRA_CA_CERTS',
  ],
])('a server that %s receives nothing, the mail waits, and the reason is known', async (_, options, reason) => {
  const post = await openPost(options)
  const service = await startService('sqlite', {
    settings: { 'app.modules': '', ...post.settings, ...login, 'app.log.level': 'silent' },
  })
  onTestFinished(service.stop)
  await invite(service.as('admin'))
  const tried = () => mailOf(service.as('admin'))
  await expect.poll(async () => (await tried()).lastError, { timeout: 30_000 }).toContain(reason)
  expect(await tried()).toMatchObject({ state: 'waiting', sentDate: null })
  expect(post.overheard()).toContain('STARTTLS')
  expectHidden(post.overheard())
  expect(post.server.deliveries).toEqual([])
})
