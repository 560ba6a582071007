// The search for standstills runs, on both databases, and finds none on small tables.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { databases } from '@plinth/test-kit/databases'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly output: string
}

const run = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', ...args], { cwd: root, env: { ...process.env, ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.once('error', reject)
    child.once('exit', code => resolve({ code, output }))
  })

test.each(databases)('on %s', { timeout: 300_000 }, async database => {
  const small = { BENCH_PERCENT: '5' }
  const { code, output } = await run(['bench/standstills.ts', '0.2', database, '1'], small)
  expect(output).toMatch(/the worst of all\n {2}\d+ ms \(\d+ collecting garbage\), others waited/)
  expect([code, output]).toEqual([0, output])
  // With such a limit every request is one too many.
  const strict = await run(['bench/standstills.ts', '0.05', database, '1'], { ...small, BENCH_LIMIT: '0' })
  expect([strict.code, strict.output]).toEqual([1, expect.stringContaining('held up the others for more than 0 ms')])
})
