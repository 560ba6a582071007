// The components in the workshop look as they did, and axe finds no serious fault in any of their states.
//
// After a change that is meant: `npm run workshop:shots -w @plinth/web`, and look at the pictures.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { seriousFaults } from '@plinth/test-kit/axe'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { patience } from '@plinth/test-kit/visitor'
import sharp from 'sharp'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

vi.setConfig(patience)

const looks = [
  { look: 'light', language: 'en', width: 900 },
  { look: 'dark', language: 'de', width: 390 },
] as const

const names = [
  ...['pages', 'moments', 'problems', 'buttons', 'tables', 'lists', 'selection', 'charts', 'forms', 'inputs'],
  'widgets',
]

/** The sheet whose states are shown one by one, and how many they are. */
const opened = { name: 'opened', count: 11 }

/** With this, the pictures are written instead of compared. */
const writes = process.env.WORKSHOP_SHOTS === 'write'

const folder = fileURLToPath(new URL('../../../docs/images/workshop/', import.meta.url))
const pictureOf = (name: string): string => `${folder}${name}.webp`

let server: ViteDevServer
let browser: TestBrowser
beforeAll(async () => {
  const configFile = fileURLToPath(new URL('../workshop/vite.config.ts', import.meta.url))
  server = await createServer({ configFile, server: { port: 0 }, logLevel: 'error' })
  await server.listen()
  browser = await openBrowser(`http://localhost:${server.config.server.port}`)
  mkdirSync(folder, { recursive: true })
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

interface Look {
  readonly look: 'light' | 'dark'
  readonly language: 'en' | 'de'
  readonly width: number
}

const open = async (name: string, { look, language, width }: Look, height = 900): Promise<void> => {
  const { page } = browser
  await page.setViewportSize({ width, height })
  const address = server.resolvedUrls?.local[0] ?? ''
  await page.goto(`${address}?sheet=${name}&look=${look}&language=${language}`)
  await page.locator('main section').first().waitFor({ state: 'attached' })
  await browser.settle()
  // React shows the place of what has arrived a little longer, so that a page does not jump.
  const pending = page.locator('main > section:not([aria-label^=loading]) [class*=Skeleton-root]')
  await expect.poll(() => pending.count()).toBe(0)
  await browser.settle()
}

/** Both looks beside each other, at half their size. */
const join = async (shots: readonly Buffer[]): Promise<Buffer> => {
  const parts = await Promise.all(
    shots.map(async shot => {
      const { width = 0, height = 0 } = await sharp(shot).metadata()
      const size = { width: Math.round(width / 2), height: Math.round(height / 2) }
      return { input: await sharp(shot).resize(size).png().toBuffer(), ...size }
    }),
  )
  const width = parts.reduce((sum, part) => sum + part.width, 0)
  const height = Math.max(...parts.map(part => part.height))
  let left = 0
  const layers = parts.map(({ input, width: own }) => {
    const layer = { input, left, top: 0 }
    left += own
    return layer
  })
  const sheet = sharp({ create: { width, height, channels: 3, background: '#888888' } }).composite(layers)
  return sheet.webp({ quality: 75 }).toBuffer()
}

/** The pictures of rows below each other. */
const stack = async (rows: readonly Buffer[]): Promise<Buffer> => {
  const sizes = await Promise.all(rows.map(row => sharp(row).metadata()))
  const tops = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, { height = 0 }) => sum + height, 0))
  const size = {
    width: Math.max(...sizes.map(({ width = 0 }) => width)),
    height: sizes.reduce((sum, { height = 0 }) => sum + height, 0),
  }
  const layers = rows.map((input, at) => ({ input, left: 0, top: tops[at] ?? 0 }))
  const sheet = sharp({ create: { ...size, channels: 3, background: '#888888' } }).composite(layers)
  return sheet.webp({ quality: 75 }).toBuffer()
}

/** A picture in squares of 16 pixels, in which the edges of letters make no difference. */
const squaresOf = async (picture: Buffer): Promise<{ readonly size: string; readonly squares: Buffer }> => {
  const { width = 0, height = 0 } = await sharp(picture).metadata()
  const size = { width: Math.ceil(width / 16), height: Math.ceil(height / 16) }
  const squares = await sharp(picture)
    .removeAlpha()
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer()
  return { size: `${size.width}×${size.height}`, squares }
}

/** The share of squares that differ visibly. */
const differenceOf = async (one: Buffer, other: Buffer): Promise<number> => {
  const [left, right] = [await squaresOf(one), await squaresOf(other)]
  if (left.size !== right.size) return 1
  let different = 0
  for (let at = 0; at < left.squares.length; at += 3) {
    const distance = [0, 1, 2].map(part => Math.abs((left.squares[at + part] ?? 0) - (right.squares[at + part] ?? 0)))
    if (Math.max(...distance) > 24) different++
  }
  return different / (left.squares.length / 3)
}

describe.each(names)('the sheet %s', name => {
  test('looks as it did, and is accessible in each look', async () => {
    const shots: Buffer[] = []
    for (const look of looks) {
      await open(name, look)
      expect(await seriousFaults(browser.page)).toEqual([])
      shots.push(await browser.page.screenshot({ fullPage: true, animations: 'disabled' }))
    }
    const picture = await join(shots)
    if (writes) writeFileSync(pictureOf(name), picture)
    expect(await differenceOf(picture, readFileSync(pictureOf(name)))).toBeLessThan(0.01)
  })
})

test('dialogs, menus and lists to choose from look as they did, and are accessible when they are open', async () => {
  const rows: Buffer[] = []
  for (let at = 0; at < opened.count; at++) {
    const shots: Buffer[] = []
    for (const look of looks) {
      await open(`${opened.name}&state=${at}`, { ...look, width: Math.min(look.width, 560) }, 520)
      await browser.page.locator('[role=dialog], [role=menu], [role=listbox]').first().waitFor()
      await browser.settle()
      expect(await seriousFaults(browser.page)).toEqual([])
      shots.push(await browser.page.screenshot({ animations: 'disabled' }))
    }
    rows.push(await join(shots))
  }
  const picture = await stack(rows)
  if (writes) writeFileSync(pictureOf(opened.name), picture)
  expect(await differenceOf(picture, readFileSync(pictureOf(opened.name)))).toBeLessThan(0.01)
})

test('the workshop shows every component of the kit', async () => {
  const kit = readFileSync(new URL('../src/kit.ts', import.meta.url), 'utf8')
  const exported = [...kit.matchAll(/export \{([^}]*)\} from '[^']*\.tsx'/g)].flatMap(([, list = '']) =>
    list.split(','),
  )
  const components = exported.map(name => name.trim()).filter(name => /^[A-Z]/.test(name))
  expect(components.length).toBeGreaterThan(10)
  const { page } = browser
  await page.goto(server.resolvedUrls?.local[0] ?? '')
  const rows = page.getByRole('main').getByRole('group')
  await rows.first().waitFor()
  expect(await rows.count()).toBe(names.length + 1)
  const text = await page.getByRole('main').textContent()
  expect(components.filter(name => !text?.includes(name))).toEqual([])
})
