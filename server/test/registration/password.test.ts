// Passwords: changed by who knows the old one, reset by who owns the mailbox, and every other device is out.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openBrowser } from '../accounts/browser.ts'
import { clientFor, databases } from '../support/service.ts'
import {
  askForReset,
  cookiesOf,
  deviceOf,
  mailFor,
  newPerson,
  type Person,
  type Scene,
  setScene,
  settle,
  signIn,
  tokenIn,
} from './people.ts'

const path = '/api/auth/account'
const json = { 'Content-Type': 'application/json' }
const fresh = 'quite another passphrase'
const twice = { password: fresh, passwordConfirmation: fresh }

describe.each(databases)('on %s', database => {
  let scene: Scene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  describe('changing it', () => {
    test.each(['account', 'accounts'])('PUT %s takes effect at once and ends every other session', async name => {
      const person = await settle(scene)
      const [here, there] = [await deviceOf(scene, person), await deviceOf(scene, person)]
      const changed = await here.put(`/api/auth/${name}`, { currentPassword: person.password, ...twice })
      expect([changed.status, changed.body.username]).toEqual([200, person.username])
      expect(changed.text).not.toContain(fresh)
      expect((await here.get('/api/auth/userDetails')).status).toBe(200)
      expect((await there.get('/api/auth/userDetails')).status).toBe(401)
      expect((await there.post('/api/auth/jwt/refresh', {})).status).toBe(401)
      expect((await signIn(scene, person)).status).toBe(401)
      expect((await signIn(scene, { ...person, password: fresh })).status).toBe(201)
    })

    test.each<[string, object, number]>([
      ['the wrong current password', { currentPassword: 'wrong', ...twice }, 401],
      ['no current password', twice, 400],
      ['a bad new password', { currentPassword: 'right', password: 'short', passwordConfirmation: 'short' }, 400],
      ['two that differ', { currentPassword: 'right', password: fresh, passwordConfirmation: `${fresh}!` }, 400],
      ['no confirmation', { currentPassword: 'right', password: fresh }, 400],
      ['nothing at all', {}, 400],
      ['objects', { currentPassword: { $ne: '' }, ...twice }, 400],
    ])('%s is refused and changes nothing', async (_, body, status) => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const right =
        'currentPassword' in body && body.currentPassword === 'right' ? { currentPassword: person.password } : {}
      expect((await device.put(path, { ...body, ...right })).status).toBe(status)
      expect((await signIn(scene, person)).status).toBe(201)
      expect((await device.get('/api/auth/userDetails')).status).toBe(200)
    })

    test('nobody can change a password without signing in', async () => {
      const person = await settle(scene)
      const body = { currentPassword: person.password, ...twice, username: person.username }
      expect((await scene.nobody.put(path, body)).status).toBe(401)
      expect((await signIn(scene, person)).status).toBe(201)
    })

    test('a page of a foreign site cannot change it with the cookies of its visitor', async () => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
      const refused = await device.put(path, { currentPassword: person.password, ...twice }, headers)
      expect(refused.status).toBe(403)
      expect((await signIn(scene, person)).status).toBe(201)
    })
  })

  describe('resetting it', () => {
    test('the mail lets its reader choose a new password once; all sessions end and none begins', async () => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const resetPasswordToken = await askForReset(scene, { username: person.username }, person.email)
      const done = await scene.nobody.put(path, { resetPasswordToken, ...twice })
      expect([done.status, done.headers.getSetCookie()]).toEqual([200, []])
      expect((await device.get('/api/auth/userDetails')).status).toBe(401)
      expect((await device.post('/api/auth/jwt/refresh', {})).status).toBe(401)
      expect((await signIn(scene, person)).status).toBe(401)
      expect((await signIn(scene, { ...person, password: fresh })).status).toBe(201)
      const again = await scene.nobody.put(path, {
        resetPasswordToken,
        password: 'yet another one',
        passwordConfirmation: 'yet another one',
      })
      expect([again.status, again.body.code]).toEqual([422, 'unprocessable'])
      expect((await signIn(scene, { ...person, password: fresh })).status).toBe(201)
    })

    test('several links may be out, and all die when one is used', async () => {
      const person = await settle(scene)
      const first = await askForReset(scene, { email: person.email }, person.email)
      const second = await askForReset(scene, { email: person.email }, person.email)
      expect(first).not.toBe(second)
      const used = await Promise.all(
        [first, second].map(resetPasswordToken => scene.nobody.put(path, { resetPasswordToken, ...twice })),
      )
      expect(used.map(({ status }) => status).sort()).toEqual([200, 422])
    })

    test.each<[string, (person: Person & { pk: string }) => Promise<unknown>]>([
      [
        'its owner changes the password',
        async person => (await deviceOf(scene, person)).put(path, { currentPassword: person.password, ...twice }),
      ],
      [
        'an administrator sets the password',
        ({ pk }) => scene.service.as('admin').patch(`/api/rest/userCredentials/${pk}`, { password: fresh }, json),
      ],
      [
        'the account is closed and opened again',
        async ({ pk }) => {
          for (const active of [false, true])
            await scene.service.as('admin').patch(`/api/rest/userCredentials/${pk}`, { active }, json)
        },
      ],
    ])('a link that is out is dead once %s', async (_, act) => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
      await act(person)
      const late = { resetPasswordToken, password: 'of the finder of it', passwordConfirmation: 'of the finder of it' }
      expect((await scene.nobody.put(path, late)).status).toBe(422)
    })

    test('a change and a reset end every way in but the session that asked for the change', async () => {
      for (const isReset of [false, true]) {
        const person = await settle(scene)
        const url = scene.service.url
        const [here, tokens, sso, remembered] = [openBrowser(url), openBrowser(url), openBrowser(url), openBrowser(url)]
        const { username, password } = person
        await here.signIn(username, password)
        await tokens.signIn(username, password)
        await sso.post('/api/auth/basic', { username, password })
        await remembered.post('/api/auth/userDetails', { username, password, rememberMe: true })
        const cookieOf = (browser: Browser, name: string) => ({ cookies: { [name]: browser.jar.get(name) ?? '' } })
        const basic = { headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` } }
        const ways = () =>
          Promise.all([
            here.get('/api/rest/users'),
            openBrowser(url).get('/api/rest/users', cookieOf(tokens, 'access_token')),
            openBrowser(url).get('/api/rest/users', cookieOf(sso, 'app-sso')),
            openBrowser(url).get('/api/rest/users', basic),
            openBrowser(url).get('/api/auth/userDetails', cookieOf(remembered, 'remember-me')),
            openBrowser(url).post('/api/auth/jwt/refresh', undefined, cookieOf(tokens, 'refresh_token')),
          ]).then(replies => replies.map(({ status }) => status))
        expect(await ways()).toEqual([200, 200, 200, 200, 200, 201])
        const done = isReset
          ? await scene.nobody.put(path, {
              resetPasswordToken: await askForReset(scene, { username }, person.email),
              ...twice,
            })
          : await here.ask('PUT', path, { body: { currentPassword: password, ...twice } })
        expect(done.status).toBe(200)
        expect(await ways()).toEqual([isReset ? 401 : 200, 401, 401, 401, 401, 401])
      }
    })

    test('a link is good for a day', async () => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
      const before = scene.now
      scene.now = new Date(before.getTime() + 24 * 3600_000 - 1000)
      expect(
        (await scene.nobody.put(path, { resetPasswordToken, password: 'short', passwordConfirmation: 'short' })).status,
      ).toBe(400)
      scene.now = new Date(before.getTime() + 24 * 3600_000)
      expect((await scene.nobody.put(path, { resetPasswordToken, ...twice })).status).toBe(422)
      scene.now = before
    })

    test('a bad password leaves the link good', async () => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
      const bad = await scene.nobody.put(path, { resetPasswordToken, password: fresh, passwordConfirmation: 'other' })
      expect([bad.status, bad.body.errors[0].pointer]).toEqual([400, '/passwordConfirmation'])
      expect((await scene.nobody.put(path, { resetPasswordToken, ...twice })).status).toBe(200)
    })

    test('a link for a password confirms no address', async () => {
      const person = await settle(scene)
      const resetPasswordToken = await askForReset(scene, { email: person.email }, person.email)
      expect((await scene.nobody.put(path, { resetPasswordToken, email: person.email })).status).toBe(422)
    })

    test('the answer is the same for everybody', async () => {
      const person = await settle(scene)
      const asked = [
        { email: person.email },
        { username: person.username },
        { email: 'nobody@example.org' },
        { username: 'nobody-at-all' },
        { email: 'no address' },
        { username: 'a'.repeat(300) },
        { email: person.email, username: 'nobody-at-all' },
      ]
      const answers = await Promise.all(asked.map(body => scene.nobody.put(path, body)))
      const shapes = answers.map(({ status, text, headers }) => [status, text, [...headers.keys()].sort().join()])
      expect(new Set(shapes.map(String)).size).toBe(1)
      expect(shapes[0]?.slice(0, 2)).toEqual([200, ''])
    })

    test.each(['ＰＥＲＳＯＮ', 'perѕon', 'person\u0000', ' person'])(
      'an address that only looks like another one (%j) never gets the mail',
      async local => {
        const person = await settle(scene)
        const number = person.username.replace('person', '')
        await scene.nobody.put(path, { email: `${local}${number}@example.org` })
        await scene.nobody.put(path, { email: `${person.email}\n` })
        await new Promise(resolve => setTimeout(resolve, 1200))
        const strange = scene.server.deliveries.filter(({ to }) =>
          to.some(address => !/^[\w.+-]+@example\.org$/.test(address)),
        )
        expect(strange).toEqual([])
      },
    )

    test('an account that an administrator has closed gets no mail', async () => {
      const person = await settle(scene)
      const closed = await scene.service
        .as('admin')
        .patch(`/api/rest/userCredentials/${person.pk}`, { active: false }, { 'Content-Type': 'application/json' })
      expect(closed.status).toBe(200)
      expect((await scene.nobody.put(path, { email: person.email })).status).toBe(200)
      await new Promise(resolve => setTimeout(resolve, 1200))
      expect(scene.server.deliveries.filter(mailFor(person.email, /password|confirm/)).length).toBe(1)
    })
  })

  describe('a new address', () => {
    const changeEmail = async (person: { pk: string; username: string; password: string }, email: string) => {
      const device = await deviceOf(scene, { ...person, email })
      const patched = await device.patch(
        `/api/rest/contactDetails/${person.pk}`,
        { primaryEmail: { email } },
        { 'Content-Type': 'application/json', Accept: 'application/json' },
      )
      expect([patched.status, patched.body.primaryEmail]).toMatchObject([200, { email, verified: false }])
      return tokenIn(await scene.server.next(mailFor(email, /new address/)))
    }

    test('takes the place of the old one when its mail is answered by who knows the password', async () => {
      const person = await settle(scene)
      const { email } = newPerson()
      const resetPasswordToken = await changeEmail(person, email)
      const put = (more: object) => scene.nobody.put(path, { username: person.username, resetPasswordToken, ...more })
      expect((await put({})).status).toBe(400)
      expect((await put({ currentPassword: 'wrong' })).status).toBe(401)
      expect((await signIn(scene, { ...person, username: email })).status).toBe(401)
      expect((await put({ currentPassword: person.password })).status).toBe(200)
      expect((await signIn(scene, { ...person, username: email })).status).toBe(201)
      expect((await signIn(scene, { ...person, username: person.email })).status).toBe(401)
      expect(await askForReset(scene, { username: person.username }, email)).not.toBe('')
    })

    test('gets no link to a new password before it is confirmed: that goes to the old one', async () => {
      const person = await settle(scene)
      const { email } = newPerson()
      await changeEmail(person, email)
      expect(await askForReset(scene, { username: person.username }, person.email)).not.toBe('')
      expect(scene.server.deliveries.filter(mailFor(email, /password/))).toEqual([])
    })

    test('that is another user’s can be entered and not confirmed', async () => {
      const [person, other] = [await settle(scene), await settle(scene)]
      const resetPasswordToken = await changeEmail(person, other.email)
      const body = { username: person.username, resetPasswordToken, currentPassword: person.password }
      expect((await scene.nobody.put(path, body)).status).toBe(409)
      expect((await signIn(scene, { ...other, username: other.email })).body.username).toBe(other.username)
    })

    test('cannot be marked as verified by its owner', async () => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const primaryEmail = { email: newPerson().email, verified: true, value: 'x' }
      const patched = await device.patch(
        `/api/rest/contactDetails/${person.pk}`,
        { primaryEmail },
        { 'Content-Type': 'application/json', Accept: 'application/json' },
      )
      expect(patched.body.primaryEmail).toMatchObject({ verified: false, value: primaryEmail.email })
    })
  })

  describe('a new username', () => {
    test.each(['account', 'accounts'])(
      'is given at %s/username with new cookies, and the old one is free',
      async name => {
        const person = await settle(scene)
        const device = await deviceOf(scene, person)
        const username = `${person.username}-renamed`
        scene.now = new Date(scene.now.getTime() + 60_000)
        const changed = await device.put(`/api/auth/${name}/username`, { username, password: person.password })
        expect([changed.status, changed.body]).toMatchObject([200, { pk: person.pk, username, name: username }])
        const cookies = cookiesOf(changed.headers)
        expect(cookies).toMatch(/access_token=.+refresh_token=/)
        expect(cookies).not.toBe(device.cookies)
        const renewed = clientFor(scene.service.url, { Cookie: cookies })
        expect((await renewed.get('/api/auth/userDetails')).body.username).toBe(username)
        expect((await signIn(scene, person)).status).toBe(401)
        expect((await signIn(scene, { ...person, username })).status).toBe(201)
        expect((await signIn(scene, { ...person, username: person.email })).status).toBe(201)
      },
    )

    test.each<[string, (person: { password: string }) => object, number]>([
      ['that is taken', ({ password }) => ({ username: 'ADMIN', password }), 409],
      ['without the password', () => ({ username: 'free-name' }), 400],
      ['with a wrong password', () => ({ username: 'free-name', password: 'wrong' }), 401],
      ['that is an address', ({ password }) => ({ username: 'a@example.org', password }), 400],
      ['that is empty', ({ password }) => ({ username: '', password }), 400],
      ['that is no text', ({ password }) => ({ username: ['a'], password }), 400],
    ])('%s is refused and changes nothing', async (_, body, status) => {
      const person = await settle(scene)
      const device = await deviceOf(scene, person)
      const refused = await device.put(`${path}/username`, body(person))
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([status, []])
      expect((await signIn(scene, person)).status).toBe(201)
    })

    test('is not given to nobody', async () => {
      expect((await scene.nobody.put(`${path}/username`, { username: 'x', password: 'y' })).status).toBe(401)
    })
  })

  test('what was secret is in no audit, no outbox and no description', async () => {
    const { deliveries } = scene.server
    const tokens = deliveries.flatMap(({ mail }) =>
      [.../token=([\w-]{43})/g[Symbol.matchAll](mail.text ?? '')].map(([, token]) => token ?? ''),
    )
    expect(tokens.length).toBeGreaterThan(10)
    const admin = scene.service.as('admin')
    const texts = await Promise.all(
      [
        '/api/rest/mails?page=no',
        '/api/management/auditevents',
        '/api/management/trace',
        '/api/rest/users?page=no',
      ].map(async address => (await admin.get(address)).text),
    )
    for (const secret of [...tokens, fresh, 'correct horse'])
      expect(texts.some(text => text.includes(secret))).toBe(false)
  })
})
