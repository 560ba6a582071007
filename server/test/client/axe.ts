// What axe says of the page as it stands.

import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[]
}

/** What keeps people out, neither in the page nor in what lies over it. */
export const seriousFaults = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source)
  const run = 'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)'
  const violations = await page.evaluate<readonly Violation[]>(run)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, target }) => `${target} ${html.slice(0, 160)}`).join(' | ')}`)
}
