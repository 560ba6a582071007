// A fresh installation: no account, no default password, one link.

import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClock, days } from '@plinth/test-kit/clock'
import { plinth, plinthHere } from '@plinth/test-kit/command-process'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { startService } from '@plinth/test-kit/service'
import { emptyFolder, launch } from '@plinth/test-kit/service-process'
import { describe, expect, test } from 'vitest'
import { startAccounts } from '../auth/accounts-service.ts'

const path = '/api/auth/first-administrator'
const person = { username: 'founder', email: 'founder@example.com', password: 'wide open fields' }
const tokenIn = (lines: readonly string[]): string => /#token=([\w-]{43})$/m.exec(lines.join('\n'))?.[1] ?? ''

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('no user can sign in, and the printed link creates one administrator', async () => {
    const service = await startAccounts(database, { settings: { 'app.demo': 'false' } })
    const browser = openBrowser(service.url)
    for (const name of ['admin', 'operator', 'root', 'founder']) expect((await browser.signIn(name)).status).toBe(401)
    expect((await browser.post('/api/auth/basic', { username: 'admin', password: 'admin' })).status).toBe(404)
    const [first, second] = [tokenIn(await service.app.greeting()), tokenIn(await service.app.greeting())]
    expect(first).not.toBe('')
    expect((await browser.post(path, { ...person, token: 'x'.repeat(43) })).status).toBe(401)
    expect((await browser.post(path, { ...person, token: first, password: 'password' })).status).toBe(400)
    expect(
      (await browser.post(path, { ...person, token: first, username: 'a b', email: 'none' })).body.errors,
    ).toHaveLength(2)
    expect((await browser.post(path, { token: first })).status).toBe(400)
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        browser.copy().post(path, { ...person, username: `founder${at}`, token: at % 2 ? first : second }),
      ),
    )
    const made = replies.filter(reply => reply.status === 201)
    expect([made.length, replies.filter(reply => reply.status === 401).length]).toEqual([1, 9])
    expect(made[0]?.body).toMatchObject({
      admin: true,
      roles: [{ authority: 'ROLE_ADMIN' }, { authority: 'ROLE_USER' }],
    })
    expect((await browser.signIn(made[0]?.body.username, person.password)).status).toBe(201)
    expect((await openBrowser(service.url).signIn(person.email, person.password)).status).toBe(201)
    expect((await browser.get('/api/rest/userCredentials')).status).toBe(200)
    expect((await browser.get('/api/management/auditevents?type=USER_CREATED')).body.events).toMatchObject([
      { principal: null, data: { user: made[0]?.body.username, address: '127.0.0.1' } },
    ])
    expect(await service.app.greeting()).toEqual([])
    await service.stop()
  })
})

test('the link is over after a day', async () => {
  const clock = createClock()
  const service = await startAccounts('sqlite', { clock: clock.now, settings: { 'app.demo': 'false' } })
  const token = tokenIn(await service.app.greeting())
  clock.pass(1 * days)
  expect((await openBrowser(service.url).post(path, { ...person, token })).status).toBe(401)
  await service.stop()
})

test('in demo mode there is no link', async () => {
  const service = await startAccounts('sqlite')
  expect(tokenIn(await service.app.greeting())).toBe('')
  await service.stop()
})

test('when demo mode is turned off, the start names the users who still have demo passwords', async () => {
  const kept = await keepDatabase('sqlite', { 'app.modules': '' })
  const demo = await startService('sqlite', { settings: { ...kept.settings, 'app.modules': '', 'app.demo': 'true' } })
  expect((await demo.app.greeting()).join()).not.toContain('demo passwords')
  expect((await demo.as('admin').delete('/api/rest/users/00000000-0000-7000-8000-000000000005')).text).toBe('')
  await demo.stop()
  const service = await startService('sqlite', {
    settings: { ...kept.settings, 'app.modules': '', 'app.demo': 'false' },
  })
  expect((await service.app.greeting()).join('\n')).toMatch(
    /still have demo passwords.*\n {2}admin, operator, staff, client\n/,
  )
  await service.stop()
  await kept.remove()
})

testAll(
  'where the output is a log, the link is in a file of its own until it is used',
  { timeout: 120_000 },
  async () => {
    const folder = await emptyFolder()
    const settings = { 'app.demo': 'false', 'app.modules': '', 'app.log.level': 'info' }
    const service = await launch({ folder, settings })
    const file = join(folder, 'first-administrator.link')
    await expect.poll(service.said).toContain(file)
    expect(service.said()).not.toContain('token=')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const token = tokenIn([(await readFile(file, 'utf8')).trim()])
    expect((await openBrowser(service.url).post(path, { ...person, token })).status).toBe(201)
    await expect(access(file)).rejects.toThrow('ENOENT')
  },
)

describe('the command line', () => {
  testAll(
    'makes administrators and gives new passwords, from a pipe or made up',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'plinth-admin-'))
      const settings = [`--app.dataDir=${folder}`, '--app.modules=']
      const made = await plinth(['admin', 'create', 'chief', 'chief@example.com', ...settings], 'wide open fields\n')
      expect([made.code, made.out]).toEqual([0, 'chief is now an administrator.\n'])
      const weak = await plinthHere(['admin', 'create', 'weak', 'weak@example.com', ...settings], 'password\n')
      expect([weak.code, weak.err]).toEqual([1, expect.stringContaining('password')])
      const reset = await plinthHere(['admin', 'reset-password', 'chief', ...settings], '')
      expect(reset.code).toBe(0)
      const password = /Generated password: (\S+)/.exec(reset.out)?.[1] ?? ''
      expect(password.length).toBeGreaterThanOrEqual(20)
      const service = await startAccounts('sqlite', { settings: { 'app.demo': 'false', 'app.dataDir': folder } })
      const browser = openBrowser(service.url)
      expect((await browser.signIn('chief', 'wide open fields')).status).toBe(401)
      expect((await browser.signIn('chief', password)).body).toMatchObject({ admin: true })
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
    300_000,
  )
})
