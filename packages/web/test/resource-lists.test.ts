// Lists of records: searched, sorted, exported, followed and walked.

import { readFile } from 'node:fs/promises'
import { testAll } from '@plinth/test-kit/extent'
import { patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { arriveAtResources, filmCalled, json } from './resources-scene.ts'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arriveAtResources()
})
afterAll(() => visitor.leave())

const row = (name: string | RegExp) => visitor.page.getByRole('row', { name })
const main = () => visitor.page.getByRole('main')
const count = (text: string) => main().getByText(text, { exact: true }).waitFor()
const admin = () => visitor.service.as('admin')
const film = (title: string) => filmCalled(visitor, title)

describe('a list', () => {
  beforeEach(() => visitor.visit('/resources/films'))

  test('shows the records and how many there are; one that fits nothing says so, and is cleared', async () => {
    const { page } = visitor
    await row(/Matrix 11/).waitFor()
    await count('214 records')
    await page.getByRole('searchbox').fill('no such film anywhere')
    await main().getByText('No matching records').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await count('214 records')
  })

  test('is searched by name, the address keeps the search, and the export follows it', async () => {
    const { page } = visitor
    await page.getByRole('searchbox', { name: 'Search by Title' }).fill('spider-man')
    await count('2 records')
    await page.waitForURL(/q=spider-man/)
    await page.reload()
    await count('2 records')
    expect(await page.getByRole('searchbox').inputValue()).toBe('spider-man')
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    const lines = (await readFile((await download.path()) ?? '', 'utf8')).trim().split('\r\n')
    expect(download.suggestedFilename()).toBe('films.csv')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^title,/)
    expect(lines.slice(1).every(line => line.startsWith('Spider-Man'))).toBe(true)
  })

  testAll('is searched by fields', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('spinbutton', { name: 'Release year from' }).fill('2002')
    await page.getByRole('spinbutton', { name: 'Release year to' }).fill('2004')
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Spider')
    await count('2 records')
  })

  testAll('is searched in the language of filters, and a mistake is shown where it is', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Advanced filter' }).click()
    const input = page.getByRole('textbox', { name: 'Filter' })
    await input.fill('title==Matrix*;nmae==x')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').getByText(/nmae/).first().waitFor()
    const [, caret = ''] = ((await page.locator('[role=alert] pre').textContent()) ?? '').split('\n')
    expect(caret.indexOf('^')).toBe('title==Matrix*;'.length)
    await input.fill('title==Matrix*')
    await input.press('Enter')
    await count('1 record')
  })

  testAll('is sorted by a heading, up and down', async () => {
    const { page } = visitor
    const first = () => page.locator('tbody tr:not([aria-hidden]) a').first().textContent()
    const firstOf = async (sort: string) =>
      (await admin().get(`/api/rest/films?sort=${sort}&_ps=1`, json)).body.content[0].title
    const heading = page.getByRole('columnheader', { name: 'Title' })
    await heading.getByRole('button').click()
    await expect.poll(first).toBe(await firstOf('title'))
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    await heading.getByRole('button').click()
    await page.waitForURL(/sort=-title/)
    await expect.poll(first).toBe(await firstOf('-title'))
  })

  testAll('keeps the chosen columns', async () => {
    const { page } = visitor
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Pricing strategy' }).check()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Pricing strategy' }).waitFor()
    await row(/Matrix 11.*New release/).waitFor()
  })

  test('shows what another user changes, adds and removes', async () => {
    const { page } = visitor
    await page.getByRole('img', { name: /^Live/ }).waitFor()
    const { pk, pricingStrategy } = await film('Spider-Man 2')
    await admin().patch(`/api/rest/films/${pk}`, { title: 'Spider-Man, live' })
    await row(/Spider-Man, live/).waitFor()
    await admin().patch(`/api/rest/films/${pk}`, { title: 'Spider-Man 2' })
    const added = await admin().post(
      '/api/rest/films',
      { title: 'Brand new', pricingStrategy: pricingStrategy.pk },
      json,
    )
    await count('215 records')
    await admin().delete(`/api/rest/films/${added.body.pk}`)
    await count('214 records')
  })

  testAll('skips no row and repeats none when a record comes in above what is in sight', async () => {
    const { page } = visitor
    await visitor.visit('/resources/countries?sort=name')
    await page.locator('tr[aria-rowindex="3"] a').waitFor()
    await page.getByRole('region').evaluate(table => {
      table.scrollTop = 3800
    })
    // Rows are read in blocks of a hundred: the end of the first block and the start of the second are in sight.
    await page.locator('tr[aria-rowindex="106"] a').waitFor()
    await page.getByRole('img', { name: /^Live/ }).waitFor()
    await admin().post('/api/rest/countries', { pk: 'QX', name: 'Aaa' }, json)
    const expected = await admin().get('/api/rest/countries?sort=name&_ps=10&_pn=10&fields=name', json)
    const names = expected.body.content.slice(0, 5).map(({ name }: { name: string }) => name)
    const rows = () =>
      Promise.all([102, 103, 104, 105, 106].map(at => page.locator(`tr[aria-rowindex="${at}"] a`).textContent()))
    await expect.poll(rows).toEqual(names)
    const last = await admin().get('/api/rest/countries?sort=name&_ps=10&_pn=9&fields=name', json)
    expect(await page.locator('tr[aria-rowindex="101"] a').textContent()).toBe(last.body.content[9].name)
    await admin().delete('/api/rest/countries/QX')
  })

  testAll('is walked by the keyboard', async () => {
    const { page } = visitor
    await row(/Matrix 11/).waitFor()
    await page.getByRole('region', { name: 'Films table' }).focus()
    await page.keyboard.press('End')
    // All of it is printed when the last row does not come.
    const seen = () =>
      page.getByRole('region', { name: 'Films table' }).evaluate(table => ({
        lastRow: table.querySelectorAll('tr[aria-rowindex="215"] a').length,
        focus: table.ownerDocument.activeElement?.getAttribute('aria-label'),
        scrolled: [table.scrollTop, table.scrollHeight],
        rows: [...table.querySelectorAll('tr[aria-rowindex]')].map(one => one.getAttribute('aria-rowindex')).join(),
        busy: table.querySelectorAll('[aria-busy]').length,
      }))
    await expect.poll(seen).toMatchObject({ lastRow: 1 })
    await page.keyboard.press('Home')
    await page.getByRole('link', { name: 'Matrix 11' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Matrix 11', exact: true }).waitFor()
  })
})

