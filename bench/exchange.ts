// Exports many records and imports them into an empty database: time against the database's own bulk load, memory at most, and
// whether the records are equal.
// `npm run build && npm run bench -- exchange [records] [sqlite|postgres]`

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { fillLocalities } from './support/fill.ts'
import { type FilledDatabase, onDatabases } from './support/filled.ts'
import { openSqlite } from './support/open-sqlite.ts'
import { startPlinth } from './support/servers.ts'
import { size } from './support/size.ts'

const [records = size('BENCH_RECORDS', 1_100_000, 1000), only] = process.argv.slice(2)
const count = Number(records)
const root = fileURLToPath(new URL('..', import.meta.url))
const fields = 'pk,name,parent'
const columns = '"pk", "name", "parent"'

interface Ran {
  readonly seconds: number
  /** The memory in MB. */
  readonly memory: number
  readonly printed: string
}

const memoryOf = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has ended since.
    return 0
  }
}

/** A command of the built program. */
const run = async ({ settings }: FilledDatabase, ...args: string[]): Promise<Ran> => {
  const began = performance.now()
  const all = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(process.execPath, ['packages/plinth/dist/main.js', ...args, ...all], { cwd: root })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-500)
    })
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid ?? 0))
  }, 100)
  const code = await new Promise(resolve => child.once('exit', resolve))
  clearInterval(watch)
  if (code !== 0) throw new Error(`'${args.join(' ')}' ended with ${code}: ${printed}`)
  return { seconds: (performance.now() - began) / 1000, memory, printed }
}

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const timed = async (work: () => Promise<void> | void): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** How long the database takes to give the same columns in the same order, and to take them into a table without indexes. */
const ownLoad = async ({ database }: FilledDatabase): Promise<{ readonly out: number; readonly in: number }> =>
  database.startsWith('postgres') ? copy(database) : insertAll(database)

const copy = async (url: string) => {
  const options = { max: 1, onnotice: () => {} }
  const reading = postgres(url, options)
  const pieces: Buffer[] = []
  const out = await timed(async () => {
    const rows = await reading.unsafe(`COPY (SELECT ${columns} FROM "localities" ORDER BY "pk") TO STDOUT`).readable()
    for await (const piece of rows) pieces.push(piece as Buffer)
  })
  await reading.end()
  // The client library does not send a second COPY on the connection of the first.
  const sql = postgres(url, options)
  await sql.unsafe('CREATE TABLE "bench" ("pk" text PRIMARY KEY, "name" text, "parent" text)')
  const into = await timed(async () =>
    pipeline(Readable.from(pieces), await sql.unsafe(`COPY "bench" (${columns}) FROM STDIN`).writable()),
  )
  await sql.end()
  return { out, in: into }
}

const insertAll = async (path: string) => {
  const database = openSqlite(path)
  let rows: Record<string, unknown>[] = []
  const out = await timed(() => {
    rows = database.prepare(`SELECT ${columns} FROM "localities" ORDER BY "pk"`).all() as Record<string, unknown>[]
  })
  database.exec('CREATE TABLE "bench" ("pk" TEXT PRIMARY KEY, "name" TEXT, "parent" TEXT)')
  const insert = database.prepare(`INSERT INTO "bench" (${columns}) VALUES (?, ?, ?)`)
  const into = await timed(() => {
    database.exec('BEGIN')
    for (const { pk, name, parent } of rows) insert.run(String(pk), String(name), String(parent))
    database.exec('COMMIT')
  })
  database.close()
  return { out, in: into }
}

/** Creates the tables. */
const prepare = async ({ settings }: FilledDatabase): Promise<void> => (await startPlinth(settings)).stop()

const report = (what: string, { seconds, memory }: Ran, own: number): void =>
  console.log(
    `  ${what.padEnd(10)}${seconds.toFixed(1).padStart(8)} s  ${(count / seconds / 1000).toFixed(1).padStart(6)} thousand rows/s  ` +
      `${(own / seconds).toFixed(3).padStart(6)} of the database's own rate  ${memory.toFixed(0).padStart(5)} MB at most`,
  )

await onDatabases(only, async (name, newPlace) => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-exchange-'))
  const [first, second] = [join(folder, 'first.csv'), join(folder, 'second.csv')]
  try {
    const [from, to] = [await newPlace(), await newPlace()]
    await prepare(from)
    await fillLocalities(from.database, count)
    await prepare(to)
    console.log(`\n${name}: ${count.toLocaleString('en')} records`)
    const exported = await run(from, 'export', 'localities', `--fields=${fields}`, '--sort=pk', '--out', first)
    const imported = await run(to, 'import', 'localities', first, '--key', 'pk')
    const own = await ownLoad(from)
    report('export', exported, own.out)
    report('import', imported, own.in)
    console.log(`  ${imported.printed.trim().split('\n').at(-1)}`)
    await run(to, 'export', 'localities', `--fields=${fields}`, '--sort=pk', '--out', second)
    if ((await hashOf(first)) !== (await hashOf(second))) throw new Error('the imported records differ')
    console.log('  The records are equal.')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
