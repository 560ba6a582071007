// A person at the client: the service, a real browser, and what they do there again and again.

import { expect } from 'vitest'
import { seriousFaults } from './axe.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { extent } from './extent.ts'
import { type DemoUser, type ServiceOptions, startService, type TestService } from './service.ts'

export const screens = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
export type Screen = keyof typeof screens
export type Colours = 'light' | 'dark'

/** The looks: both screens and both themes; all four combinations only in `npm run test:all`. */
export const looks = extent<readonly (readonly [Screen, Colours])[]>(
  [
    ['desktop', 'light'],
    ['phone', 'dark'],
  ],
  [
    ['desktop', 'light'],
    ['desktop', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ],
)

/** Chromium starts slowly on a machine that is busy with other tests. */
export const patience = { testTimeout: 240_000, hookTimeout: 240_000 } as const

export interface Visitor extends TestBrowser {
  readonly service: TestService
  signIn(user: DemoUser): Promise<void>
  /** Forgets everything, as for another user of the same browser. */
  forget(): Promise<void>
  resize(screen: Screen): Promise<void>
  leave(): Promise<void>
}

/** Signing in costs a deliberate amount of work, and tests do it often from one address. */
const settings = { 'app.auth.throttle.perAddress': '10000', 'app.auth.throttle.perAccount': '10000' }

export const arrive = async (options: ServiceOptions = {}): Promise<Visitor> => {
  const service = await startService('sqlite', { ...options, settings: { ...settings, ...options.settings } })
  const browser = await openBrowser(service.url)
  const { page, context } = browser
  page.setDefaultTimeout(60_000)
  await page.emulateMedia({ colorScheme: 'light' })
  const waitForHeading = () => page.locator('h1').first().waitFor()
  const forget = async () => {
    await context.clearCookies()
    // Any document of the origin reaches its storage; this one is quick.
    await page.goto(`${service.url}/api/management/health`)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  }
  return {
    ...browser,
    service,
    load: async path => {
      await browser.load(path)
      await waitForHeading()
    },
    visit: async path => {
      await browser.visit(path)
      await waitForHeading()
    },
    forget,
    signIn: async user => {
      await forget()
      const credentials = { data: { username: user, password: user } }
      expect((await context.request.post(`${service.url}/api/auth/userDetails`, credentials)).status()).toBe(200)
    },
    resize: screen => page.setViewportSize(screens[screen]),
    leave: async () => {
      await browser.close()
      await service.stop()
    },
  }
}

/** What axe finds that keeps people out. */
export const faultsIn = async (colours: Colours, { page }: TestBrowser): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: colours })
  await page.locator(`html[data-mantine-color-scheme=${colours}]`).waitFor()
  return (await seriousFaults(page)).map(fault => `${colours}: ${fault}`)
}
