// Getting in: by password, by a second factor, by registration and by a link in a mail; and staying in.

import { createAuthenticator } from '@plinth/test-kit/authenticator'
import { extent, testAll } from '@plinth/test-kit/extent'
import { linkIn, type MailServer, smtpSettings, startMailServer } from '@plinth/test-kit/mailbox'
import { fragmentOf, mailFor } from '@plinth/test-kit/registering'
import { arrive, patience, type Screen, type Visitor } from '@plinth/test-kit/visitor'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const json = { 'Content-Type': 'application/json', Accept: 'application/json' }

let mails: MailServer
let visitor: Visitor
beforeAll(async () => {
  mails = await startMailServer()
  visitor = await arrive({ settings: smtpSettings(mails.port) })
})
afterAll(async () => {
  await visitor.leave()
  await mails.stop()
})

const type = async (label: string | RegExp, text: string) => {
  await visitor.page.getByRole('textbox', { name: label }).fill(text)
}

const press = (name: string | RegExp) => visitor.page.getByRole('main').getByRole('button', { name }).click()

const enter = async (username: string, password: string) => {
  await type(/^Username or e-mail/, username)
  await type(/^Password/, password)
  await press('Sign in')
}

/** The client stays open, unlike after `forget`. */
const signOut = async () => {
  const { page } = visitor
  await page.getByRole('button', { name: /^Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
}

/** Reads a QR code as the camera of a telephone would. */
const readQrCode = async (photograph: Buffer): Promise<string> => {
  const { data, info } = await sharp(photograph).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data ?? 'nothing'
}

describe.each(extent<readonly Screen[]>(['desktop'], ['desktop', 'phone']))('by password on a %s', screen => {
  beforeAll(async () => {
    await visitor.forget()
    await visitor.resize(screen)
  })

  test('a wrong password is reported in place, and nothing typed is lost', async () => {
    const { page } = visitor
    await visitor.load('/sign-in')
    await enter('staff', 'wrong')
    await page.getByRole('alert').getByText('Wrong username or password.').waitFor()
    expect(await page.getByRole('textbox', { name: /^Username or/ }).inputValue()).toBe('staff')
  })

  test('the right one leads to where one wanted to go', async () => {
    const { page } = visitor
    await visitor.visit('/resources/films?q=Matrix')
    await page.waitForURL(/\/sign-in\?to=/)
    await enter('staff', 'staff')
    await page.waitForURL(/\/resources\/films\?q=Matrix$/)
    await page.getByRole('link', { name: 'Matrix 11' }).waitFor()
  })

  test('signing out ends the session on the service, too', async () => {
    const { context, service } = visitor
    await signOut()
    expect((await context.request.get(`${service.url}/api/auth/userDetails`)).status()).toBe(401)
  })
})

test.each(extent(['/\\evil.example'], ['//evil.example/', 'https://evil.example/', '/\\evil.example']))(
  'the way back never leads to %s',
  async target => {
    const { page, service } = visitor
    await visitor.resize('desktop')
    await visitor.visit(`/sign-in?to=${encodeURIComponent(target)}`)
    await enter('staff', 'staff')
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    expect(new URL(page.url()).origin).toBe(service.url)
    await signOut()
  },
)

describe('staying in', () => {
  testAll('an access token that has ended is renewed without a word', async () => {
    const { page, context } = visitor
    await visitor.visit('/sign-in?to=/resources/countries')
    await enter('staff', 'staff')
    await page.getByRole('heading', { level: 1, name: 'Countries' }).waitFor()
    await context.clearCookies({ name: 'access_token' })
    await page.getByRole('navigation').getByRole('link', { name: 'Records' }).click()
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Films/ })
      .click()
    await page.getByRole('link', { name: 'Matrix 11' }).waitFor()
  })

  test('a session that is over leads to the sign-in page and back', async () => {
    const { page, context } = visitor
    await visitor.signIn('staff')
    await visitor.load('/account/sessions')
    await page.getByText('this device').waitFor()
    await context.clearCookies()
    await page.getByRole('tab', { name: 'Security' }).click()
    await page.waitForURL(/\/sign-in\?to=%2Faccount/)
    await enter('staff', 'staff')
    await page.waitForURL(/\/account/)
  })
})

