// A clerk in a real browser, with no hand on the mouse.

import type { Screens } from '@plinth/test-kit/screens'

export const cards = { client: '2100000000005', simple: '2100000000012' } as const

/** Copies that are free at the start of the demo: three each of a new release, two regular films and an old one. */
export const copies = {
  matrix: ['2000000000008', '2000000000015', '2000000000022'],
  spider: ['2000000000039', '2000000000046', '2000000000053'],
  africa: ['2000000000091', '2000000000107', '2000000000114'],
} as const

/** The code of a copy that is out since nine days and was paid for two: seven days late at 30. */
export const lateCopy = '2000000000329'

export interface Clerk {
  readonly page: Screens['page']
  /** Types into the box, as a scanner does. */
  scan(...codes: readonly string[]): Promise<void>
  /** Moves on by Tab until something of this name has the focus. */
  tabTo(name: string | RegExp): Promise<void>
  press(...keys: readonly string[]): Promise<void>
  total(amount: string): Promise<void>
  /** Waits until the sale is done, and gives the pk of its receipt. */
  done(): Promise<string>
}

/** The code as text, since it runs in the browser: tests know nothing of its types. */
const nameOfFocus = `
  const { activeElement: focused } = document
  focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent
`

export const createClerk = (page: Screens['page']): Clerk => {
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  return {
    page,
    press,
    scan: async (...codes) => {
      await page.getByLabel(/^(?:Card, barcode|Barcode or)/).waitFor()
      for (const code of codes) {
        await press('F2')
        await page.keyboard.type(code)
        await press('Enter')
      }
    },
    tabTo: async name => {
      const isMeant = (text: string) => (typeof name === 'string' ? text.trim() === name : name.test(text))
      for (let presses = 0; presses < 80; presses++) {
        if (isMeant(await page.evaluate<string>(`{${nameOfFocus}}`))) return
        await press('Tab')
      }
      throw new Error(`nothing that Tab reaches is called ${name}`)
    },
    total: amount => page.locator('[data-total]', { hasText: amount }).waitFor(),
    done: async () => {
      await page.locator('[data-done] article').waitFor()
      const href = await page.getByRole('link', { name: 'Open receipt' }).getAttribute('href')
      return String(href).replace('/client/counter/receipts/', '')
    },
  }
}
