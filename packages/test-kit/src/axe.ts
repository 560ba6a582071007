// Accessibility faults that axe finds in a page.

import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[]
}

/** Colours are wrong in the middle of a transition. Endless animations (skeletons, loaders) are left alone. */
const finishTransitions = `Promise.all(
  document.getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished.catch(() => undefined)),
).then(() => undefined)`

/** Serious and critical faults, in the page and in the dialogs over it. */
export const seriousFaults = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source)
  await page.evaluate(finishTransitions)
  const run = 'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)'
  const violations = await page.evaluate<readonly Violation[]>(run)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, target }) => `${target} ${html.slice(0, 160)}`).join(' | ')}`)
}
