// Turning the second factor on and off: by its owner, by an administrator, and by the command line.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthenticator, enrol } from '@plinth/test-kit/authenticator'
import { createClock, minutes, seconds } from '@plinth/test-kit/clock'
import { plinthHere } from '@plinth/test-kit/command-process'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { describe, expect, test } from 'vitest'
import { startAccounts } from './accounts-service.ts'
import { factor, openSecondFactor, pks } from './second-factor-service.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { clock, service, owner, enrolled, visit, login, credentialsOf, audited } = openSecondFactor(database)

  test('the credentials show that it is on, and the audit shows when and by whom', async () => {
    expect((await credentialsOf(pks.staff)).mfa).toBe(true)
    expect((await credentialsOf(pks.operator)).mfa).toBe(false)
    expect(await audited('SECOND_FACTOR_ENABLED')).toMatchObject([{ principal: 'staff' }])
    await visit().post('/api/auth/jwt/access', login('000000'))
    expect((await audited('SECOND_FACTOR_FAILURE')).at(-1)).toMatchObject({ principal: 'staff' })
  })

  describe('setting it up', () => {
    test('takes the password, ends at a wrong code, and ends all other sessions once it is on', async () => {
      const [here, elsewhere] = [visit(), visit()]
      await here.signIn('operator')
      await elsewhere.signIn('operator')
      expect((await here.post(factor, { password: 'wrong' })).status).toBe(401)
      expect((await here.ask('PUT', factor, { body: { code: '123456' } })).status).toBe(409)
      const { body } = await here.post(factor, { password: 'operator' })
      expect(body.uri).toBe(`otpauth://totp/plinth:operator?secret=${body.secret}&issuer=plinth`)
      expect((await visit().signIn('operator')).status).toBe(201)
      const telephone = createAuthenticator(body.secret, clock.now)
      expect((await here.ask('PUT', factor, { body: { code: '000000' } })).status).toBe(422)
      expect((await elsewhere.get('/api/rest/users')).status).toBe(200)
      const on = await here.ask('PUT', factor, { body: { code: telephone.code() } })
      expect([on.status, on.body.recoveryCodes.length]).toEqual([200, 10])
      expect((await here.get(factor)).body).toEqual({ enabled: true, recoveryCodesLeft: 10 })
      expect((await elsewhere.get('/api/rest/users')).status).toBe(401)
      expect((await here.post(factor, { password: 'operator' })).status).toBe(409)
      // The code that turned it on is used up.
      const code = telephone.code()
      expect((await visit().post('/api/auth/jwt/access', { ...operator, code })).status).toBe(401)
    })
    const operator = { username: 'operator', password: 'operator' }

    test('is over after a quarter of an hour', async () => {
      const browser = visit()
      await browser.signIn('simple')
      const { body } = await browser.post(factor, { password: 'simple' })
      clock.pass(16 * minutes)
      const code = createAuthenticator(body.secret, clock.now).code()
      expect((await browser.ask('PUT', factor, { body: { code } })).status).toBe(409)
    })

    test('is for those who are signed in', async () => {
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', { password: 'staff' }],
        ['PUT', { code: '123456' }],
        ['DELETE', { password: 'staff', code: '123456' }],
      ] as const)
        expect((await visit().ask(method, factor, { ...(body && { body }) })).status).toBe(401)
    })

    test('an administrator takes it away from others, and not from themselves', async () => {
      const path = (pk: string) => `/api/rest/userCredentials/${pk}/secondFactor`
      expect((await service().as('simple').delete(path(pks.operator))).status).toBe(403)
      expect((await service().as('anonymous').delete(path(pks.operator))).status).toBe(401)
      const admin = (await service().as('admin').get('/api/auth/userDetails')).body.pk
      expect((await service().as('admin').delete(path(admin))).status).toBe(403)
      expect((await service().as('admin').delete(path(pks.operator))).status).toBe(204)
      expect((await service().as('admin').delete(path(pks.operator))).status).toBe(404)
      expect((await credentialsOf(pks.operator)).mfa).toBe(false)
      expect((await visit().signIn('operator')).status).toBe(201)
      expect(await audited('SECOND_FACTOR_REMOVED')).toMatchObject([
        { principal: 'admin', data: { user: 'operator', address: expect.stringMatching(/^127\./) } },
      ])
    })
  })

  test('it is turned off by the password and a code together', async () => {
    const off = (body: object) => owner().ask('DELETE', factor, { body })
    expect((await off({ password: 'staff' })).status).toBe(400)
    expect((await off({ password: 'wrong', code: enrolled().telephone.code() })).status).toBe(401)
    expect((await off({ password: 'staff', code: '000000' })).status).toBe(422)
    expect((await off({ password: 'staff', code: enrolled().telephone.code() })).status).toBe(204)
    expect((await off({ password: 'staff', code: enrolled().telephone.code(1) })).status).toBe(409)
    expect((await owner().get(factor)).body).toEqual({ enabled: false, recoveryCodesLeft: 0 })
    expect((await visit().signIn('staff')).status).toBe(201)
    const address = expect.stringMatching(/^127\./)
    expect(await audited('SECOND_FACTOR_DISABLED')).toMatchObject([{ principal: 'staff', data: { address } }])
  })
})

testAll(
  'a second factor outlives the process, is read with its own key only, and goes by the command line',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plinth-second-factor-'))
    const clock = createClock()
    const startWith = (sealingKey: string) =>
      startAccounts('sqlite', {
        clock: clock.now,
        settings: { 'app.dataDir': folder, 'app.auth.sealingKey': sealingKey },
      })
    const key = 'Kq0vJ8yTn3xWc5Rb7ZpLd2Hs9FgMa4Ue'
    let service = await startWith(key)
    const browser = openBrowser(service.url)
    await browser.signIn('staff')
    const { telephone } = await enrol(browser, 'staff', clock.now)
    await service.stop()
    const enter = () => {
      clock.pass(30 * seconds)
      const login = { username: 'staff', password: 'staff', code: telephone.code() }
      return openBrowser(service.url).post('/api/auth/jwt/access', login)
    }
    service = await startWith(key)
    expect((await enter()).status).toBe(201)
    await service.stop()
    // Fails closed: a code that cannot be checked does not sign a user in.
    service = await startWith('')
    expect((await enter()).status).toBe(500)
    await service.stop()
    const settings = [`--app.dataDir=${folder}`, '--app.modules=']
    const gone = await plinthHere(['admin', 'reset-second-factor', 'staff', ...settings], '')
    expect([gone.code, gone.out]).toEqual([0, 'Second factor of staff removed. All sessions are signed out.\n'])
    const none = await plinthHere(['admin', 'reset-second-factor', 'staff', ...settings], '')
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('has no second factor')])
    service = await startWith(key)
    expect((await openBrowser(service.url).signIn('staff')).status).toBe(201)
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  },
  120_000,
)
