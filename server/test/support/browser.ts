// A real browser for tests: Debian's Chromium, which may speak to the service alone.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { waitingFor } from './waiting.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium']

const isRoot = process.getuid?.() === 0

/** Where a Chromium is; root on Debian installs the package when there is none. */
const findChromium = (): string => {
  const found = places.find(path => existsSync(path))
  if (found) return found
  if (isRoot && existsSync('/etc/debian_version')) {
    const install = () =>
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'ignore' })
    try {
      install()
    } catch {
      // The lists of packages may be missing or old.
      execFileSync('apt-get', ['update'], { stdio: 'ignore' })
      install()
    }
    return findChromium()
  }
  throw new Error(`Browser tests need Chromium at one of ${places.join(', ')}.`)
}

export interface TestBrowser {
  readonly context: BrowserContext
  readonly page: Page
  /** What the browser asked for beyond the given origin: must stay empty. */
  readonly foreign: readonly string[]
  /** Errors that the pages reported, violations of their policy among them. */
  readonly complaints: readonly string[]
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
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const foreign: string[] = []
  const complaints: string[] = []
  const page = await context.newPage()
  context.on('request', request => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) foreign.push(url)
  })
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  return {
    context,
    page,
    foreign,
    complaints,
    close: () => context.close(),
  }
}
