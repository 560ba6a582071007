import fs from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stage } from './staging.ts'

test('what is given up leaves nothing behind, however late its file is opened', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-staging-'))
  const open = fs.open as (...parts: unknown[]) => void
  vi.spyOn(fs, 'open').mockImplementation((...parts: unknown[]) => {
    setTimeout(() => open(...parts), 100)
  })
  onTestFinished(async () => {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true })
  })
  const giving = new AbortController()
  const staging = stage(folder, { name: 'a', content: new PassThrough(), signal: giving.signal })
  await sleep(20)
  giving.abort()
  await expect(staging).rejects.toThrow('aborted')
  const left = await readdir(folder)
  await sleep(200)
  expect([left, await readdir(folder)]).toEqual([[], []])
})
