// Many documents, put straight into their table, and what their index is like.

import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@plinth/test-kit/seeded-random'
import postgres from 'postgres'
import { openSqlite } from '../support/open-sqlite.ts'
import { createWords } from './words.ts'

interface Documents {
  readonly count: number
  /** The user who owns one of a hundred. */
  readonly owner: string
}

const columns = '("pk","title","body","owner","createdDate","lastModifiedDate","version")'

const batches = function* ({ count, owner }: Documents) {
  const words = createWords(seededRandom(1))
  for (let from = 0; from < count; from += 1000)
    yield Array.from({ length: Math.min(1000, count - from) }, (_, at) => {
      const number = from + at
      const pk = `${((number * 7919) % count).toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
      return [pk, words.text(5), words.text(25), number % 100 === 0 ? owner : null] as const
    })
}

export const fillDocuments = async (url: string, documents: Documents): Promise<void> => {
  const now = new Date().toISOString()
  if (url.startsWith('postgres')) {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    for (const batch of batches(documents))
      await sql.unsafe(
        `INSERT INTO "documents" ${columns} SELECT r->>0, r->>1, r->>2, r->>3, $2::text::timestamptz, $2::text::timestamptz, 1 FROM jsonb_array_elements($1::text::jsonb) r`,
        [JSON.stringify(batch), now],
      )
    await sql.unsafe(`UPDATE "plinth_search" SET "built" = 0, "upTo" = ''`)
    await sql.unsafe('VACUUM ANALYZE')
    await sql.end()
    return
  }
  const database = openSqlite(url)
  const insert = database.prepare(`INSERT INTO "documents" ${columns} VALUES (?,?,?,?,?,?,1)`)
  database.exec('BEGIN')
  for (const batch of batches(documents)) for (const row of batch) insert.run(...row, now, now)
  database.exec(`UPDATE "plinth_search" SET "built" = 0, "upTo" = ''`)
  database.exec('COMMIT')
  database.close()
}

const state = `SELECT "built" FROM "plinth_search" WHERE "resource" = 'documents'`

export const untilBuilt = async (url: string): Promise<void> => {
  const isBuilt = async (): Promise<boolean> => {
    if (!url.startsWith('postgres')) {
      const database = openSqlite(url)
      const row: unknown = database.prepare(state).get()
      database.close()
      return JSON.stringify(row).includes('1')
    }
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const rows = await sql.unsafe(state)
    await sql.end()
    return Number(rows[0]?.built) === 1
  }
  while (!(await isBuilt())) await sleep(500)
}

/** The bytes of the records and of the index. */
export const sizeOf = async (url: string): Promise<{ readonly records: number; readonly index: number }> => {
  if (!url.startsWith('postgres')) {
    const database = openSqlite(url)
    const sum = (names: string): number => {
      const row = database.prepare(`SELECT sum(pgsize) AS bytes FROM dbstat WHERE name IN (${names})`).get()
      return Number((row as { readonly bytes: number }).bytes)
    }
    const sizes = {
      records: sum(`'documents', 'sqlite_autoindex_documents_1'`),
      index: sum(`'plinth_words_documents', 'plinth_texts_documents'`),
    }
    database.close()
    return sizes
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const [row] = await sql.unsafe(
    `SELECT pg_total_relation_size('documents') AS records, pg_total_relation_size('plinth_words_documents') + pg_total_relation_size('plinth_texts_documents') AS index`,
  )
  await sql.end()
  return { records: Number(row?.records), index: Number(row?.index) }
}