describe('the way back to a list', () => {
  const first = () =>
    visitor.page.getByRole('region').evaluate(table => {
      const { top } = table.getBoundingClientRect()
      const rows = [...table.querySelectorAll('tbody tr[aria-rowindex]')]
      return rows.find(row => row.getBoundingClientRect().bottom > top + 45)?.getAttribute('aria-rowindex')
    })
  /** Scrolls in the middle of the list, opens a record there and goes back. */
  const openAndReturn = async (scrollTop: number, back: () => Promise<unknown>) => {
    const { page } = visitor
    const table = page.getByRole('region')
    await page.locator('tr[aria-rowindex="3"] a').waitFor()
    await table.evaluate((element, top) => {
      element.scrollTop = top
    }, scrollTop)
    const index = Math.round(scrollTop / 40) + 6
    const link = page.locator(`tr[aria-rowindex="${index}"] a`)
    await link.waitFor()
    const before = await first()
    await link.click()
    await main()
      .getByRole('tab')
      .or(main().getByRole('button', { name: 'Delete' }))
      .first()
      .waitFor()
    await back()
    await link.waitFor()
    await expect.poll(first).toBe(before)
  }

  testAll('leads to the place that one left, with the search', async () => {
    const { page } = visitor
    await visitor.visit('/resources/countries?sort=-name')
    await openAndReturn(3000, () => page.goBack())
    expect(page.url()).toMatch(/sort=-name$/)
  })

  testAll('leads there after a reload, too', async () => {
    const { page } = visitor
    await visitor.visit('/resources/countries')
    await openAndReturn(4000, async () => {
      await page.reload()
      await page.locator('h1').first().waitFor()
      await page.goBack()
    })
  })

  testAll('leads there by the link above the title', async () => {
    const { page } = visitor
    await visitor.visit('/resources/countries?q=an')
    await openAndReturn(1200, () => main().getByRole('link', { name: 'Countries' }).first().click())
    expect(page.url()).toMatch(/q=an$/)
  })

  testAll('begins at the top when the list is opened again', async () => {
    const { page } = visitor
    await visitor.load('/resources/countries')
    await openAndReturn(3000, () => page.goBack())
    await page.getByRole('navigation').getByRole('link', { name: 'Localities' }).click()
    await page.getByRole('heading', { level: 1, name: 'Localities', exact: true }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Countries' }).click()
    await page.locator('tr[aria-rowindex="2"] a').waitFor()
    expect(await page.getByRole('region').evaluate(table => table.scrollTop)).toBe(0)
  })
})

test('a list on a phone has cards that lead to the pages of the records', async () => {
  const { page } = visitor
  await visitor.resize('phone')
  onTestFinished(() => visitor.resize('desktop'))
  await visitor.visit('/resources/films')
  await row(/Matrix 11 PG-13/).waitFor()
  await page.getByRole('link', { name: 'Matrix 11' }).click()
  await page.getByRole('heading', { level: 1, name: 'Matrix 11', exact: true }).waitFor()
})

describe('text from right to left', () => {
  const place = async (text: string) => {
    const cell = visitor.page.locator('td', { hasText: text }).first()
    await cell.waitFor()
    return cell.evaluate((element, start) => {
      // NodeFilter.SHOW_TEXT
      const textNodes = 4
      const walker = element.ownerDocument.createTreeWalker(element, textNodes)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(start) ?? -1
        if (at < 0) continue
        const range = element.ownerDocument.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
        return {
          isInside: letter.left >= box.left && letter.right <= box.right,
          right: letter.right,
          left: letter.left,
        }
      }
      return null
    }, text)
  }

  testAll('is cut at its end, not at its start', async () => {
    const { page } = visitor
    const { nativeName } = (await admin().get('/api/rest/countries/AE', json)).body
    await visitor.visit('/resources/countries?q=United Arab')
    await row(/United Arab/).waitFor()
    await page.getByRole('columnheader', { name: 'Native name' }).waitFor()
    expect(await place(nativeName.slice(0, 12))).toMatchObject({ isInside: true })
  })

  testAll('stays apart from what stands beside it on a phone', async () => {
    const { page } = visitor
    const { nativeName, callingCode } = (await admin().get('/api/rest/countries/AE', json)).body
    await visitor.resize('phone')
    await visitor.visit('/resources/countries?q=United Arab')
    await row(/United Arab/).waitFor()
    const parts = page.locator('tbody bdi')
    expect(await parts.allTextContents()).toEqual(expect.arrayContaining([nativeName]))
    expect(
      await parts.evaluateAll(all => all.map(one => one.ownerDocument.defaultView?.getComputedStyle(one).unicodeBidi)),
    ).not.toContain('normal')
    await visitor.resize('desktop')
    expect(callingCode).toMatch(/971/)
  })
})
