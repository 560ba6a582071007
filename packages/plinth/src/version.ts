import { readFileSync } from 'node:fs'

// The same place seen from the source and from the bundle: both lie one folder below the package.
const { version: packageVersion }: { version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/** The version of Plinth. */
export const version = packageVersion
