// Identities at other services: their user can list and remove them, and they end with what they were based on.

import type { Browser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import { accountPath, newPassword, newPasswordTwice } from '@plinth/test-kit/new-passwords'
import { askForReset, json, mailFor, type NewPerson, newPerson, settle, tokenIn } from '@plinth/test-kit/registering'
import { describe, expect, test } from 'vitest'
import { resetPassword } from '../../src/modules/registration/administrators.ts'
import { openSocialScene } from './social-sign-in.ts'

const path = '/api/auth/identities'

type Settled = NewPerson & { readonly pk: string }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const { scene, real, somebody, visit, signIn, me, audited } = openSocialScene(database)

  const list = async (browser: Browser) => (await browser.get(path)).body as { id: string; email: string | null }[]
  const remove = (browser: Browser, id = '') => browser.ask('DELETE', `${path}/${id}`)
  const now = () => scene().now.toISOString()

  /** A user with a password who has signed in at the provider, too. */
  const joined = async () => {
    const person = await settle(scene())
    const { subject } = somebody({ email: person.email })
    const browser = visit()
    await signIn(subject, browser)
    return { person, subject, browser }
  }
  /** A user without a password. */
  const newcomer = async () => {
    const { subject, email } = somebody()
    const browser = visit()
    await signIn(subject, browser)
    return { subject, email, browser }
  }
  /** Is it this user whom the identity opens? */
  const opens = async (subject: string, { pk }: { readonly pk: string }): Promise<boolean> => {
    // The provider now has another address for it, so no user is found by the address.
    real().people.set(subject, { email: newPerson().email, email_verified: true })
    const browser = visit()
    await signIn(subject, browser)
    return (await me(browser)).pk === pk
  }

  test('they are listed, and one that is taken away opens the account no more', async () => {
    const { person, subject, browser } = await joined()
    const identities = await list(browser)
    expect(identities).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        provider: 'real',
        label: 'The Real One',
        email: person.email,
        created: now(),
        lastUsed: now(),
      },
    ])
    const [{ id } = { id: '' }] = identities
    const other = await newcomer()
    expect(await list(other.browser)).not.toContainEqual(expect.objectContaining({ id }))
    expect((await remove(other.browser, id)).status).toBe(404)
    expect((await remove(browser, id)).status).toBe(204)
    expect((await remove(browser, id)).status).toBe(404)
    expect(await list(browser)).toEqual([])
    expect((await audited('IDENTITY_REMOVED')).at(-1)).toMatchObject({
      principal: person.username,
      data: { provider: 'real', email: `${person.email[0]}***@example.org`, address: '127.0.0.1' },
    })
    expect(await opens(subject, person)).toBe(false)
  })

  testAll('the address and the time are those of the last sign-in', async () => {
    const { subject, browser } = await newcomer()
    scene().now = new Date(scene().now.getTime() + 60_000)
    const { email } = newPerson()
    real().people.set(subject, { email, email_verified: true })
    await signIn(subject)
    expect(await list(browser)).toMatchObject([{ email, lastUsed: now() }])
    real().people.set(subject, { email, email_verified: false })
    await signIn(subject)
    expect(await list(browser)).toMatchObject([{ email: null }])
  })

  test('the only way in stays, until there is a password', async () => {
    const { email, browser } = await newcomer()
    const [identity] = await list(browser)
    const refused = await remove(browser, identity?.id)
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'conflict',
      'This is the only way to sign in to the account. Set a password first.',
    ])
    const { username } = await me(browser)
    const resetPasswordToken = await askForReset(scene(), { username }, email)
    await scene().anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })
    const again = visit()
    await again.signIn(username, newPassword)
    expect((await remove(again, identity?.id)).status).toBe(204)
  })

  testAll('of many that are removed at once, one stays', async () => {
    const { email, browser } = await newcomer()
    for (let at = 0; at < 4; at++) await signIn(somebody({ email }).subject)
    const all = await list(browser)
    expect(all).toHaveLength(5)
    const replies = await Promise.all(all.map(({ id }) => remove(browser, id)))
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 204, 204, 204, 409])
  })

  testAll('one of a provider that is no longer configured is named after its host, and is no way in', async () => {
    const { browser } = await newcomer()
    const { pk } = await me(browser)
    const { store } = scene().service.app.platform
    const gone = { user: pk, issuer: 'https://gone.example/there', subject: 'x', created: now(), lastUsed: now() }
    await store.transaction(tx => tx.insert(tx.resource('externalIdentities'), `gone-${pk}`, gone))
    const identities = await list(browser)
    expect(identities).toContainEqual(
      expect.objectContaining({ id: `gone-${pk}`, provider: null, label: 'gone.example', email: null }),
    )
    const own = identities.find(({ id }) => id !== `gone-${pk}`)
    expect((await remove(browser, own?.id)).status).toBe(409)
    expect((await remove(browser, `gone-${pk}`)).status).toBe(204)
  })

  test('others cannot list or remove them: not without signing in, by a key or from a foreign page', async () => {
    const { browser } = await joined()
    const [identity] = await list(browser)
    const at = `${path}/${identity?.id}`
    expect([(await visit().get(path)).status, (await visit().ask('DELETE', at)).status]).toEqual([401, 401])
    const expirationDate = new Date(scene().now.getTime() + 24 * 3600_000).toISOString()
    const { key } = (await browser.post('/api/rest/apiKeys', { name: 'one', scopes: ['write'], expirationDate })).body
    const headers = { 'X-API-Key': key }
    expect((await visit().get(path, { headers })).status).toBe(403)
    expect((await visit().ask('DELETE', at, { headers })).status).toBe(403)
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    expect((await browser.ask('DELETE', at, { headers: foreign })).status).toBe(403)
    expect(await list(browser)).toHaveLength(1)
  })

  describe('a user who has signed in there with a former address and with the current one', () => {
    const moved = async () => {
      const { person, subject: former, browser } = await joined()
      const { email } = newPerson()
      const { pk, username, password: currentPassword } = person
      const body = { primaryEmail: { email } }
      await browser.ask('PATCH', `/api/rest/contactDetails/${pk}`, { body, headers: json })
      const resetPasswordToken = tokenIn(await scene().server.next(mailFor(email, /Confirm your e-mail address/)))
      await scene().anonymous.put(accountPath, { username, resetPasswordToken, currentPassword })
      const { subject: present } = somebody({ email })
      await signIn(present)
      expect(await list(browser)).toHaveLength(2)
      return { person: { ...person, email }, former, present, browser }
    }
    const admin = () => scene().service.as('admin')
    const credentialsOf = ({ pk }: Settled) => `/api/rest/userCredentials/${pk}`
    const removed = async (username: string) =>
      (await audited('IDENTITY_REMOVED')).filter(
        ({ principal, data }: { principal: string; data: { user?: string } }) =>
          principal === username || data.user === username,
      )

    test('keeps both when they change the password', async () => {
      const { person, former, present, browser } = await moved()
      const body = { currentPassword: person.password, ...newPasswordTwice }
      expect((await browser.ask('PUT', accountPath, { body })).status).toBe(200)
      expect([await opens(former, person), await opens(present, person)]).toEqual([true, true])
      expect(await removed(person.username)).toEqual([])
    })

    test('keeps only the one of the mailbox when they reset it by mail', async () => {
      const { person, former, present } = await moved()
      const resetPasswordToken = await askForReset(scene(), { username: person.username }, person.email)
      const done = await scene().anonymous.put(accountPath, { resetPasswordToken, ...newPasswordTwice })
      expect(done.status).toBe(200)
      expect([await opens(former, person), await opens(present, person)]).toEqual([false, true])
      expect(await removed(person.username)).toMatchObject([
        { principal: person.username, data: { way: 'reset', count: '1', address: '127.0.0.1' } },
      ])
    })

    test.each<[string, string | null, (person: Settled) => Promise<unknown>]>(
      everyThird([
        [
          'an administrator sets the password',
          'admin',
          person => admin().patch(credentialsOf(person), { password: newPassword }),
        ],
        [
          'the password is set on the command line',
          null,
          ({ username: name }) =>
            resetPassword(scene().service.app.platform, { name, password: newPassword }, async () => {}),
        ],
        [
          'an administrator takes the credentials away and gives them again',
          'admin',
          async person => {
            await admin().delete(credentialsOf(person))
            await admin().post('/api/rest/userCredentials', { user: person.pk }, json)
          },
        ],
        [
          'an administrator removes the address',
          'admin',
          ({ pk }) =>
            admin().patch(
              `/api/rest/contactDetails/${pk}`,
              { primaryEmail: null },
              { 'Content-Type': 'application/merge-patch+json' },
            ),
        ],
      ]),
    )('keeps none when %s', async (_, principal, act) => {
      const { person, former, present } = await moved()
      await act(person)
      expect([await opens(former, person), await opens(present, person)]).toEqual([false, false])
      expect(await removed(person.username)).toMatchObject([{ principal, data: { user: person.username, count: '2' } }])
    })
  })
})
