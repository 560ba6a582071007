// Name, logo, colours and languages of an application in the web client, which is built once for all applications.

import { fileURLToPath } from 'node:url'
import { seriousFaults } from '@plinth/test-kit/axe'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { extent, testAll } from '@plinth/test-kit/extent'
import { patience } from '@plinth/test-kit/visitor'
import { defineApp } from 'plinth'
import { startPlinth, type TestService } from 'plinth/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const name = 'Books & <b>Co</b> "$&"'

const french = {
  name: 'Français',
  client: {
    home: { welcome: 'Bienvenue chez {application}' },
    shell: { signIn: 'Se connecter', language: 'Langue' },
    areas: { resources: 'Données' },
  },
  resources: { countries: { title: 'Pays', fields: { capital: 'Capitale' } } },
}

const app = defineApp({
  name,
  client: { logo: fileURLToPath(new URL('own-logo.svg', import.meta.url)), colors: { primary: '#ffd43b' } },
  languages: { fr: french, en: { name: 'English', client: { entry: { signInIntro: 'Good to see you' } } } },
})

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startPlinth({ app })
  browser = await openBrowser(service.url)
  browser.page.setDefaultTimeout(60_000)
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

const visit = async (path: string) => {
  await browser.visit(path)
  await browser.page.locator('h1').first().waitFor()
}

test('name and logo are in the header, the title of the window and the manifest, as text and never as markup', async () => {
  const { page } = browser
  await visit('/')
  expect(await page.locator('h1').textContent()).toBe(`Welcome to ${name}`)
  expect(await page.locator('header a').first().textContent()).toBe(name)
  expect(await page.title()).toContain(name)
  expect(await page.locator('header b').count()).toBe(0)
  expect(await page.evaluate<number>(`document.querySelector('header img').naturalWidth`)).toBe(40)
  const { body: manifest } = await service.anonymous.get('/client/manifest.webmanifest')
  expect(manifest).toMatchObject({ name, theme_color: '#ffd43b', icons: [{ type: 'image/svg+xml' }] })
  const logo = await service.anonymous.get(manifest.icons[0].src)
  expect(logo.headers.get('cache-control')).toContain('immutable')
  expect(logo.headers.get('content-security-policy')).toContain("script-src 'self'")
})

testAll.each(extent(['dark'] as const, ['light', 'dark'] as const))(
  'a light colour is darkened until text on it can be read (%s)',
  async colorScheme => {
    const { page } = browser
    await page.emulateMedia({ colorScheme })
    await visit('/sign-in')
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.getByText('Good to see you').count()).toBe(1)
    expect(await seriousFaults(page)).toEqual([])
    const [red = 0, green = 0, blue = 0] =
      (
        await page.evaluate<string>(
          `getComputedStyle(document.querySelector('main button[type=submit]')).backgroundColor`,
        )
      )
        .match(/\d+/g)
        ?.map(Number) ?? []
    expect(red > green && green > blue).toBe(true)
  },
)

testAll('an added language is chosen like the others, in the client and in the texts of the service', async () => {
  const { page } = browser
  await visit('/')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: 'Français' }).click()
  await page.getByRole('heading', { name: 'Bienvenue chez' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: /^Pays/ }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Bienvenue chez' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('fr')
  await page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).waitFor()
  // What is not translated is in English.
  await page.getByRole('navigation').getByRole('link', { name: 'Données' }).waitFor()
  await page.getByText('Some records are public').waitFor()
  const { text } = await service.anonymous.get('/api/rest/countries/uischema', {
    Accept: 'application/json',
    'Accept-Language': 'fr-CA, en;q=0.5',
  })
  expect(text).toContain('Capitale')
})

test('mistakes stop the start, all of them together', async () => {
  const wrong = {
    name: 'Shop',
    client: { colour: 'red', colors: { primary: 'red' } },
    languages: { french: { name: 'F' }, fr: {} },
  }
  expect(() => Reflect.apply(defineApp, null, [wrong])).toThrow(
    /unknown option 'colour'; did you mean 'colors'\?[\s\S]*#rrggbb[\s\S]*'french' is not the code[\s\S]*needs a 'name'/,
  )
  const fr = {
    name: 'Français',
    client: { hoem: {}, shell: { signin: 'x' }, home: { welcome: 'Bienvenue {name}' } },
  }
  const started = startPlinth({ app: defineApp({ name: 'Shop', client: { logo: 'no.svg' }, languages: { fr } }) })
  await expect(started).rejects.toThrow(
    /there is no file .*no\.svg[\s\S]*no dictionary 'hoem'; did you mean 'home'\?[\s\S]*no text 'signin'; did you mean 'signIn'\?[\s\S]*no value \{name\}/,
  )
  const resources = { user: {}, users: { fields: { usernam: 'x' } } }
  const translated = startPlinth({ app: defineApp({ name: 'Shop', languages: { fr: { name: 'F', resources } } }) })
  await expect(translated).rejects.toThrow(
    /no 'user'; did you mean 'users'\?[\s\S]*no 'usernam'; did you mean 'username'\?/,
  )
})
