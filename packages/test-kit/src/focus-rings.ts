// Focus rings: keyboard users must see all of them.

import type { Page } from 'playwright-core'

/**
 * The code as text, since it runs in the browser: tests know nothing of its types. Ancestors that clip or scroll may
 * cut a ring off.
 */
const cutRing = `{
  const focused = document.activeElement
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused)
  const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset)
  const { left, right, top, bottom } = focused.getBoundingClientRect()
  const cuts = ancestor => {
    const { overflowX, overflowY } = getComputedStyle(ancestor)
    const box = ancestor.getBoundingClientRect()
    const isCutAside = overflowX !== 'visible' && (left - reach < box.left || right + reach > box.right)
    return isCutAside || (overflowY !== 'visible' && (top - reach < box.top || bottom + reach > box.bottom))
  }
  const ancestors = []
  for (let one = focused.parentElement; one; one = one.parentElement) ancestors.push(one)
  outlineStyle === 'none' ? 'no ring' : ancestors.some(cuts) ? 'cut off' : 'whole'
}`

/** Focuses every button of the box by the keyboard, and gives the state of each ring. */
export const ringsOfButtons = async (page: Page, box: string): Promise<Readonly<Record<string, string>>> => {
  const buttons = await page.locator(`${box} button`).all()
  const rings: Record<string, string> = {}
  for (const button of buttons) {
    // A key lets browsers show rings also where a script moves the focus.
    await page.keyboard.press('Shift+Tab')
    await button.focus()
    const name = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? ''
    rings[name] = await page.evaluate<string>(cutRing)
  }
  return rings
}
