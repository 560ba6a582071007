// Tokens in links open accounts: they travel in mails, and the database never holds one.

import { createHash } from 'node:crypto'
import { featureDatabases, type TestedDatabase } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { type MailServer, smtpSettings, startMailServer } from '@plinth/test-kit/mailbox'
import { bodyOf, mailFor, type NewPerson, newPerson, tokenIn } from '@plinth/test-kit/registering'
import { type ServiceOptions, startService, type TestService } from '@plinth/test-kit/service'
import { storedText } from '@plinth/test-kit/stored-text'
import { describe, expect, onTestFinished, test } from 'vitest'
import { everything } from '../../src/core/model/query.ts'
import type { Link } from '../../src/core/model/record.ts'

const account = '/api/auth/account'

/** Refuses every recipient for now, until it is opened. */
const startReluctantServer = async (): Promise<MailServer & { open(): void }> => {
  let isOpen = false
  const server = await startMailServer({ refuses: () => (isOpen ? null : 451) })
  onTestFinished(server.stop)
  return Object.assign(server, {
    open: () => {
      isOpen = true
    },
  })
}

interface Scene {
  readonly service: TestService
  readonly server: MailServer & { open(): void }
  /** Lets the time pass until the next attempt to send. */
  pass(ms: number): void
}

const hour = 3600_000

const createClock = () => {
  let now = new Date('2030-01-01T12:00:00Z').getTime()
  return {
    clock: () => new Date(now),
    pass: (ms: number) => {
      now += ms
    },
  }
}

const setScene = async (database: TestedDatabase, options: ServiceOptions = {}): Promise<Scene> => {
  const server = await startReluctantServer()
  const { clock, pass } = createClock()
  const settings = { 'app.modules': '', 'app.log.level': 'silent', ...smtpSettings(server.port), ...options.settings }
  const service = await startService(database, { clock, ...options, settings })
  onTestFinished(service.stop)
  return { service, server, pass }
}

const mailTo = async (service: TestService, { email }: NewPerson) =>
  (await service.as('admin').get(`/api/rest/mails?recipient=${email}`)).body.content[0]

const registerOne = async ({ service }: Scene): Promise<NewPerson & { readonly pk: string }> => {
  const person = newPerson()
  const { status, body } = await service.as('anonymous').post(account, bodyOf(person))
  expect(status).toBe(201)
  await expect.poll(async () => (await mailTo(service, person)).lastError, { timeout: 20_000 }).not.toBeNull()
  return { ...person, pk: body.pk }
}

const confirm = ({ service }: Scene, { username }: NewPerson, resetPasswordToken: string) =>
  service.as('anonymous').put(account, { username, resetPasswordToken })

/** Puts the only mail that waits, and its token, into the form in which they were stored before. */
const asEarlierVersion = ({ app }: TestService, token: string): Promise<void> =>
  app.platform.store.transaction(async tx => {
    const [contents, tokens] = [tx.resource('mailContents'), tx.resource('oneTimeTokens')]
    const [waiting] = (await tx.find(contents, everything(contents))).records
    const [reserved] = (await tx.find(tokens, everything(tokens))).records
    if (!waiting || !reserved) throw new Error('no mail waits')
    const { purpose, user, address, expires } = reserved
    const hash = createHash('sha256').update(token).digest('hex')
    await tx.insert(tokens, hash, { purpose, user: (user as Link).pk, address, expires })
    const content = JSON.stringify({ ...JSON.parse(String(waiting.content)), token })
    await tx.update(contents, waiting.pk, { content, reservation: null })
    await tx.remove(tokens, reserved.pk)
    await tx.remove(tx.resource('appliedSeeds'), 'tokens out of queued mails')
  })

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('the token of a link is in the mail, and neither while it waits nor later in the database', async () => {
    const scene = await setScene(database)
    const { service, server, pass } = scene
    const person = await registerOne(scene)
    expect(await storedText(service)).toContain(person.email)
    expect(await storedText(service)).not.toMatch(/token\W{1,5}[\w-]{43}\b/)
    server.open()
    pass(hour)
    const token = tokenIn(await server.next(mailFor(person.email)))
    expect(token).toHaveLength(43)
    expect(await storedText(service)).not.toContain(token)
    await expect.poll(async () => (await mailTo(service, person)).state).toBe('sent')
    expect(await storedText(service)).not.toContain(token)
    expect((await confirm(scene, person, token)).status).toBe(200)
    expect(await storedText(service)).not.toContain(token)
  })

  testAll('a mail whose link has lost its purpose is not sent', async () => {
    const scene = await setScene(database)
    const { service, server, pass } = scene
    const person = await registerOne(scene)
    expect((await service.as('admin').delete(`/api/rest/users/${person.pk}`)).status).toBe(204)
    server.open()
    pass(hour)
    await expect.poll(async () => (await mailTo(service, person)).state, { timeout: 20_000 }).toBe('failed')
    expect(server.deliveries).toEqual([])
  })

  testAll('a mail that an earlier version queued with its token gets a new token', async () => {
    const kept = await keepDatabase(database, { 'app.modules': '' })
    onTestFinished(kept.remove)
    const { clock, pass } = createClock()
    const first = await setScene(database, { clock, settings: kept.settings })
    const person = await registerOne(first)
    const old = 'o'.repeat(43)
    await asEarlierVersion(first.service, old)
    await first.service.app.close()
    const scene = await setScene(database, { clock, settings: kept.settings })
    expect((await confirm(scene, person, old)).status).toBe(422)
    const { store } = scene.service.app.platform
    const contents = store.resource('mailContents')
    const [waiting] = (await store.find(contents, everything(contents))).records
    expect(waiting?.content).toContain(person.username)
    expect(waiting?.content).not.toContain(old)
    scene.server.open()
    pass(hour)
    const token = tokenIn(await scene.server.next(mailFor(person.email)))
    expect(token).not.toBe(old)
    expect((await confirm(scene, person, token)).status).toBe(200)
  })
})
