// No name that is new can be taken for another's by its looks, by whichever door it comes.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, runsAll, testAll } from '@plinth/test-kit/extent'
import { accountPath } from '@plinth/test-kit/new-passwords'
import {
  bodyOf,
  deviceOf,
  json,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
  signIn,
} from '@plinth/test-kit/registering'
import type { Answer } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdministrator } from '../../src/modules/registration/administrators.ts'

const simplePk = '00000000-0000-7000-8000-000000000005'

const refused: readonly (readonly [string, string])[] = [
  ['a blank of no width', 'adm\u200bin'],
  ['a turn of direction', '\u202eadmin'],
  ['a selector of variants', 'adm\ufe0fin'],
  ['a joiner of graphemes', 'adm\u034fin'],
  ['a filler', 'admin\u3164'],
  ['an empty pattern of Braille', 'admin\u2800'],
  ['a control character', 'admin\u0007'],
  ['a Cyrillic letter among Latin ones', '\u0430dmin'],
  ['a Greek letter among Latin ones', 'admin\u03bf'],
  ['an Armenian letter among Latin ones', 'adm\u0578n'],
  ['a Greek letter among Cyrillic ones', 'иван\u03bf'],
  ['a second dot upon an i', 'admi\u0307n'],
  ['a wide @', 'admin\uff20example.org'],
  ['a wide colon', 'admin\uff1a'],
  ['too many letters once they are taken apart', '\ufdfa'.repeat(20)],
]

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  /** Every door by which a username is set. */
  const doors: readonly (readonly [string, (username: string) => Promise<Answer>])[] = [
    ['registering', username => scene.anonymous.post(accountPath, bodyOf(newPerson(), { username }))],
    ['POST users', username => scene.service.as('admin').post('/api/rest/users', { username }, json)],
    ['PATCH users', username => scene.service.as('admin').patch(`/api/rest/users/${simplePk}`, { username }, json)],
    ['PUT users', username => scene.service.as('admin').put(`/api/rest/users/${simplePk}`, { username }, json)],
    [
      'PUT account/username',
      async username => {
        const person = await settle(scene)
        const device = await deviceOf(scene, person)
        return device.put(`${accountPath}/username`, { username, password: person.password })
      },
    ],
  ]

  test('users choose no name that is reserved, or that looks like the name of a user with more roles', async () => {
    const admin = scene.service.as('admin')
    const roles = (await admin.get('/api/rest/roles?name=ROLE_STAFF', json)).body.content
    const made = await admin.post('/api/rest/users', { username: 'zelda', roles: [roles[0].pk] }, json)
    expect(made).toHaveStatus(201)
    const device = await deviceOf(scene, await settle(scene))
    const own = doors.filter(([name]) => name === 'registering' || name === 'PUT account/username')
    const names = [
      'administrator',
      'Support',
      'me',
      'adm\u0131n',
      'adrnin',
      'ad.min',
      'R00T',
      'ze1da',
      'Z\u00e9lda',
      '\u1d00\u1d05\u1d0d\u026a\u0274',
      'a\u0111min',
      '\ua731upport',
      '\ua4ee\ua4d3\ua4df\ua4f2\ua4e0',
    ]
    for (const [at, username] of names.entries()) {
      const [door, set] = own[at % own.length] ?? ['', async () => device.get('/')]
      const { status, body } = await set(username)
      expect([door, username, status, body.errors?.[0].code]).toEqual([door, username, 400, 'reserved_name'])
    }
    expect((await own[0]?.[1]('zeldana'))?.status).toBe(201)
    expect((await admin.post('/api/rest/users', { username: 'helpdesk' }, json)).status).toBe(201)
  })

  test.each(everyThird(doors.map(([name, set], number) => [name, set, number] as const)))(
    '%s takes none that looks like another',
    async (_, set, number) => {
      // In `npm test` the doors take turns over the names.
      for (const [what, username] of refused.filter((_, at) => runsAll || at % doors.length === number)) {
        const answer = await set(username)
        expect([what, answer.status, answer.body.errors?.[0].pointer]).toEqual([what, 400, '/username'])
        expect(answer.body.errors[0].code).toMatch(/^(username|hidden_marks|one_script|max_length)$/)
      }
    },
  )

  test.each(everyThird(doors))('%s keeps names in their plain form, in which they are taken', async (name, set) => {
    expect((await set('ａｄｍｉｎ')).status).toBe(409)
    const { username } = newPerson()
    const wide = [...username].map(sign => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)).join('')
    const answer = await set(wide)
    expect([name, answer.body.username]).toEqual([name, username])
  })

  test.each(
    everyThird([
      'иван',
      'Ελένη',
      'שלום',
      '田中taro',
      'さくらSakura',
      '김kim',
      'Zoë',
      'o’neil',
      'user_1.x',
      '⭐1',
      'नमस्ते',
    ]),
  )('%s is a name', async username => {
    const made = await scene.service.as('admin').post('/api/rest/users', { username }, json)
    expect([made.status, made.body.username]).toEqual([201, username.normalize('NFKC')])
  })

  testAll('the command line makes no such administrator, and keeps plain names too', async () => {
    const { platform } = scene.service.app
    const { email, password, username } = newPerson()
    for (const [what, odd] of refused)
      await expect(
        createAdministrator(platform, { email, password, username: odd }, { trace: {} }),
        what,
      ).rejects.toThrow('username')
    const made = await createAdministrator(
      platform,
      { email, password, username: username.replace('p', 'ｐ') },
      { trace: {} },
    )
    expect(made.username).toBe(username)
  })

  test('who has such a name already goes on signing in', async () => {
    const person = await settle(scene)
    const username = `${person.username}\u0430\u200b`
    const { store } = scene.service.app.platform
    await store.transaction(async tx => {
      await tx.update(tx.resource('users'), person.pk, { username })
      await tx.update(tx.resource('secrets'), person.pk, { loginName: username })
    })
    expect((await signIn(scene, { ...person, username })).status).toBe(201)
    const device = await deviceOf(scene, { ...person, username })
    expect((await device.patch(`/api/rest/users/${person.pk}`, { firstName: 'Kim' }, json)).status).toBe(200)
  })
})
