// Small applications of the client in a real browser: bundled here, and served as if the service did.

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { openBrowser, type TestBrowser } from '../support/browser.ts'

const folder = fileURLToPath(new URL('../../../client/test/apps/', import.meta.url))

/** A browser that shows an application of packages/client/test/apps at `/test-app`. */
export const openAppBrowser = async (serviceUrl: string, app: string): Promise<TestBrowser> => {
  const { outputFiles } = await build({
    entryPoints: [`${folder}${app}.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['plinth-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const script = outputFiles[0]?.text ?? ''
  const browser = await openBrowser(serviceUrl)
  await browser.context.route(`${serviceUrl}/test-app.js`, route =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await browser.context.route(`${serviceUrl}/test-app`, route =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><meta charset="utf-8"><title>App</title><body><script type="module" src="/test-app.js"></script>',
    }),
  )
  return browser
}
