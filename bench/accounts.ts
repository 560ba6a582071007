// Accounts in numbers: what the check of a token adds to a read, what others notice of a storm of sign-ins, and whether
// the time of an answer tells who has an account.
// `npm run build && npm run bench -- accounts [sqlite|postgres] [check|storm|timing]`

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, startPostgres } from '@plinth/test-kit/postgres'
import { measureLoginStorm } from './accounts/login-storm.ts'
import { fillUsers } from './accounts/people.ts'
import { measureTiming, samples } from './accounts/timing.ts'
import { measureTokenCheck } from './accounts/token-check.ts'
import { type Running, startPlinth } from './support/servers.ts'

const parts: Readonly<Record<string, (plinth: Running) => Promise<void>>> = {
  check: measureTokenCheck,
  storm: measureLoginStorm,
  timing: measureTiming,
}

const chosen = process.argv.slice(2)
const isWanted = (word: string, words: readonly string[]): boolean =>
  chosen.includes(word) || !words.some(one => chosen.includes(one))

const run = async (name: string, database: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const settings = {
    'app.demo': 'true',
    'server.port': '0',
    'app.log.level': 'error',
    'app.modules': '',
    'app.dataDir': folder,
    'app.database.url': database,
    'app.auth.throttle.perAddress': '100000',
  }
  await fillUsers(settings, Math.max(samples, 32))
  const plinth = await startPlinth(settings)
  try {
    for (const [part, measure] of Object.entries(parts)) {
      if (!isWanted(part, Object.keys(parts))) continue
      console.log(`\n${name}, ${part}`)
      await measure(plinth)
    }
  } finally {
    await plinth.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const databases = ['sqlite', 'postgres']
if (isWanted('sqlite', databases)) await run('SQLite', '')
if (isWanted('postgres', databases)) {
  const postgres = await startPostgres()
  try {
    await run('PostgreSQL', await createDatabase(postgres.url))
  } finally {
    await postgres.stop()
  }
}
