// `plinth console`, with its input from a pipe.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { plinth } from './accounts/command.ts'

test('the console reads and writes records of every resource', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-console-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = `
    const made = await records.create(continents, { pk: 'ZZ', name: 'Zealandia' })
    console.log(made.version, await records.count(continents, { name: 'Zealandia' }), await records.count(films))
  `
  const { code, out } = await plinth(['console', `--app.dataDir=${folder}`, '--app.log.level=error'], script)
  expect([code, out]).toEqual([0, '1 1 0\n'])
})