test('a second factor is asked for after the password, and a wrong code may be corrected', async () => {
  const { page, service } = visitor
  await visitor.signIn('operator')
  await visitor.load('/account/security')
  await press('Set up')
  const section = page.locator('section', { hasText: 'Two-factor authentication' }).first()
  await section.getByRole('textbox', { name: /^Current password/ }).fill('operator')
  await section.getByRole('button', { name: 'Set up' }).click()
  const photograph = await page.getByRole('img', { name: /^QR code/ }).screenshot()
  const secret = ((await section.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
  expect(new URL(await readQrCode(photograph)).searchParams.get('secret')).toBe(secret)
  const telephone = createAuthenticator(secret, () => new Date())
  await type(/^Code from the app/, telephone.code())
  await press('Turn on')
  await page.getByText('Recovery codes').first().waitFor()
  const codes = await page.locator('[role=status] code').allTextContents()
  expect(codes.length).toBeGreaterThanOrEqual(8)
  await press('I have saved them')
  await page.getByText('recovery codes left').waitFor()

  await signOut()
  await visitor.visit('/sign-in')
  await enter('operator', 'operator')
  await page.getByRole('heading', { level: 1, name: 'Two-factor authentication' }).waitFor()
  await type(/^Code/, '000000')
  await press('Sign in')
  await page.getByText('This code is wrong or has expired.').waitFor()
  await type(/^Code/, codes[0] ?? '')
  await press('Sign in')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  const used = await service.as('anonymous').get('/api/auth/userDetails', {
    Authorization: `Basic ${btoa('operator:operator')}`,
  })
  expect(used.status).toBe(401)
})

describe('a newcomer', () => {
  const password = 'a long sentence of my own'
  const hasty = 'hasty@example.org'
  let linkOfHasty: URL

  test('registers, confirms by mail and signs in', async () => {
    const { page } = visitor
    await signOut()
    await visitor.visit('/register?email=newcomer@example.org')
    await type(/^Username/, 'newcomer')
    await type(/^Password$/, password)
    await type(/^Repeat password/, 'something else')
    await press('Register')
    await page.getByText('The passwords do not match.').waitFor()
    await type(/^Repeat password/, password)
    await press('Register')
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
    const link = linkIn(await mails.next(mailFor('newcomer@example.org')))
    expect(link.pathname).toBe('/client/confirm')
    await page.getByRole('button', { name: 'Resend e-mail' }).click()
    await page.getByText('a new e-mail is on its way').waitFor()
    await mails.next(one => mailFor('newcomer@example.org')(one) && linkIn(one).href !== link.href)
    const paths: string[] = []
    page.on('request', request => paths.push(`${request.url()} ${request.headers().referer ?? ''}`))
    await visitor.load(`/confirm${link.hash}`)
    // The token is part of no address that a server sees, and does not stay in the address bar.
    expect(paths.filter(one => one.includes('token='))).toEqual([])
    await page.waitForURL(`${visitor.service.url}/client/confirm`)
    await page.reload()
    await press('Confirm')
    await page.getByRole('heading', { name: 'E-mail address confirmed' }).waitFor()
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await enter('newcomer', password)
    await page.getByRole('heading', { name: 'Hello, newcomer' }).waitFor()
  })

  testAll('a link that was used says so', async () => {
    const { page } = visitor
    const link = linkIn(await mails.next(mailFor('newcomer@example.org')))
    await visitor.visit(`/confirm${link.hash}`)
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    const further = page.getByRole('main').getByRole('link', { name: 'Go to sign-in' })
    expect(await further.getAttribute('href')).toBe('/client/sign-in')
  })

  testAll(
    'a user with an unconfirmed address sees why, with the right password only, and gets the mail again',
    async () => {
      const { page, service } = visitor
      const registration = { email: hasty, username: 'hasty', password, passwordConfirmation: password }
      expect((await service.as('anonymous').post('/api/auth/account', registration)).status).toBe(201)
      const first = linkIn(await mails.next(mailFor(hasty)))
      await signOut()
      await enter(hasty, 'a wrong password')
      await page.getByRole('alert').getByText('Wrong username or password.').waitFor()
      await enter(hasty, password)
      await page.getByRole('heading', { level: 1, name: 'Confirm your e-mail address' }).waitFor()
      await press('Resend e-mail')
      await page.getByText('a new e-mail is on its way').waitFor()
      linkOfHasty = linkIn(await mails.next(one => mailFor(hasty)(one) && linkIn(one).href !== first.href))
    },
  )

  testAll('the mail that was sent again confirms the address', async () => {
    const { page } = visitor
    await visitor.visit(`/confirm${linkOfHasty.hash}`)
    await press('Confirm')
    await page.getByRole('heading', { name: 'E-mail address confirmed' }).waitFor()
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await enter(hasty, password)
    await page.getByRole('heading', { name: 'Hello, hasty' }).waitFor()
    await signOut()
  })

  testAll('too many attempts are reported as such, and not as an invalid link', async () => {
    const { page, service } = visitor
    const email = 'often@example.org'
    const registration = { email, username: 'often', password, passwordConfirmation: password }
    await service.as('anonymous').post('/api/auth/account', registration)
    const link = linkIn(await mails.next(mailFor(email)))
    const answer = { status: 429, contentType: 'application/problem+json', body: '{"code":"too_many_requests"}' }
    await page.route('**/api/auth/account', route => route.fulfill(answer))
    await visitor.load(`/confirm${link.hash}`)
    await press('Confirm')
    await page.getByText('Too many attempts in a short time.').waitFor()
    expect(await page.getByText(/has expired|already used/).count()).toBe(0)
    await page.unroute('**/api/auth/account')
  })

  testAll('another address is confirmed with the password', async () => {
    const { page, service } = visitor
    const email = 'moved@example.org'
    const found = await service.as('admin').get('/api/rest/users/byUserNameOrEmail/newcomer', json)
    await service.as('admin').patch(`/api/rest/contactDetails/${found.body.pk}`, { primaryEmail: { email } }, json)
    await visitor.load(`/confirm${linkIn(await mails.next(mailFor(email))).hash}`)
    await page.getByText('If it has no password because you sign in with another service').waitFor()
    const chosen = page.getByRole('main').getByRole('link', { name: 'Reset your password' })
    expect(await chosen.getAttribute('href')).toBe('/client/forgot-password')
    await type(/^Password/, 'wrong')
    await press('Confirm')
    await page.getByText('Wrong username or password.').waitFor()
    await type(/^Password/, password)
    await press('Confirm')
    await page.getByRole('heading', { name: 'E-mail address confirmed' }).waitFor()
  })

  testAll('a password that everybody has is refused beside its field', async () => {
    const { page } = visitor
    await visitor.forget()
    await visitor.load('/register')
    await type(/^E-mail/, 'other@example.org')
    await type(/^Password$/, 'password1')
    await type(/^Repeat password/, 'password1')
    await press('Register')
    await page.locator('input[name=password][aria-invalid=true]').waitFor()
  })

  test('who forgot the password chooses a new one by mail, also by a link with its token in the query', async () => {
    const { page } = visitor
    await visitor.visit('/forgot-password')
    await type(/^Username or e-mail/, 'newcomer')
    await press('Send link')
    await page.getByText('an e-mail with a link is on its way').waitFor()
    const mail = await mails.next(delivery => /reset-password/.test(delivery.mail.text ?? ''))
    await visitor.load(`/reset-password?${fragmentOf(mail)}`)
    await page.waitForURL(`${visitor.service.url}/client/reset-password`)
    await type(/^New password/, 'another long sentence')
    await type(/^Repeat password/, 'another long sentence')
    await press('Change password')
    await page.getByRole('heading', { name: 'Password changed' }).waitFor()
    await visitor.visit(`/reset-password${linkIn(mail).hash}`)
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    const again = page.getByRole('main').getByRole('link', { name: 'Send a new link' })
    expect(await again.getAttribute('href')).toBe('/client/forgot-password')
    await visitor.visit('/sign-in')
    await enter('newcomer', 'another long sentence')
    await page.getByRole('heading', { name: 'Hello, newcomer' }).waitFor()
  })

  test.each(extent(['reset-password'], ['confirm', 'reset-password', 'first-administrator']))(
    'half a link to %s is explained',
    async path => {
      await visitor.visit(`/${path}`)
      await visitor.page.getByRole('heading', { name: 'This link is incomplete' }).waitFor()
    },
  )
})

testAll('the first administrator makes an account by the link of the first start', async () => {
  const fresh = await arrive({ settings: { 'app.demo': 'false' } })
  try {
    const { page, service } = fresh
    const link = (await service.app.greeting())
      .map(line => line.trim())
      .find(line => line.includes('first-administrator'))
    await page.goto(link ?? '')
    await page.waitForURL(`${service.url}/client/first-administrator`)
    for (const [label, text] of [
      [/^Username/, 'boss'],
      [/^E-mail/, 'boss@example.org'],
      [/^Password$/, 'keep this one well'],
      [/^Repeat password/, 'keep this one well'],
    ] as const)
      await page.getByRole('textbox', { name: label }).first().fill(text)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Account created' }).waitFor()
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await page.getByRole('textbox', { name: /^Username or/ }).fill('boss')
    await page.getByRole('textbox', { name: /^Password/ }).fill('keep this one well')
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  } finally {
    await fresh.leave()
  }
})
