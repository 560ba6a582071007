// The React hooks in a real browser: records that stay current, over WebSockets with cookies and server-sent events with tokens.

import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { fresh, startLibrary } from '@plinth/test-kit/library'
import type { TestService } from '@plinth/test-kit/service'
import { until } from '@plinth/test-kit/waiting'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, type PlinthClient } from '../src/index.ts'
import { type AppBrowser, openAppBrowser } from './browser-app.ts'
import type { LibrarySchema } from './library-schema.ts'

describe.each(featureDatabases(import.meta.url))('%s', database => {
  let service: TestService
  let browser: AppBrowser
  let staff: PlinthClient<LibrarySchema>

  beforeAll(async () => {
    service = await startLibrary(database)
    browser = await openAppBrowser(service.url, 'hooks-app')
    staff = createClient<LibrarySchema>({
      url: service.url,
      headers: () => ({ Authorization: `Basic ${btoa('staff:staff')}` }),
    })
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  const openPage = async (session: 'cookies' | 'tokens', word: string): Promise<Page> => {
    await browser.context.clearCookies()
    const page = await browser.context.newPage()
    await browser.visit(page, `session=${session}&word=${word}`)
    return page
  }

  const shows = async (page: Page, id: string, text: string): Promise<void> =>
    void (await until(`'${text}' in ${id}`, async () => (await page.textContent(`#${id}`)) === text))

  const isLive = async (page: Page): Promise<void> =>
    void (await until('the page to be live', () => page.evaluate(`client.live.state() === 'on'`)))

  // The test after it uses cookies.
  test.each(extent(['tokens'] as const, ['cookies', 'tokens'] as const))(
    'records follow changes of others: %s',
    async session => {
      const word = fresh('hooks')
      const shelf = await staff.shelves.create({ name: `${word}-shelf` })
      const book = await staff.books.create({ title: `${word} b`, shelf: shelf.pk })
      const page = await openPage(session, word)
      const streams: string[] = []
      page.on('request', request => {
        if (request.url().includes('/api/rest/events')) streams.push(request.url())
      })
      await shows(page, 'user', 'signed out')
      await page.click('#in')
      await shows(page, 'user', 'staff')
      await shows(page, 'titles', `${word} b`)
      await shows(page, 'first', `${word} b at ${word}-shelf`)
      await isLive(page)
      expect(streams.length > 0).toBe(session === 'tokens')
      const other = await staff.books.create({ title: `${word} c` })
      await shows(page, 'titles', `${word} b, ${word} c`)
      await staff.books.update(book.pk, { title: `${word} z` })
      await shows(page, 'titles', `${word} c, ${word} z`)
      await shows(page, 'first', `${word} c at no shelf`)
      await staff.books.remove(other.pk)
      await shows(page, 'first', `${word} z at ${word}-shelf`)
      // Only related records have changed.
      await staff.shelves.update(shelf.pk, { name: `${word}-attic` })
      await shows(page, 'first', `${word} z at ${word}-attic`)
      await page.click('#add')
      await shows(page, 'added', `${word} added`)
      await shows(page, 'titles', `${word} added, ${word} z`)
      await page.click('#out')
      await shows(page, 'user', 'signed out')
      expect(await page.locator('#titles').count()).toBe(0)
      await page.close()
    },
  )

  testAll('a change that happens during the first read is shown', async () => {
    const word = fresh('during')
    const page = await openPage('cookies', word)
    let release = (): void => {}
    const gate = new Promise<void>(resolve => {
      release = resolve
    })
    let reads = 0
    await page.route(/\/api\/rest\/books\?/, async route => {
      const response = await route.fetch()
      reads++
      if (reads === 1) await gate
      await route.fulfill({ response })
    })
    await page.click('#in')
    await until('the first read', () => reads === 1)
    await isLive(page)
    await page.evaluate(`new Promise(heard => {
      globalThis.heard = new Promise(resolve => client.live.listen('/topic/books', { message: resolve, reload: heard }))
    })`)
    await staff.books.create({ title: `${word} new` })
    await page.evaluate('heard')
    release()
    await shows(page, 'titles', `${word} new`)
    // The page may be reading once more.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  })
})
