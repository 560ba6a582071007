// Screens of the client in a real browser: who looks, at what size, in which colours, and what axe says of it.

import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { seriousFaults } from './axe.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { alternate } from './extent.ts'
import type { DemoUser, TestService } from './service.ts'

export const looks = {
  desktop: { viewport: { width: 1280, height: 800 }, colours: 'light' },
  phone: { viewport: { width: 390, height: 844 }, colours: 'dark' },
} as const
export type Look = keyof typeof looks

/** Pages, each with the look in which it is tested and the text that shows that it is complete. */
export const inLooks = (pages: readonly (readonly [path: string, text: string])[]) =>
  alternate(pages, Object.keys(looks) as Look[]).map(([look, [path, text]]) => ({ look, path, text }))

export interface Screens {
  readonly page: Page
  readonly browser: TestBrowser
  /** Signs in as another user. */
  signIn(user: DemoUser): Promise<void>
  visit(path: string, look?: Look): Promise<void>
  load(path: string): Promise<void>
  /** No serious or critical fault, neither in the page nor in what lies over it. */
  expectAccessible(): Promise<void>
  expectFitting(): Promise<void>
  close(): Promise<void>
}

export const openScreens = async (service: TestService): Promise<Screens> => {
  const browser = await openBrowser(service.url)
  const { page, context } = browser
  page.setDefaultTimeout(60_000)
  const resize = async (look: Look): Promise<void> => {
    const { viewport, colours } = looks[look]
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: colours })
  }
  return {
    page,
    browser,
    signIn: async user => {
      await context.clearCookies()
      // The client is loaded again by the next visit: it remembers the previous user.
      await page.goto('about:blank')
      const answer = await context.request.post(`${service.url}/api/auth/userDetails`, {
        data: { username: user, password: user },
      })
      expect(answer.status()).toBe(200)
    },
    visit: async (path, look = 'desktop') => {
      await resize(look)
      await browser.visit(path)
    },
    load: browser.load,
    expectAccessible: async () => {
      expect(await seriousFaults(page)).toEqual([])
    },
    expectFitting: () => expectFitting(page),
    close: () => browser.close(),
  }
}

/** Expects that nothing is wider than the page. */
export const expectFitting = async (page: Page): Promise<void> => {
  const { width } = page.viewportSize() ?? { width: 0 }
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
}
