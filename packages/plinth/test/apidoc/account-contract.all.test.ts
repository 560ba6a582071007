// Every account endpoint in each of its cases: what is sent and what is answered, held against the document.

import { createAuthenticator, enrol } from '@plinth/test-kit/authenticator'
import { type Browser, type BrowserResponse, openBrowser } from '@plinth/test-kit/cookie-client'
import { askForReset, bodyOf, confirmationFor, mailFor, newPerson, settle, tokenIn } from '@plinth/test-kit/registering'
import type { TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startAccounts } from '../auth/accounts-service.ts'
import { openSocialScene } from '../auth/social-sign-in.ts'
import { createBodyJudge, createJudge, type OpenApi, operationsIn, placeAt } from './contract.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const social = openSocialScene('sqlite')
let document: OpenApi
let judge: ReturnType<typeof createJudge>
let judgeBody: ReturnType<typeof createBodyJudge>
/** A service without a mail server and without users. */
let empty: TestService
beforeAll(async () => {
  empty = await startAccounts('sqlite', { settings: { 'app.demo': 'false' } })
  document = (await social.scene().service.as('anonymous').get('/api/openapi.json')).body
  judge = createJudge(document)
  judgeBody = createBodyJudge(document)
})
afterAll(() => empty.stop())

const seen = new Set<string>()
const account = '/api/auth/account'

interface Sent {
  readonly body?: unknown
  readonly accept?: string
  /** One of the demo users. */
  readonly as?: string
}

/** Asks, and holds the answer against the document; a body that is taken must be as described. */
const meet = async (
  browser: Browser,
  [method, path, status]: readonly [string, string, number],
  { body, accept = 'application/json', as }: Sent = {},
): Promise<BrowserResponse> => {
  const headers = { Accept: accept, ...(as && { Authorization: `Basic ${btoa(`${as}:${as}`)}` }) }
  const reply = await browser.ask(method, path, { headers, ...(body !== undefined && { body }) })
  const { operation } = placeAt(document, method, path)
  const type = String(reply.headers['content-type'] ?? '')
  const fault = judge(operation, { status: reply.status, text: reply.text, type })
  expect([method, path, reply.status, fault]).toEqual([method, path, status, null])
  if (status < 300) expect([method, path, judgeBody(operation, body)]).toEqual([method, path, null])
  seen.add(`${operation.operationId.replace(/Alias$/, '')} ${status}`)
  return reply
}

const both = ['/api/auth/account', '/api/auth/accounts']

test.each(both)('%s: registering, and every case of a change', async path => {
  const [scene, anonymous, person] = [social.scene(), social.visit(), newPerson()]
  const { email, username } = person
  await meet(anonymous, ['POST', path, 201], { body: bodyOf(person) })
  await meet(anonymous, ['POST', path, 201], { body: bodyOf({ ...newPerson(), email }) })
  await meet(anonymous, ['POST', path, 201], {
    body: { email: newPerson().email, password: person.password, passwordConfirmation: person.password },
  })
  await meet(anonymous, ['POST', path, 409], { body: bodyOf({ ...newPerson(), username }) })
  await meet(anonymous, ['POST', path, 422], { body: bodyOf(newPerson(), { registrationCode: 'none' }) })
  await meet(anonymous, ['PUT', path, 200], {
    body: { username, resetPasswordToken: await confirmationFor(scene, person) },
  })
  await meet(anonymous, ['PUT', path, 422], { body: { username, resetPasswordToken: 'none' } })
  for (const body of [{ email }, { username }, { email: 'stranger@example.org' }]) {
    const response = await meet(anonymous, ['PUT', path, 200], { body })
    expect(response.text).toBe('')
  }
  const resetPasswordToken = await askForReset(scene, { email }, email)
  await meet(anonymous, ['POST', `${path}/verification`, 200], { body: { username, resetPasswordToken } })
  await meet(anonymous, ['POST', `${path}/verification`, 400], { body: { username } })
  await meet(anonymous, ['POST', `${path}/verification`, 422], { body: { username, resetPasswordToken: 'none' } })
  const typed = (password: string) => ({ password, passwordConfirmation: password })
  await meet(anonymous, ['PUT', path, 200], { body: { resetPasswordToken, ...typed('second battery staple') } })
  const browser = social.visit()
  await browser.signIn(username, 'second battery staple')
  const change = { currentPassword: 'second battery staple', ...typed('third battery staple') }
  await meet(browser, ['PUT', path, 200], { body: change })
  await meet(browser, ['PUT', path, 401], { body: change })
  await meet(browser, ['PUT', path, 400], { body: typed('third') })
})

test('an address is replaced by its token and the password', async () => {
  const scene = social.scene()
  const [person, { email }, browser] = [await settle(scene), newPerson(), social.visit()]
  await browser.signIn(person.username, person.password)
  await browser.ask('PATCH', `/api/rest/contactDetails/${person.pk}`, { body: { primaryEmail: { email } } })
  const resetPasswordToken = tokenIn(await scene.server.next(mailFor(email, /Confirm your e-mail address/)))
  const body = { username: person.username, resetPasswordToken, currentPassword: person.password }
  await meet(browser, ['PUT', account, 400], { body: { ...body, currentPassword: null } })
  await meet(browser, ['PUT', account, 200], { body })
})

