import { readFileSync } from 'node:fs'

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/** The version of this package, and of the Plinth that a new application uses: they are released together. */
export const version = manifest.version
