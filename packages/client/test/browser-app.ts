// Small applications of the client in a real browser: bundled here, and run in a page of the service.

import { fileURLToPath } from 'node:url'
import { openBrowser, type TestBrowser } from '@plinth/test-kit/browser'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'

const folder = fileURLToPath(new URL('apps/', import.meta.url))

export interface AppBrowser extends Omit<TestBrowser, 'load' | 'visit'> {
  /** Shows the application in the page. */
  visit(page: Page, hash: string): Promise<void>
}

/** A browser that shows an application of packages/client/test/apps in a page of the service. */
export const openAppBrowser = async (serviceUrl: string, app: string): Promise<AppBrowser> => {
  const { outputFiles } = await build({
    entryPoints: [`${folder}${app}.ts`],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    conditions: ['plinth-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const browser = await openBrowser(serviceUrl)
  return {
    ...browser,
    visit: async (page, hash) => {
      await page.goto(`${serviceUrl}/docs/problems#${hash}`)
      // The policy of the page allows no scripts but its own; the debugger may run any.
      await page.evaluate(`document.body.replaceChildren(); ${outputFiles[0]?.text}; undefined`)
    },
  }
}
