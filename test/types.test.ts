// The files in `test/types` hold right and wrong uses of types. `npm run types` checks them, with all other code: a wrong use that
// compiles is an error, as is a right one that does not. Here they are only counted, so that none gets lost.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folders = ['types', '../packages/client/test/types'].map(name => fileURLToPath(new URL(name, import.meta.url)))

const count = (pattern: RegExp): number =>
  folders
    .flatMap(folder => readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8')))
    .reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)

test('the compiler refuses more than a hundred wrong uses, and knows the exact type of eighty right ones', () => {
  expect(count(/@ts-expect-error/g)).toBeGreaterThanOrEqual(100)
  expect(count(/\bsame</g)).toBeGreaterThanOrEqual(80)
})
