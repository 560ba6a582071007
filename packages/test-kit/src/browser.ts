// A real browser for tests: Chromium, which may send requests to the service only.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { until, waitingFor } from '../../plinth/src/testing/waiting.ts'
import { watchPage } from './page-reports.ts'

/** The headless shell is the same engine without windows and needs a fifth less processor time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
]

const isRoot = process.getuid?.() === 0

const isDebian = existsSync('/etc/debian_version')

/** Finds the browser of the system, or else of Playwright. Root on Debian installs the package when there is none. */
const findChromium = (): string => {
  const found = [...places, chromium.executablePath()].find(path => existsSync(path))
  if (found) return found
  if (isRoot && isDebian) {
    const install = () =>
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], {
        stdio: 'ignore',
      })
    try {
      install()
    } catch {
      // The lists of packages may be missing or old.
      execFileSync('apt-get', ['update'], { stdio: 'ignore' })
      install()
    }
    return findChromium()
  }
  throw new Error('Browser tests need Chromium: install it, or run `npx playwright-core install chromium`.')
}

export interface TestBrowser {
  readonly context: BrowserContext
  readonly page: Page
  /** What the browser asked for beyond the given origin: must stay empty. */
  readonly foreign: readonly string[]
  /** Errors that the pages reported, violations of their policy among them. */
  readonly complaints: readonly string[]
  /** Loads the client with one of its pages. */
  load(path: string): Promise<void>
  /**
   * Goes to a page of the client, which is loaded only when it is not open: loading takes most of the time of a browser test.
   * The page itself is a new one, also if it was open before. What lies outside of pages stays: notifications, the menu, the
   * language, the connection for realtime, and answers of the last seconds, which are not asked for again.
   */
  visit(path: string): Promise<void>
  /** Waits until no answer is outstanding and the page has drawn what came. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** One for all tests of this process. Each test file has a context of its own, which shares nothing with the others. */
let chromiumOfProcess: Promise<Browser> | undefined

const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    headless: true,
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })

export const openBrowser = async (origin: string): Promise<TestBrowser> => {
  chromiumOfProcess ??= launchChromium()
  const browser = await waitingFor('Chromium to start', chromiumOfProcess)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const foreign: string[] = []
  const complaints: string[] = []
  const open = new Set<Request>()
  const page = await context.newPage()
  watchPage(page)
  context.on('requestfinished', request => open.delete(request))
  context.on('requestfailed', request => open.delete(request))
  context.on('request', request => {
    open.add(request)
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) foreign.push(url)
  })
  const waitUntilDrawn = (): Promise<unknown> =>
    page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  const settle = async (): Promise<void> => {
    // What is drawn may ask for more.
    for (let quiet = 0; quiet < 2; quiet = open.size === 0 ? quiet + 1 : 0) {
      await until('all answers to arrive', () => open.size === 0)
      await waitUntilDrawn()
    }
  }
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  const load = async (path: string): Promise<void> => {
    await page.goto(`${origin}/client${path}`)
  }
  const isOfPage = (request: Request): boolean => ['script', 'stylesheet'].includes(request.resourceType())
  /** Goes to a path as the buttons of the browser do: the client notices, and shows the page of the address. */
  const goTo = async (method: 'pushState' | 'replaceState', path: string): Promise<void> => {
    const address = JSON.stringify(`/client${path}`)
    await page.evaluate(`history.${method}(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`)
    await waitUntilDrawn()
    // Until its parts have arrived, the page before is shown.
    await until('the parts of the page to arrive', () => ![...open].some(isOfPage))
    await waitUntilDrawn()
  }
  return {
    context,
    page,
    foreign,
    complaints,
    settle,
    load,
    visit: async path => {
      if (!page.url().startsWith(`${origin}/client`)) return load(path)
      await goTo('pushState', '/nowhere')
      await goTo('replaceState', path)
    },
    close: async () => {
      // Requests may be on their way through a route of the test.
      for (const one of context.pages()) await one.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    },
  }
}