test.each(both)('%s/username, with and without a session', async path => {
  const { username, password } = await settle(social.scene())
  const browser = social.visit()
  await browser.signIn(username, password)
  const named = (name: string) => ({ body: { username: name, password } })
  await meet(browser, ['PUT', `${path}/username`, 200], named(`${username}-new`))
  await meet(browser, ['PUT', `${path}/username`, 409], named('admin'))
  await meet(browser, ['PUT', `${path}/username`, 400], named('a b'))
  await meet(social.visit(), ['PUT', `${path}/username`, 401], named('other'))
  await meet(social.visit(), ['PUT', `${path}/username`, 200], {
    as: 'simple',
    body: { username: 'simple', password: 'simple' },
  })
})

const signIns = [
  ['/api/auth/jwt/access', 201],
  ['/api/auth/basic', 201],
  ['/api/auth/userDetails', 200],
  ['/apiauth/userDetails', 200],
] as const

test.each(signIns)(
  '%s takes a name or an address, and a request without either is not as described',
  async (path, done) => {
    const { username, email, password } = await settle(social.scene())
    for (const body of [
      { username, password },
      { email, password },
      { username, email, password },
    ])
      await meet(social.visit(), ['POST', path, done], { body })
    const refused = await meet(social.visit(), ['POST', path, 401], { body: { username, password: 'wrong' } })
    const { operation } = placeAt(document, 'POST', path)
    expect(refused.text).toBe('')
    expect(operation.responses['401']).toMatchObject({
      description: expect.stringMatching(/^Without a body: the credentials are wrong/),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/SignInProblem' } } },
    })
    for (const body of [{ password }, { username }, {}]) {
      await meet(social.visit(), ['POST', path, 400], { body })
      expect(judgeBody(operation, body)).not.toBeNull()
    }
  },
)

test.each(['/api/auth', '/apiauth'])('%s: being signed in, and leaving', async base => {
  const browser = social.visit()
  await meet(browser, ['POST', `${base}/userDetails`, 200], {
    body: { username: 'client', password: 'client', rememberMe: true },
  })
  await meet(browser, ['GET', `${base}/userDetails`, 200])
  await meet(browser, ['POST', `${base}/userDetails/verification`, 200], { body: { password: 'client' } })
  await meet(browser, ['POST', `${base}/userDetails/verification`, 401], { body: { password: 'wrong' } })
  await meet(browser, ['POST', '/api/auth/jwt/refresh', 201])
  await meet(browser, ['DELETE', `${base}/userDetails`, 204])
  await meet(browser, ['GET', `${base}/userDetails`, 401])
})

test('the own sessions, and those of others', async () => {
  const [here, there] = [social.visit(), social.visit()]
  for (const browser of [here, there, social.visit()]) await browser.signIn('client')
  const { body } = await meet(here, ['GET', '/api/auth/sessions', 200])
  const other = body.find(({ current }: { current: boolean }) => !current)
  await meet(here, ['DELETE', `/api/auth/sessions/${other.id}`, 204])
  await meet(here, ['DELETE', `/api/auth/sessions/${other.id}`, 404])
  await meet(here, ['DELETE', '/api/auth/sessions', 204])
  const { pk } = (await here.get('/api/auth/userDetails')).body
  await meet(here, ['DELETE', `/api/rest/users/${pk}/sessions`, 403])
  await meet(social.visit(), ['DELETE', `/api/rest/users/${pk}/sessions`, 204], { as: 'admin' })
})

test('where else one signs in', async () => {
  const { email, username, password } = await settle(social.scene())
  const [browser, newcomer, path] = [social.visit(), social.visit(), '/api/auth/identities']
  await social.signIn(social.somebody({ email }).subject, browser)
  const [identity] = (await meet(browser, ['GET', path, 200])).body
  await browser.signIn(username, password)
  await meet(browser, ['DELETE', `${path}/${identity.id}`, 204])
  await meet(browser, ['DELETE', `${path}/${identity.id}`, 404])
  await social.signIn(social.somebody().subject, newcomer)
  const [only] = (await meet(newcomer, ['GET', path, 200])).body
  await meet(newcomer, ['DELETE', `${path}/${only.id}`, 409])
  await meet(social.visit(), ['GET', path, 401])
})

