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

/** The other tables have this share of the documents. */
const shareOfOthers = 0.01

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

/** `tables`: the first one has all documents, and the others a share of them. */
export const fillDocuments = async (
  url: string,
  [first = '', ...others]: readonly string[],
  documents: Documents,
): Promise<void> => {
  const few = Math.max(1, Math.floor(documents.count * shareOfOthers))
  const tables = [[first, documents] as const, ...others.map(table => [table, { ...documents, count: few }] as const)]
  const now = new Date().toISOString()
  if (url.startsWith('postgres')) {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    for (const [table, some] of tables)
      for (const batch of batches(some))
        await sql.unsafe(
          `INSERT INTO "${table}" ${columns} SELECT r->>0, r->>1, r->>2, r->>3, $2::text::timestamptz, $2::text::timestamptz, 1 FROM jsonb_array_elements($1::text::jsonb) r`,
          [JSON.stringify(batch), now],
        )
    await sql.unsafe(`UPDATE "plinth_word_indexes" SET "built" = 0, "upTo" = ''`)
    await sql.unsafe('VACUUM ANALYZE')
    await sql.end()
    return
  }
  const database = openSqlite(url)
  database.exec('BEGIN')
  for (const [table, some] of tables) {
    const insert = database.prepare(`INSERT INTO "${table}" ${columns} VALUES (?,?,?,?,?,?,1)`)
    for (const batch of batches(some)) for (const row of batch) insert.run(...row, now, now)
  }
  database.exec(`UPDATE "plinth_word_indexes" SET "built" = 0, "upTo" = ''`)
  database.exec('COMMIT')
  database.close()
}

const state = `SELECT min("built") AS built FROM "plinth_word_indexes"`

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

const indexTables = ['plinth_words_documents', 'plinth_texts_documents', 'plinth_gone_documents']

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
      index: sum(
        indexTables
          .flatMap(table => [table, `sqlite_autoindex_${table}_1`, `${table}_doc`])
          .map(table => `'${table}'`)
          .join(),
      ),
    }
    database.close()
    return sizes
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const [row] = await sql.unsafe(
    `SELECT pg_total_relation_size('documents') AS records, ${indexTables.map(table => `pg_total_relation_size('${table}')`).join(' + ')} AS index`,
  )
  await sql.end()
  return { records: Number(row?.records), index: Number(row?.index) }
}
