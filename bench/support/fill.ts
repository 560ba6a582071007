// Many records, put straight into the tables that the service has made.

import postgres from 'postgres'
import { openSqlite } from './open-sqlite.ts'

const syllables = [
  'al',
  'be',
  'cor',
  'da',
  'el',
  'fu',
  'gra',
  'hin',
  'is',
  'jo',
  'ka',
  'lu',
  'mon',
  'ne',
  'or',
  'pa',
  'qui',
  'ro',
  'sa',
  'ty',
  'ul',
  'va',
  'wi',
  'xe',
  'yr',
  'zo',
]

/** The same names in every run. */
export const nameOf = (number: number): string => {
  let name = ''
  for (let rest = number * 7919 + 13, at = 0; at < 5; at++, rest = Math.floor(rest / syllables.length))
    name += syllables[rest % syllables.length]
  return name.charAt(0).toUpperCase() + name.slice(1)
}

interface NewLocality {
  readonly pk: string
  readonly name: string
  readonly parent: string
}

const batches = function* (count: number, parents: readonly string[]): Iterable<readonly NewLocality[]> {
  for (let from = 0; from < count; from += 1000) {
    yield Array.from({ length: Math.min(1000, count - from) }, (_, at) => ({
      pk: `L${from + at}`,
      name: nameOf(from + at),
      parent: parents[(from + at) % parents.length] ?? '',
    }))
  }
}

const columns = '("pk","name","parent","path","pathLevel","createdDate","lastModifiedDate","version")'

/** Creates localities, which belong to the parents in turn. */
export const fillLocalities = async (
  url: string,
  count: number,
  parents: readonly string[] = ['GR'],
): Promise<void> => {
  const now = new Date().toISOString()
  if (url.startsWith('postgres')) {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    for (const batch of batches(count, parents)) {
      const rows = batch.map(({ pk, name, parent }) => [pk, name, parent, `Europe: Greece: ${name}`])
      await sql.unsafe(
        `INSERT INTO "localities" ${columns} SELECT r->>0, r->>1, r->>2, r->>3, 2, $2::text::timestamptz, $2::text::timestamptz, 1 FROM jsonb_array_elements($1::text::jsonb) r`,
        [JSON.stringify(rows), now],
      )
    }
    await sql.unsafe('VACUUM ANALYZE')
    await sql.end()
    return
  }
  const db = openSqlite(url)
  // Nothing is lost if the machine stops here, so the pages stay in memory as long as they can.
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA wal_autocheckpoint = 200000')
  const insert = db.prepare(`INSERT INTO "localities" ${columns} VALUES (?,?,?,?,2,?,?,1)`)
  for (const batch of batches(count, parents)) {
    db.exec('BEGIN')
    for (const { pk, name, parent } of batch) insert.run(pk, name, parent, `Europe: Greece: ${name}`, now, now)
    db.exec('COMMIT')
  }
  db.close()
}
