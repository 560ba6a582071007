// Many tabs of one browser share one session: it is refreshed once for all of them.

import { fileURLToPath } from 'node:url'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { extent } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as sdk from '../src/index.ts'

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))

let service: TestService
let browser: TestBrowser
let script: string

beforeAll(async () => {
  service = await startService('sqlite', { settings: { 'app.modules': '' } })
  browser = await openBrowser(service.url)
  const { outputFiles } = await build({
    stdin: { contents: `export { createClient } from ${JSON.stringify(entry)}`, resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'sdk',
    external: ['@stomp/stompjs'],
  })
  // The policy of the page allows no scripts but its own; the debugger may run any.
  script = `${outputFiles[0]?.text}; globalThis.client = sdk.createClient()`
})
afterAll(async () => {
  await browser.close()
  await service.stop()
})

declare const client: sdk.PlinthClient

const openTab = async (): Promise<Page> => {
  const page = await browser.context.newPage()
  await page.goto(`${service.url}/docs/problems`)
  await page.evaluate(script)
  return page
}

test('tabs whose access token has expired refresh once, and each request succeeds', async () => {
  const tabs = await Promise.all(Array.from({ length: extent(3, 20) }, openTab))
  await tabs[0]?.evaluate(() => client.session.signIn({ username: 'simple', password: 'simple' }))
  await browser.context.clearCookies({ name: 'access_token' })
  const refreshes: string[] = []
  browser.context.on('request', request => {
    if (request.url().endsWith('/api/auth/jwt/refresh')) refreshes.push(request.url())
  })
  const names = await Promise.all(
    tabs.map(tab => tab.evaluate(async () => (await client.session.load())?.username ?? null)),
  )
  expect(names).toEqual(tabs.map(() => 'simple'))
  const totals = await Promise.all(
    tabs.map(tab => tab.evaluate(async () => (await client.resource('users').find({ limit: 1 })).total ?? 0)),
  )
  expect(Math.min(...totals)).toBeGreaterThan(1)
  expect(refreshes).toHaveLength(1)
})
