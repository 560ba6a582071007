// The code that the test command ends with is all that a build server looks at.

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')

const run = (file: string): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const config = 'test/test-command/vitest.config.ts'
    const options = { cwd: root, stdio: 'ignore' } as const
    const child = spawn(process.execPath, [vitest, 'run', '--root', '.', '--config', config, file], options)
    child.once('error', reject)
    child.once('exit', resolve)
  })

test.each([
  ['passing.ts', 0],
  ['failing.ts', 1],
])('a run of %s ends with code %i', async (file, code) => {
  expect(await run(file)).toBe(code)
})
