// A database that cannot be used: commands, the start and the doctor say what is wrong and what to do, without a stack trace.

import { randomBytes } from 'node:crypto'
import { open, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandOutcome, runHere } from '@plinth/test-kit/command-here'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import { createDatabase } from '@plinth/test-kit/postgres'
import { emptyData, newData } from '@plinth/test-kit/prepared-data'
import { emptyFolder, launch } from '@plinth/test-kit/service-process'
import postgres from 'postgres'
import { describe, expect, inject, onTestFinished, test } from 'vitest'

/** The commands of each kind: one that only reads, one that migrates, and one that looks for faults. */
const commands: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['migrate --plan', ['migrate', '--plan']],
  ['start', ['start', '--server.port=0']],
  ['doctor', ['doctor']],
]

const run = (command: readonly string[], folder: string, url = ''): Promise<CommandOutcome> =>
  runHere([...command, `--app.dataDir=${folder}`, `--app.database.url=${url}`, '--app.log.level=silent'])

const mustRun = async (command: readonly string[], folder: string): Promise<void> => {
  const { code, out, err } = await run(command, folder)
  expect([code, out + err]).toEqual([0, expect.any(String)])
}

const mustExplain = (
  { code, out, err }: CommandOutcome,
  expected: { readonly reason: RegExp; readonly remedy: RegExp },
) => {
  expect(code).toBe(1)
  const text = out + err
  expect(text).toMatch(expected.reason)
  expect(text).toMatch(expected.remedy)
  expect(text).not.toMatch(/^ {4}at /m)
}

const freshFolder = async (): Promise<string> => {
  const { folder } = await emptyData('sqlite')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe.each(everyThird(commands))('plinth %s', (_, command) => {
  test('a damaged SQLite file: restore the newest backup', async () => {
    const { folder } = await newData('sqlite', {}, {})
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'plinth.db')
    const handle = await open(file, 'r+')
    await handle.write(Buffer.alloc(300_000, 0x5a), 0, 300_000, 4096)
    await handle.close()
    const outcome = await run(command, folder)
    mustExplain(outcome, { reason: new RegExp(`The database file ${file} is damaged`), remedy: /plinth restore/ })
  })

  test('a file that is no SQLite database', async () => {
    const folder = await freshFolder()
    await writeFile(join(folder, 'plinth.db'), 'This is a letter to my grandmother. '.repeat(100))
    mustExplain(await run(command, folder), { reason: /plinth\.db is damaged/, remedy: /plinth restore/ })
  })

  test('a file in place of the data folder, or of a folder above it', async () => {
    const folder = await freshFolder()
    const file = join(folder, 'letter.txt')
    await writeFile(file, 'Dear grandmother')
    for (const place of [file, join(file, 'data')])
      mustExplain(await run(command, place), {
        reason: new RegExp(`The data folder ${place} cannot be used: .*file`),
        remedy: /--app\.dataDir=/,
      })
  })

  test('no database at the address: its host and port are named', async () => {
    const folder = await freshFolder()
    const outcome = await run(command, folder, 'postgres://anna:s3cret-canary@127.0.0.1:1/shop')
    mustExplain(outcome, { reason: /The database at 127\.0\.0\.1:1 does not answer/, remedy: /app\.database\.url/ })
    expect(outcome.out + outcome.err).not.toContain('canary')
  })

  test('a database that does not exist', async () => {
    const folder = await freshFolder()
    const url = new URL(inject('postgresUrl'))
    url.pathname = '/no-such-shop'
    const outcome = await run(command, folder, url.href)
    mustExplain(outcome, { reason: /The database 'no-such-shop' does not exist/, remedy: /createdb/ })
  })

  test('a wrong password', async () => {
    const folder = await freshFolder()
    const url = new URL(await createDatabase(inject('postgresUrl')))
    url.password = 'wrong-canary'
    const outcome = await run(command, folder, url.href)
    mustExplain(outcome, { reason: /refuses the login of 'postgres'/, remedy: /password in app\.database\.url/ })
    expect(outcome.out + outcome.err).not.toContain('canary')
  })
})

test.each(everyThird(['migrate', 'start']))('plinth %s as a role that may not create tables', async command => {
  const folder = await freshFolder()
  const url = new URL(await createDatabase(inject('postgresUrl')))
  const sql = postgres(url.href, { max: 1, onnotice: () => {} })
  const role = `reader_${randomBytes(4).toString('hex')}`
  await sql.unsafe(`REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE ${role} LOGIN PASSWORD 'pw'`).simple()
  await sql.end()
  url.username = role
  url.password = 'pw'
  const outcome = await run([command], folder, url.href)
  mustExplain(outcome, { reason: new RegExp(`The role '${role}' lacks a permission`), remedy: /GRANT .*SCHEMA/ })
})

test('the doctor reads a damaged page of SQLite, and names the newest backup', async () => {
  const { folder } = await newData('sqlite', {}, {})
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mustRun(['backup'], folder)
  const file = join(folder, 'plinth.db')
  await truncate(file, 400_000)
  const { code, out } = await run(['doctor'], folder)
  expect(code).toBe(1)
  expect(out).toMatch(/^error.*(damaged|malformed)/m)
  expect(out).toMatch(/plinth restore plinth-\d{8}/)
  expect(out).not.toContain('See the message')
})

testAll('a full disk at the first start', async () => {
  const folder = await emptyFolder()
  const failed = await launch({ folder, maxFileBlocks: 300 }).then(
    () => 'it started',
    error => String(error),
  )
  // A limit on the size of files is an I/O error for SQLite.
  expect(failed).toMatch(/The migration failed at .*\nThe .*plinth\.db .*disk is full/)
  expect(failed).toMatch(/Remedy: Free some space/)
  expect(failed).not.toMatch(/^ {4}at /m)
})
