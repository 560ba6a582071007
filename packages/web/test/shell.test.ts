// The frame of the client: where it leads, what it allows, and what happens when something goes wrong.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testAll } from '@plinth/test-kit/extent'
import { arrive, patience, type Screen, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig(patience)

const builtClient = fileURLToPath(new URL('../dist/', import.meta.url))
/** The pages of the modules of this repository. */
const builtPages = fileURLToPath(new URL('../../../dist/pages/', import.meta.url))

let visitor: Visitor
beforeAll(async () => {
  visitor = await arrive()
})
afterAll(() => visitor.leave())

test('a first visitor sees what is open to everybody, and how to get further', async () => {
  const { page } = visitor
  await visitor.visit('/')
  expect(await page.locator('h1').textContent()).toBe('Welcome to Plinth')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Countries/ })
    .waitFor()
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Users/ })
      .count(),
  ).toBe(0)
  expect(await page.getByRole('link', { name: 'Open API reference' }).getAttribute('href')).toBe('/apidoc')
})

testAll('the first page looks finished before the styles of everything else have arrived', async () => {
  const { page } = visitor
  await visitor.visit('/sign-in')
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  const look = (selector: string, field: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${field}`)
  expect(await look('main button[type=submit]', 'backgroundColor')).not.toBe('rgba(0, 0, 0, 0)')
  expect(await look('nav a', 'paddingLeft')).not.toBe('0px')
})

test('a page that does not exist says so and leads back', async () => {
  const { page } = visitor
  await visitor.visit('/no/such/page')
  expect(await page.locator('h1').textContent()).toBe('Page not found')
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await page.waitForURL(/\/client\/?$/)
})

test('the language is chosen once and kept', async () => {
  const { page } = visitor
  await visitor.visit('/')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Willkommen bei Plinth' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Willkommen bei Plinth' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await page.getByRole('button', { name: 'Sprache' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
})

testAll('the language of the browser is kept at sign-in, unless the account has another than the default', async () => {
  const context = await visitor.context.browser()?.newContext({ locale: 'de-DE' })
  if (!context) throw new Error('there is no browser')
  onTestFinished(() => context.close())
  const { url } = visitor.service
  await context.request.post(`${url}/api/auth/userDetails`, { data: { username: 'simple', password: 'simple' } })
  const page = await context.newPage()
  await page.goto(`${url}/client/`)
  await page.getByRole('button', { name: 'Sprache' }).waitFor()
  await page.getByRole('navigation').getByText('Konto').waitFor()
  const setLocale = (locale: string) =>
    visitor.service.as('admin').patch('/api/rest/users/00000000-0000-7000-8000-000000000005', { locale })
  await setLocale('de')
  onTestFinished(async () => {
    await setLocale('en')
  })
  const english = await visitor.context
    .browser()
    ?.newContext({ locale: 'en-GB', storageState: await context.storageState() })
  if (!english) throw new Error('there is no browser')
  onTestFinished(() => english.close())
  const other = await english.newPage()
  await other.goto(`${url}/client/`)
  await other.getByRole('button', { name: 'Sprache' }).waitFor()
})

test('the first answer draws the frame of the page, before any script has arrived', async () => {
  const page = await visitor.context.newPage()
  onTestFinished(() => page.close())
  await page.route('**/*.js', route => route.abort())
  await page.goto(`${visitor.service.url}/client/`)
  expect(await page.locator('.first-header').boundingBox()).toMatchObject({ x: 0, y: 0, height: 56 })
  expect(await page.locator('.first-rows span').count()).toBeGreaterThan(3)
})

testAll('the colours follow the device until they are chosen', async () => {
  const { page } = visitor
  await visitor.visit('/')
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(scheme).toBe('dark')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitem', { name: 'Light' }).click()
  await expect.poll(scheme).toBe('light')
  await page.reload()
  await page.locator('h1').waitFor()
  expect(await scheme()).toBe('light')
  await visitor.forget()
})

test('the keyboard skips the navigation, and a new page begins at its content', async () => {
  const { page } = visitor
  // In a new document, nothing has the focus.
  await visitor.load('/')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('location.hash')).toBe('#main')
  await page.getByRole('navigation').getByRole('link', { name: 'Records' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  expect(await page.title()).toBe('Records · Plinth')
})

testAll('the keyboard opens and closes a group of the navigation, and its state is announced', async () => {
  const { page } = visitor
  await visitor.visit('/')
  const navigation = page.getByRole('navigation')
  const group = navigation.getByRole('button', { name: 'Geography' })
  const countries = navigation.getByRole('link', { name: 'Countries' })
  expect(await group.getAttribute('aria-expanded')).toBe('false')
  expect(await countries.count()).toBe(0)
  await navigation.getByRole('link', { name: 'Records' }).focus()
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Geography')
  await page.keyboard.press('Enter')
  await countries.waitFor()
  expect(await group.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await expect.poll(() => countries.count()).toBe(0)
  expect(await group.getAttribute('aria-expanded')).toBe('false')
})

testAll('the group of the page that is shown is open', async () => {
  const { page } = visitor
  await visitor.visit('/resources/countries')
  const group = page.getByRole('navigation').getByRole('button', { name: 'Geography' })
  expect(await group.getAttribute('aria-expanded')).toBe('true')
})

test('a phone opens the navigation by a button, and it closes behind the choice', async () => {
  const { page } = visitor
  await visitor.resize('phone')
  await visitor.visit('/')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Records' }).click()
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor()
  await page.getByRole('button', { name: 'Open navigation' }).waitFor()
  await visitor.resize('desktop')
})

testAll.each(['desktop', 'phone'] as Screen[])('nothing is wider than the screen of a %s', async screen => {
  const { page } = visitor
  await visitor.signIn('admin')
  await visitor.resize(screen)
  for (const path of ['/', '/resources', '/resources/films', '/resources/users/new', '/account/security']) {
    await visitor.visit(path)
    await visitor.settle()
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect([path, beyond]).toEqual([path, 0])
  }
  await visitor.resize('desktop')
})

describe('when something goes wrong', () => {
  test('a mistake of the client is reported to the service', async () => {
    const { page, service } = visitor
    await visitor.signIn('simple')
    await visitor.visit('/')
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('made by a test')
      })
    })
    const reported = () =>
      service.as('admin').get('/api/rest/clientErrors?filter=message==*made*', { Accept: 'application/json' })
    await expect.poll(async () => (await reported()).body.page.totalElements).toBe(1)
    const [report] = (await reported()).body.content
    expect(report).toMatchObject({ viewUrl: `${service.url}/client/`, createdBy: { username: 'simple' } })
  })

  testAll('a part of the client that is gone after an update is explained', async () => {
    const { page } = visitor
    await visitor.visit('/')
    await page.route('**/assets/account-area-*.js', route => route.fulfill({ status: 404 }))
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Account/ })
      .click()
    await page.getByText('A new version is available').waitFor()
    await page.unroute('**/assets/account-area-*.js')
  })

  testAll('a service that cannot be reached is explained, and asked again on demand', async () => {
    const { page } = visitor
    await page.route('**/api/**', route => route.abort())
    await visitor.load('/')
    await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor()
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  })

  testAll('an area that is not for this person says so', async () => {
    const { page } = visitor
    await visitor.visit('/resources/userAgents')
    await page.getByText('This resource does not exist').waitFor()
    await visitor.visit('/management/health')
    await page.getByText('Your account has no permission for this area').waitFor()
  })
})

testAll('areas whose modules are off do not exist', async () => {
  const other = await arrive({ settings: { 'app.modules': 'membership', 'app.bnms.controllers': 'bno' } })
  try {
    const { page } = other
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await other.signIn('admin')
    await other.visit('/')
    await navigation.getByRole('link', { name: 'Network' }).waitFor()
    expect(await navigation.getByRole('link', { name: 'Counter' }).count()).toBe(0)
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Counter/ })
        .count(),
    ).toBe(0)
    await other.visit('/counter')
    expect(await page.locator('h1').textContent()).toBe('Page not found')
  } finally {
    await other.leave()
  }
})

testAll('the network does not exist where none of it is published', async () => {
  const other = await arrive({ settings: { 'app.demo': 'false', 'app.modules': 'rental,membership' } })
  try {
    const modules = (await other.service.as('anonymous').get('/api/modules', { Accept: 'application/json' })).body
    expect(modules).toContainEqual({ name: 'rental', about: expect.any(String), endpoints: true })
    expect(modules).toContainEqual({ name: 'membership', about: expect.any(String), endpoints: false })
    await other.visit('/network')
    expect(await other.page.locator('h1').textContent()).toBe('Page not found')
  } finally {
    await other.leave()
  }
})

test('nothing is asked of any other host', () => {
  expect(visitor.foreign).toEqual([])
})

test('no script may stand inside a page', async () => {
  const policy = (await visitor.service.as('anonymous').get('/client/')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/)
})

/** The bytes of scripts and styles that the page fetches, as they are sent: those of the client, and of the pages of all modules. */
const bytesOf = async (path: string): Promise<number> => {
  const { page } = visitor
  const fetched = new Set<string>()
  const note = (request: { url(): string }) => fetched.add(new URL(request.url()).pathname)
  page.on('request', note)
  await visitor.load(path)
  await page.waitForLoadState('networkidle')
  page.off('request', note)
  const files = [...fetched].filter(path => /^\/client\/(pages\/)?assets\//.test(path))
  expect(files.length).toBeGreaterThan(2)
  const sizes = files
    .map(path =>
      path.startsWith('/client/pages/')
        ? join(builtPages, path.slice('/client/pages/'.length))
        : join(builtClient, path.slice('/client/'.length)),
    )
    .map(path => {
      const compressed = `${path}.br`
      return statSync(existsSync(compressed) ? compressed : path).size
    })
  return sizes.reduce((sum, size) => sum + size, 0)
}

test('all that the first page fetches is below 200 kB, as it is sent', async () => {
  await visitor.forget()
  const signIn = await bytesOf('/sign-in')
  await visitor.signIn('admin')
  const home = await bytesOf('/')
  expect([signIn, home].filter(bytes => bytes >= 200_000)).toEqual([])
})

test('what was built is sent compressed, and kept for good', async () => {
  const html = await (await fetch(`${visitor.service.url}/client/`)).text()
  const [script = ''] = /\/client\/assets\/index-[\w-]+\.js/.exec(html) ?? []
  const answer = await fetch(visitor.service.url + script, { headers: { 'accept-encoding': 'br' } })
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(answer.headers.get('cache-control')).toContain('immutable')
  expect(answer.headers.get('vary')).toContain('Accept-Encoding')
})
