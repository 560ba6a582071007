// `plinth backup`, `restore`, `transfer`, `import` and `migrate` as processes, which are killed at any moment: nothing half is
// left, and the same command, run again, completes the work.

import { spawn } from 'node:child_process'
import { copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { codeContextOf } from '@plinth/test-kit/code-context'
import type { CommandOutcome } from '@plinth/test-kit/command-here'
import { outcomeOf } from '@plinth/test-kit/command-process'
import { databases, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { modulesFor } from '@plinth/test-kit/platform'
import { createDatabase } from '@plinth/test-kit/postgres'
import { configOn, newData } from '@plinth/test-kit/prepared-data'
import { buildProgram, type Program } from '@plinth/test-kit/program'
import { createRandom } from '@plinth/test-kit/random'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createModel } from '../../../src/app/model.ts'
import { createStore } from '../../../src/core/store/create-store.ts'
import { linesIn } from '../../backup/lines.ts'

const kills = extent(1, 20)

let program: Program
let folder: string
let backups: string
beforeAll(async () => {
  program = await buildProgram('kill-commands')
  folder = (await newData('sqlite', {}, {})).folder
  backups = join(folder, 'backups')
})
afterAll(async () => {
  await program.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command, and kills it after some time unless it has ended by then. */
const run = async (
  args: readonly string[],
  dataDir: string,
  killAfter?: number,
): Promise<CommandOutcome & { ms: number }> => {
  const began = performance.now()
  const child = spawn(process.execPath, [program.file, ...args, `--app.dataDir=${dataDir}`], { stdio: 'pipe' })
  if (killAfter !== undefined) void pause(killAfter).then(() => child.kill('SIGKILL'))
  return { ...(await outcomeOf(child)), ms: performance.now() - began }
}

const newFolder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'plinth-backup-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

const linesAt = async (url: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const config = configOn({ folder, url: '' }, {})
  const { registry } = createModel(modulesFor(config), {
    config,
    clock: () => new Date(),
    codeContexts: () => codeContextOf(config),
  })
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

test.each(databases)(
  'a killed import on %s is resumed, and no row is lost or written twice',
  {
    timeout: 600_000,
  },
  async database => {
    const random = createRandom()
    const rows = 2000
    const file = join(await newFolder(), 'hosts.csv')
    await writeFile(file, ['name', ...Array.from({ length: rows }, (_, at) => `host-${at}.example`)].join('\n'))
    const command = ['import', 'hosts', file]
    const { url, args, dataDir } = await newInstallation(database)
    const { ms } = await run([...command, ...args], dataDir)
    expect(await namesAt(url)).toHaveLength(rows)
    let isResumed = false
    for (let round = 0; round < kills; round++) {
      const next = await newInstallation(database)
      // Killed twice, and then left alone.
      for (const limit of [random.next(), random.next()])
        await run([...command, ...next.args], next.dataDir, limit * ms)
      const left = (await namesAt(next.url)).length
      if (left < rows) {
        isResumed ||= left > 0
        const last = await run([...command, ...next.args], next.dataDir)
        expect(last, last.err).toMatchObject({ code: 0 })
      }
      const names = await namesAt(next.url)
      expect([names.length, new Set(names).size]).toEqual([rows, rows])
    }
    if (kills >= 10) expect(isResumed).toBe(true)
  },
)

interface Installation {
  readonly url: string
  readonly dataDir: string
  readonly args: readonly string[]
}

/** Creates an installation with the prepared data. */
const newInstallation = async (database: TestedDatabase): Promise<Installation> => {
  const data = await newData(database, {}, {})
  onTestFinished(() => rm(data.folder, { recursive: true, force: true }))
  return installed(data.folder, database === 'sqlite' ? join(data.folder, 'plinth.db') : data.url)
}

const installed = (dataDir: string, url: string): Installation => ({
  url,
  dataDir,
  args: url.startsWith('postgres') ? [`--app.database.url=${url}`] : [],
})

const namesAt = async (url: string): Promise<readonly string[]> => {
  const lines = (await linesAt(url)).get('hosts') ?? []
  return lines.flatMap(line => /host-\d+\.example/.exec(line) ?? [])
}

const before = new URL('../../fixtures/before-history.db.gz', import.meta.url)

/** Databases that need a migration: an early one, and one that lacks tables, columns and indexes. */
const outdated = {
  sqlite: async () => {
    const dataDir = await newFolder()
    await copyFile(join(folder, 'sealing.key'), join(dataDir, 'sealing.key'))
    await writeFile(join(dataDir, 'plinth.db'), await promisify(gunzip)(await readFile(before)), { mode: 0o600 })
    return installed(dataDir, join(dataDir, 'plinth.db'))
  },
  postgres: async () => {
    const made = await newInstallation('postgres')
    const sql = postgres(made.url, { max: 1, onnotice: () => {} })
    await sql.unsafe('DROP TABLE "localities_history", "films_history", "users_trash", "hosts_trash"')
    await sql.unsafe('ALTER TABLE "hosts" DROP COLUMN "description" CASCADE')
    await sql.unsafe('ALTER TABLE "users" DROP COLUMN "fullName" CASCADE')
    await sql.end()
    return made
  },
} as const satisfies Record<TestedDatabase, () => Promise<Installation>>

test.each(databases)(
  'a killed migration on %s is completed by running it again',
  {
    timeout: 600_000,
  },
  async database => {
    const random = createRandom()
    const whole = await outdated[database]()
    const { ms, ...first } = await run(['migrate', ...whole.args], whole.dataDir)
    expect(first, first.err).toMatchObject({ code: 0 })
    const expected = recordsOf(await linesAt(whole.url))
    for (let round = 0; round < kills; round++) {
      const { url, dataDir, args } = await outdated[database]()
      await run(['migrate', ...args], dataDir, random.next() * ms)
      const again = await run(['migrate', ...args], dataDir)
      expect(again, again.err).toMatchObject({ code: 0 })
      expect(recordsOf(await linesAt(url))).toEqual(expected)
      const plan = await run(['migrate', '--plan', ...args], dataDir)
      expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('up to date')])
    }
  },
)

/** Times, with what follows them in the keys of the history, and hashes of e-mail addresses, whose key each installation makes for itself. */
const ownValues = /\d{4}-\d\d-\d\dT[\d:.]+Z[.\da-f]*|\b[0-9a-f]{64}\b/g

const began = new Date().toISOString()

/** Returns the records without what differs between two migrations of the same data: when they ran, and random values. */
const recordsOf = (lines: ReadonlyMap<string, readonly string[]>) =>
  new Map(
    [...lines]
      .filter(([table]) => table !== 'appliedMigrations' && table !== 'hashKeys')
      .map(([table, all]) => [
        table,
        all.map(line => line.replace(ownValues, value => (value.includes('T') && value < began ? value : '…'))),
      ]),
  )
