// The newest version of the service that has used a database, stored in it. An older version does not know what a newer one
// wrote, and must not run on it.

import type { Connection } from '../connection.ts'
import type { Dialect } from '../sql/dialect.ts'

export const markerTable = 'plinth_version'

const createMarker = `CREATE TABLE IF NOT EXISTS "${markerTable}" (
    "only" integer PRIMARY KEY CHECK ("only" = 1),
    "version" text NOT NULL
  )`

/** The newest version that has used the database; null when none is on record. */
export const readVersion = async (
  connection: Pick<Connection, 'rows'>,
  tables: ReadonlyMap<string, unknown>,
): Promise<string | null> => (tables.has(markerTable) ? readMarker(connection) : null)

/** Returns null when no version is on record. The table must exist. */
const readMarker = async (connection: Pick<Connection, 'rows'>): Promise<string | null> => {
  const [row] = await connection.rows(`SELECT "version" FROM "${markerTable}"`, [])
  return row ? String(row[0]) : null
}

/** Was this data last used by a version that is newer than the other one? */
export const isNewerVersion = (version: string | null, than: string): boolean =>
  version !== null && compareVersions(version, than) > 0

/** Why this version must not run on the database, or nothing. */
export const olderVersionFaults = async (connection: Connection, version: string): Promise<string[]> => {
  const newest = await readMarker(connection)
  if (!isNewerVersion(newest, version)) return []
  return [
    `the database was last used by Plinth ${newest}, and this is Plinth ${version}: ` +
      `start Plinth ${newest} or newer, or restore a backup from before the upgrade`,
  ]
}

export const recordVersion = async (connection: Connection, dialect: Dialect, version: string): Promise<void> => {
  await connection.script(createMarker)
  if ((await readMarker(connection)) === version) return
  const sql =
    `INSERT INTO "${markerTable}" ("only", "version") VALUES (1, ${dialect.placeholder(1)}) ` +
    'ON CONFLICT ("only") DO UPDATE SET "version" = excluded."version"'
  await connection.rows(sql, [version])
}

const numerically = new Intl.Collator('en', { numeric: true })

/** Compares by the precedence of semantic versions: a pre-release comes before its release. */
const compareVersions = (left: string, right: string): number => {
  const [leftRelease, leftPreRelease] = partsOf(left)
  const [rightRelease, rightPreRelease] = partsOf(right)
  const byRelease = numerically.compare(leftRelease, rightRelease)
  if (byRelease !== 0 || leftPreRelease === rightPreRelease) return byRelease
  if (leftPreRelease === '' || rightPreRelease === '') return leftPreRelease === '' ? 1 : -1
  return numerically.compare(leftPreRelease, rightPreRelease)
}

const partsOf = (version: string): readonly [release: string, preRelease: string] => {
  const dash = version.indexOf('-')
  return dash < 0 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)]
}
