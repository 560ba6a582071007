// Keys and sessions, which only encrypted backups have: who could read a backup could otherwise sign in as every user. A restore
// leaves the keys alone that the database has.

import type { Registry } from '../../core/model/registry.ts'
import type { DatabaseSnapshot, SnapshotRow, SnapshotTable } from '../../core/store/snapshot.ts'
import type { Store } from '../../core/store/store.ts'

export interface WithheldParts {
  /** Tables without their records. */
  readonly tables: readonly string[]
  /** Columns without their values, by table. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

export const withheldParts = ({ resources }: Registry): WithheldParts => {
  const tables = resources.filter(({ definition }) => definition.backup === 'encrypted').map(({ name }) => name)
  const columns: Record<string, readonly string[]> = {}
  for (const { name, fields } of resources) {
    const withheld = [...fields.values()].filter(
      ({ definition }) => definition.role === 'value' && definition.options.backup === 'encrypted',
    )
    if (withheld.length > 0) columns[name] = withheld.map(field => field.name)
  }
  return { tables, columns }
}

/** Keys of the data folder, and the link that creates the first administrator. */
export const isWithheldFile = (path: string): boolean => /\.(?:key|link)$/.test(path)

/** The snapshot without what is withheld. */
export const withhold = (snapshot: DatabaseSnapshot, { tables, columns }: WithheldParts): DatabaseSnapshot => ({
  ...snapshot,
  rows: async function* (table) {
    if (tables.includes(table.name)) return
    const withheld = columnsAt(table, columns[table.name] ?? [])
    for await (const rows of snapshot.rows(table))
      yield withheld.size === 0 ? rows : rows.map(row => row.map((value, at) => (withheld.has(at) ? null : value)))
  },
})

const columnsAt = ({ columns }: SnapshotTable, names: readonly string[]): ReadonlySet<number> =>
  new Set(columns.flatMap(({ name }, at) => (names.includes(name) ? [at] : [])))

interface PresentTable {
  readonly table: SnapshotTable
  readonly rows: readonly SnapshotRow[]
}

/** What the database has of it before it is restored, by table. */
export type PresentParts = ReadonlyMap<string, PresentTable>

export const readPresent = (store: Store, { tables, columns }: WithheldParts): Promise<PresentParts> =>
  store.snapshot(async snapshot => {
    const present = new Map<string, PresentTable>()
    for (const table of snapshot.tables) {
      // Records that refer to others, as sessions do to their users, may refer to nothing after the restore.
      const isKept = tables.includes(table.name) && table.columns.every(({ references }) => references === null)
      if (!isKept && columns[table.name] === undefined) continue
      const rows: SnapshotRow[] = []
      for await (const batch of snapshot.rows(table)) rows.push(...batch)
      present.set(table.name, { table, rows })
    }
    return present
  })

/** The snapshot of a backup, with what the database has of the parts that the backup leaves out. */
export const withPresent = (
  snapshot: DatabaseSnapshot,
  { tables, columns }: WithheldParts,
  present: PresentParts,
): DatabaseSnapshot => {
  const kept = (name: string) => (tables.includes(name) ? present.get(name) : undefined)
  return {
    ...snapshot,
    tables: snapshot.tables.map(table => kept(table.name)?.table ?? table),
    rows: async function* (table) {
      const whole = kept(table.name)
      if (whole) {
        yield whole.rows
        return
      }
      const fill = filling(table, columns[table.name] ?? [], present.get(table.name))
      for await (const rows of snapshot.rows(table)) yield rows.map(fill)
    },
  }
}

const filling = (
  table: SnapshotTable,
  names: readonly string[],
  present: PresentTable | undefined,
): ((row: SnapshotRow) => SnapshotRow) => {
  if (!present || names.length === 0) return row => row
  const keyIn = ({ columns, primaryKey }: SnapshotTable, row: SnapshotRow): string =>
    JSON.stringify(primaryKey.map(key => row[columns.findIndex(({ name }) => name === key)]))
  const byKey = new Map(present.rows.map(row => [keyIn(present.table, row), row]))
  const withheld = columnsAt(table, names)
  return row => {
    const known = byKey.get(keyIn(table, row))
    const presentAt = (at: number) =>
      known?.[present.table.columns.findIndex(({ name }) => name === table.columns[at]?.name)]
    return row.map((value, at) => (withheld.has(at) ? (presentAt(at) ?? value) : value))
  }
}
