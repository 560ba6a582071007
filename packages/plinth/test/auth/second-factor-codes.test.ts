// The codes of a second factor: good once, kept sealed, and not to be guessed.

import { minutes } from '@plinth/test-kit/clock'
import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { describe, expect, test } from 'vitest'
import { factor, give, openSecondFactor, pks } from './second-factor-service.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { clock, service, owner, enrolled, visit, login, audited } = openSecondFactor(database)

  test('a code of the step before or after is taken, one further away is not', async () => {
    const enter = (steps: number) => visit().post('/api/auth/jwt/access', login(enrolled().telephone.code(steps)))
    for (const [steps, status] of [
      [-2, 401],
      [2, 401],
      [-1, 201],
      [1, 201],
    ] as const)
      expect([steps, (await enter(steps)).status]).toEqual([steps, status])
  })

  test.each([' ', '\u00a0', '  '])('a code may be typed in two halves, as apps show it, with %j between', async gap => {
    const code = enrolled().telephone.code()
    const typed = `${code.slice(0, 3)}${gap}${code.slice(3)} `
    expect((await visit().post('/api/auth/jwt/access', login(typed))).status).toBe(201)
  })

  test('a code works once, and so do those before it', async () => {
    const [before, code] = [enrolled().telephone.code(-1), enrolled().telephone.code()]
    expect((await visit().post('/api/auth/jwt/access', login(code))).status).toBe(201)
    expect((await visit().post('/api/auth/jwt/access', login(code))).status).toBe(401)
    expect((await visit().post('/api/auth/jwt/access', login(before))).status).toBe(401)
  })

  test('of nine who come with one code at once, one gets in', async () => {
    const code = enrolled().telephone.code()
    const replies = await Promise.all(
      Array.from({ length: 9 }, () => visit('127.0.20.1').post('/api/auth/jwt/access', login(code))),
    )
    expect(replies.filter(reply => reply.status === 201)).toHaveLength(1)
  })

  test('guesses are refused after ten, whatever addresses they come from', async () => {
    const wrong = (at: number) => visit(`127.0.21.${at + 1}`).post('/api/auth/jwt/access', login('000000'))
    const guesses = extent(20, 40)
    const replies = await Promise.all(Array.from({ length: guesses }, (_, at) => wrong(at)))
    const count = (status: number) => replies.filter(reply => reply.status === status).length
    expect([count(401), count(429)]).toEqual([10, guesses - 10])
    const right = await visit('127.0.21.200').post('/api/auth/jwt/access', login(enrolled().telephone.code()))
    expect(right.status).toBe(429)
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
    clock.pass(15 * minutes)
    expect((await visit().post('/api/auth/jwt/access', login(enrolled().telephone.code()))).status).toBe(201)
  })

  test('a recovery code works once, however it is typed, and is counted down', async () => {
    const [first = '', second = ''] = enrolled().recoveryCodes
    const left = async () => (await owner().get(factor)).body
    const before = (await left()).recoveryCodesLeft
    expect((await visit().post('/api/auth/jwt/access', login(first))).status).toBe(201)
    expect((await visit().post('/api/auth/jwt/access', login(first))).status).toBe(401)
    const halfway = visit()
    await halfway.post('/api/auth/userDetails', login())
    expect((await halfway.post(give, { code: second.replaceAll('-', ' ').toUpperCase() })).status).toBe(200)
    expect(await left()).toEqual({ enabled: true, recoveryCodesLeft: before - 2 })
    expect((await audited('RECOVERY_CODE_USED')).at(-1)).toMatchObject({ principal: 'staff' })
  })

  test('neither the secret nor a recovery code can be read afterwards, in any place', async () => {
    const { store } = service().app.platform
    const row = await store.get(store.resource('secondFactors'), pks.staff)
    const fresh = visit()
    await fresh.signIn('client')
    const { body } = await fresh.post(factor, { password: 'client' })
    const kept = await store.get(
      store.resource('secondFactors'),
      (await fresh.get('/api/auth/userDetails')).body.pk as string,
    )
    expect(JSON.stringify(kept)).not.toContain(body.secret)
    for (const code of enrolled().recoveryCodes) expect(JSON.stringify(row)).not.toContain(code)
    expect(Object.keys((await owner().get(factor)).body)).toEqual(['enabled', 'recoveryCodesLeft'])
    for (const name of ['secondFactors', 'secrets'])
      expect((await service().as('admin').get(`/api/rest/${name}`)).status).toBe(404)
  })

  testAll('new recovery codes take the place of the former, for a password and a code', async () => {
    const path = `${factor}/recoveryCodes`
    const ask = (password: string, code: string) => owner().post(path, { password, code })
    expect((await ask('wrong', enrolled().telephone.code())).status).toBe(401)
    const bad = await ask('staff', '000000')
    expect([bad.status, bad.body.errors[0].member]).toEqual([422, 'code'])
    const renewed = await ask('staff', enrolled().telephone.code())
    expect(new Set(renewed.body.recoveryCodes).size).toBe(10)
    const [, , former = ''] = enrolled().recoveryCodes
    expect((await visit().post('/api/auth/jwt/access', login(former))).status).toBe(401)
    expect((await visit().post('/api/auth/jwt/access', login(renewed.body.recoveryCodes[0]))).status).toBe(201)
  })
})
