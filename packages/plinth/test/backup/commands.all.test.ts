// `plinth backup`, `restore` and `transfer` as processes, which are killed at any moment: nothing half is left, and the same
// command, run again, completes the work.

import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createModel } from '../../src/app/model.ts'
import { createStore } from '../../src/core/store/store.ts'
import type { Outcome } from '../accounts/command.ts'
import { extent } from '../support/extent.ts'
import { modulesFor } from '../support/platform.ts'
import { createDatabase } from '../support/postgres.ts'
import { configOn, newData } from '../support/prepared-data.ts'
import { buildProgram, type Program } from '../support/program.ts'
import { createRandom } from '../support/random.ts'
import { linesIn } from './lines.ts'

const kills = extent(1, 20)

let program: Program
let folder: string
let backups: string
beforeAll(async () => {
  program = await buildProgram('backup')
  folder = (await newData('sqlite', {}, {})).folder
  backups = join(folder, 'backups')
})
afterAll(async () => {
  await program.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command, and kills it after some time unless it has ended by then. */
const run = (args: readonly string[], dataDir: string, killAfter?: number): Promise<Outcome & { ms: number }> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(process.execPath, [program.file, ...args, `--app.dataDir=${dataDir}`], { stdio: 'pipe' })
    let [out, err] = ['', '']
    child.stdout.on('data', piece => {
      out += String(piece)
    })
    child.stderr.on('data', piece => {
      err += String(piece)
    })
    child.once('error', reject)
    child.once('close', code => resolve({ code, out, err, ms: performance.now() - began }))
    if (killAfter !== undefined) void pause(killAfter).then(() => child.kill('SIGKILL'))
  })

const newFolder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'plinth-backup-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

const linesAt = async (url: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const config = configOn({ folder, url: '' }, {})
  const { registry } = createModel(modulesFor(config), config, () => new Date())
  const store = await createStore({ url, registry })
  return linesIn(store).finally(() => store.close())
}

test('a killed backup is never taken for one, and the next one is whole', { timeout: 600_000 }, async () => {
  const random = createRandom()
  const first = await run(['backup', '--drill', '--keep', '0'], folder)
  expect(first, first.err).toMatchObject({ code: 0, out: expect.stringContaining('The drill passed') })
  const { ms } = await run(['backup', '--keep', '0'], folder)
  for (let round = 0; round < kills; round++) {
    await run(['backup', '--keep', '0'], folder, random.next() * ms)
    const { code, out, err } = await run(['restore', 'latest', '--verify'], folder)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('is sound')
  }
  const { out } = await run(['backup', '--list'], folder)
  const complete = out.split('\n').filter(line => line && !line.includes('not complete'))
  expect(complete.length).toBeGreaterThanOrEqual(2)
})

test('a killed restore leaves the database empty or whole, and is completed by running it again', {
  timeout: 600_000,
}, async () => {
  const random = createRandom()
  const source = await linesAt(join(folder, 'plinth.db'))
  const restore = ['restore', 'latest', '--from', backups]
  const { ms } = await run(restore, await newFolder())
  for (let round = 0; round < kills; round++) {
    const target = await newFolder()
    await run(restore, target, random.next() * ms)
    const left = await linesAt(join(target, 'plinth.db'))
    expect([0, source.size]).toContain(left.size)
    const isMarked = (await readdir(target)).includes('restore-unfinished')
    if (isMarked) expect((await run(['start'], target)).err).toContain('was cut off')
    const again = await run(isMarked || left.size === 0 ? restore : [...restore, '--replace'], target)
    expect([again.code, again.err.includes('Plinth cannot go on')]).toEqual([0, false])
    expect(await linesAt(join(target, 'plinth.db'))).toEqual(source)
    expect(await readdir(target)).not.toContain('restore-unfinished')
  }
})

test('a transfer to PostgreSQL and back gives equal records, and a killed one leaves nothing', {
  timeout: 600_000,
}, async () => {
  const random = createRandom()
  const source = await linesAt(join(folder, 'plinth.db'))
  const transfer = (url: string) => ['transfer', `--to=${url}`]
  const url = await createDatabase(inject('postgresUrl'))
  const first = await run(transfer(url), folder)
  expect(first, first.err).toMatchObject({
    code: 0,
    out: expect.stringContaining('each was compared with the original'),
  })
  expect(await linesAt(url)).toEqual(source)
  for (let round = 0; round < kills; round++) {
    const target = await createDatabase(inject('postgresUrl'))
    await run(transfer(target), folder, random.next() * first.ms)
    const left = await linesAt(target)
    expect([0, source.size]).toContain(left.size)
    const again = await run(left.size === 0 ? transfer(target) : [...transfer(target), '--replace'], folder)
    expect(again, again.err).toMatchObject({ code: 0 })
    expect(await linesAt(target)).toEqual(source)
  }
  const back = await newFolder()
  await cp(join(folder, 'sealing.key'), join(back, 'sealing.key'))
  const returned = await run([...transfer(join(back, 'plinth.db')), `--app.database.url=${url}`], folder)
  expect(returned, returned.err).toMatchObject({ code: 0 })
  expect(await linesAt(join(back, 'plinth.db'))).toEqual(source)
})