test.each(['/api/auth', '/apiauth'])('%s: the second factor from its beginning to its end', async base => {
  const [scene, browser] = [social.scene(), social.visit()]
  const { username, password, pk } = await settle(scene)
  await browser.signIn(username, password)
  const factor = `${base}/secondFactor`
  await meet(browser, ['GET', factor, 200])
  const { secret } = (await meet(browser, ['POST', factor, 200], { body: { password } })).body
  const telephone = createAuthenticator(secret, () => scene.now)
  const later = () => {
    scene.now = new Date(scene.now.getTime() + 60_000)
    return telephone.code()
  }
  await meet(browser, ['PUT', factor, 422], { body: { code: '000000' } })
  await meet(browser, ['PUT', factor, 200], { body: { code: later() } })
  await meet(browser, ['POST', factor, 409], { body: { password } })
  await meet(browser, ['POST', `${factor}/recoveryCodes`, 200], { body: { password, code: later() } })
  for (const [path, done] of signIns) {
    await meet(social.visit(), ['POST', path, 401], { body: { username, password } })
    await meet(social.visit(), ['POST', path, done], { body: { username, password, code: later() } })
  }
  const halfway = social.visit()
  await halfway.signIn(username, password)
  await meet(halfway, ['POST', `${base}/userDetails/secondFactor`, 401], { body: { code: '000000' } })
  await meet(halfway, ['POST', `${base}/userDetails/secondFactor`, 200], { body: { code: later() } })
  await meet(browser, ['DELETE', factor, 204], { body: { password, code: later() } })
  await meet(browser, ['DELETE', factor, 409], { body: { password, code: '000000' } })
  await enrol(browser, password, () => scene.now)
  for (const status of [204, 404])
    await meet(social.visit(), ['DELETE', `/api/rest/userCredentials/${pk}/secondFactor`, status], { as: 'admin' })
})

test('signing in at another service', async () => {
  const [browser, path] = [social.visit(), '/api/auth/oauth/signin/real']
  await meet(browser, ['GET', '/api/auth/oauth/providers', 200])
  await meet(browser, ['POST', path, 200])
  const left = await meet(browser, ['POST', path, 302], { accept: '*/*' })
  const back = await social.real().signIn(String(left.headers.location), social.somebody().subject)
  await meet(browser, ['GET', back.pathname + back.search, 302], { accept: '*/*' })
  await meet(browser, ['POST', '/api/auth/oauth/signin/none', 404])
})

test('invitations, codes, users by name, metadata and explanations', async () => {
  const browser = social.visit()
  const invitations = '/api/rest/invitations'
  const recipients = [{ email: 'guest@example.org', firstName: 'Guest' }]
  await meet(browser, ['POST', invitations, 201], { as: 'simple', body: { addressLines: 'a@example.org', recipients } })
  await meet(browser, ['POST', invitations, 400], { as: 'simple', body: {} })
  await meet(browser, ['POST', invitations, 401], { body: { recipients } })
  const batches = '/api/rest/registrationCodeBatches'
  const batch = await meet(browser, ['POST', batches, 201], { as: 'admin', body: { name: 'Fair', batchSize: 2 } })
  await meet(browser, ['GET', `${batches}/${batch.body.pk}/csv`, 200], { as: 'admin', accept: 'text/csv' })
  const found = await meet(browser, ['GET', '/api/rest/users/byUserNameOrEmail/simple', 200], { as: 'simple' })
  await meet(browser, ['GET', '/api/rest/users/byUserNameOrEmail/nobody', 404], { as: 'simple' })
  const metadata = `/api/rest/users/${found.body.pk}/metadata`
  const body = { predicate: 'team', object: 'blue' }
  for (const status of [201, 200]) await meet(browser, ['PUT', metadata, status], { as: 'simple', body })
  await meet(browser, ['DELETE', `${metadata}/team`, 204], { as: 'simple' })
  const explain = '/api/rest/explain?operation=patch&resource='
  await meet(browser, ['GET', `${explain}users&user=simple&pk=${found.body.pk}`, 200], { as: 'admin' })
  await meet(browser, ['GET', `${explain}countries`, 200], { as: 'admin' })
  await meet(browser, ['GET', `${explain}none`, 400], { as: 'admin' })
})

test('the first administrator, and a mail in the outbox', async () => {
  const browser = openBrowser(empty.url)
  const token = /#token=([\w-]{43})$/m.exec((await empty.app.greeting()).join('\n'))?.[1]
  const founder = { username: 'founder', email: 'founder@example.org', password: 'wide open fields' }
  const first = '/api/auth/first-administrator'
  await meet(browser, ['POST', first, 401], { body: { ...founder, token: 'none' } })
  await meet(browser, ['POST', first, 201], { body: { ...founder, token } })
  await meet(browser, ['POST', account, 201], { body: bodyOf(newPerson()) })
  await browser.signIn(founder.username, founder.password)
  const sent = '/api/rest/mails?filter=state==sent'
  await expect.poll(async () => (await browser.get(sent)).body.content.length, { timeout: 20_000 }).toBe(1)
  const [mail] = (await browser.get(sent)).body.content
  await meet(browser, ['GET', `/api/rest/mails/${mail.pk}/message`, 200], { accept: 'message/rfc822' })
})

test('no answer of the account endpoints was left out', () => {
  const ours =
    /^\/(api\/auth|apiauth|api\/rest\/(invitations|explain))|\/(sessions|secondFactor|metadata|csv|message)\b|byUserName/
  const promised = operationsIn(document)
    .filter(({ path }) => ours.test(path))
    .flatMap(({ operation: { operationId, responses } }) =>
      Object.keys(responses)
        .filter(status => Number(status) < 400)
        .map(status => `${operationId.replace(/Alias$/, '')} ${status}`),
    )
  expect(promised.filter(one => !seen.has(one))).toEqual([])
})
