// The client at the end of a slow line: when can a first visitor type, and does a list of a million records scroll evenly?
// And the API reference: when can a reader search it, and how long until an operation is shown?
// `npm run build && npm run bench -- client-load`

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { fillLocalities } from './support/fill.ts'
import { startPlinth } from './support/servers.ts'
import { size } from './support/size.ts'

/** 1.6 Mbit/s down, 0.75 up, 150 ms there and back. */
const line = { offline: false, downloadThroughput: 200_000, uploadThroughput: 93_750, latency: 150 }
const rounds = size('BENCH_ROUNDS', 3, 1)
const records = size('BENCH_RECORDS', 1_000_000, 5000)

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const firstLoad = async (url: string): Promise<number> => {
  const browser = await openBrowser(url)
  try {
    const session = await browser.context.newCDPSession(browser.page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', line)
    const began = performance.now()
    await browser.page.goto(`${url}/client/sign-in`, { waitUntil: 'commit' })
    await browser.page.locator('input[name=username]').fill('somebody')
    return performance.now() - began
  } finally {
    await browser.close()
  }
}

interface ReferenceLoad {
  readonly open: number
  readonly first: number
  readonly next: number
  /** Processor time of the page, in ms. */
  readonly processor: number
}

const loadReference = async (url: string): Promise<ReferenceLoad> => {
  const browser = await openBrowser(url)
  const { page, context } = browser
  try {
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    const took = async (work: () => Promise<unknown>) => {
      const began = performance.now()
      await work()
      return performance.now() - began
    }
    const show = (id: string) => async () => {
      await page.locator(`nav a[href="#/users/${id}"]`).click()
      await page.locator(`article[data-operation="${id}"]`).waitFor()
    }
    const open = await took(async () => {
      await page.goto(`${url}/apidoc`, { waitUntil: 'commit' })
      await page.locator('#filter').fill('users')
      await page.locator('nav a[href="#/users/listUsers"]').waitFor()
    })
    const [first, next] = [await took(show('listUsers')), await took(show('createUser'))]
    const { metrics } = await session.send('Performance.getMetrics')
    const processor = 1000 * (metrics.find(({ name }) => name === 'ProcessTime')?.value ?? 0)
    return { open, first, next, processor }
  } finally {
    await browser.close()
  }
}

/** The times between frames while the bar is pulled through the whole list and the wheel turns. */
const scrolling = `new Promise(resolve => {
  const view = document.querySelector('section[tabindex="0"]')
  const gaps = []
  let last = performance.now()
  let step = 0
  const frame = now => {
    gaps.push(now - last)
    last = now
    step += 1
    view.scrollTop = step < 120 ? view.scrollTop + 60 : (view.scrollHeight * (step - 120)) / 120
    if (step < 240) requestAnimationFrame(frame)
    else resolve(gaps)
  }
  requestAnimationFrame(frame)
})`

const scroll = async (browser: TestBrowser, url: string): Promise<readonly number[]> => {
  const { page, context } = browser
  await context.request.post(`${url}/api/auth/userDetails`, { data: { username: 'admin', password: 'admin' } })
  await page.goto(`${url}/client/resources/localities`)
  await page.locator('tbody a').first().waitFor()
  await page.getByText(/^[\d,]+ records$/).waitFor({ timeout: 120_000 })
  return (await page.evaluate(scrolling)) as number[]
}

const folder = await mkdtemp(join(tmpdir(), 'plinth-client-load-'))
const service = await startPlinth({ 'server.port': '0', 'app.demo': 'true', 'app.dataDir': folder })
try {
  const loads: number[] = []
  for (let round = 0; round < rounds; round += 1) loads.push(await firstLoad(service.url))
  console.log(`first load over 1.6 Mbit/s, until one can type: ${middle(loads).toFixed(0)} ms (of ${rounds})`)
  const references: ReferenceLoad[] = []
  for (let round = 0; round < rounds; round += 1) references.push(await loadReference(service.url))
  const middleOf = (part: keyof ReferenceLoad) => `${middle(references.map(one => one[part])).toFixed(0)} ms`
  console.log(
    `API reference: open in ${middleOf('open')}, first operation in ${middleOf('first')}, next in ${middleOf('next')}; ` +
      `${middleOf('processor')} of processor time in all`,
  )
  await fillLocalities(join(folder, 'plinth.db'), records)
  const browser = await openBrowser(service.url)
  try {
    const gaps = await scroll(browser, service.url)
    const worst = Math.max(...gaps.slice(1))
    console.log(`${records} records: ${middle(gaps).toFixed(1)} ms between frames, ${worst.toFixed(1)} ms at worst`)
  } finally {
    // Chromium itself too: it would keep this process running.
    await browser.context.browser()?.close()
  }
} finally {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}
