// The bare floor on SQLite: prepared statements, and as durable as the service.

import { randomUUID } from 'node:crypto'
import { openSqlite } from '../open-sqlite.ts'
import {
  type FloorData,
  type FloorListing,
  includedColumns,
  includedTables,
  localityColumns,
  localityTables,
  originOf,
  toHost,
  toLocality,
  trigramsOf,
} from './data.ts'

type Row = Readonly<Record<string, unknown>>

const conditions = {
  name: 'l."name" GLOB ?',
  part: 'l.rowid IN (SELECT rowid FROM "plinth_t_localities__name" WHERE "plinth_t_localities__name" MATCH ?) AND l."name" GLOB ?',
  parent: 'l."parent" = ?',
} as const
const orders = { name: 'l."name" DESC, l."pk"', part: 'l."name", l."pk"', parent: 'l."name", l."pk"' } as const

/** What the placeholders of the conditions stand for. */
const texts = {
  name: (value: string) => [`${value}*`],
  part: (value: string) => [
    trigramsOf(value)
      .map(run => `"${run}"`)
      .join(' AND '),
    `*${value}*`,
  ],
  parent: (value: string) => [value],
} as const

export const openEmbedded = (path: string): FloorData => {
  const db = openSqlite(path)
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000')
  const one = db.prepare(`SELECT ${localityColumns} FROM ${localityTables} WHERE l."pk" = ?`)
  const listing = (by: FloorListing['by'], columns: string, tables: string) =>
    db.prepare(`SELECT ${columns} FROM ${tables} WHERE ${conditions[by]} ORDER BY ${orders[by]} LIMIT ?`)
  const pages = {
    name: listing('name', localityColumns, localityTables),
    part: listing('part', localityColumns, localityTables),
    parent: listing('parent', localityColumns, localityTables),
  }
  const included = {
    name: listing('name', includedColumns, includedTables),
    part: listing('part', includedColumns, includedTables),
    parent: listing('parent', includedColumns, includedTables),
  }
  const counts = {
    name: db.prepare(`SELECT count(*) AS total FROM "localities" l WHERE ${conditions.name}`),
    part: db.prepare(`SELECT count(*) AS total FROM "localities" l WHERE ${conditions.part}`),
    parent: db.prepare(`SELECT count(*) AS total FROM "localities" l WHERE ${conditions.parent}`),
  }
  const insert = db.prepare(
    'INSERT INTO "hosts" ("pk","name","name_folded","description","country","createdDate","lastModifiedDate","version") VALUES (?,?,?,?,?,?,?,1)',
  )
  const origin = db.prepare('INSERT INTO "hostOrigins" ("pk","origin","host","version") VALUES (?,?,?,1)')
  const update = db.prepare(
    'UPDATE "hosts" SET "description" = ?, "lastModifiedDate" = ?, "version" = "version" + 1 WHERE "pk" = ? RETURNING *',
  )
  const label = db.prepare('SELECT "name" FROM "countries" WHERE "pk" = ?')
  const countryName = (pk: unknown): unknown => (label.get(String(pk)) as Row | undefined)?.name
  return {
    one: pk => {
      const row = one.get(pk) as Row | undefined
      return row && toLocality(row)
    },
    page: ({ by, value, size, includesParent }) => {
      const cells = texts[by](value)
      const rows = (includesParent ? included : pages)[by].all(...cells, size) as Row[]
      return { rows: rows.map(toLocality), total: Number((counts[by].get(...cells) as Row).total) }
    },
    create: host => {
      const { pk, name, description, country, now } = host
      db.exec('BEGIN IMMEDIATE')
      insert.run(pk, name, name.toLowerCase(), description, country, now, now)
      origin.run(randomUUID(), originOf(name), pk)
      db.exec('COMMIT')
      return toHost({
        ...host,
        ...{ createdDate: now, lastModifiedDate: now, version: 1, countryName: countryName(country) },
      })
    },
    update: (pk, description, now) => {
      const row = update.get(description, now, pk) as Row | undefined
      return row && toHost({ ...row, countryName: countryName(row.country) })
    },
    // Held until then: its statements alone do not keep a connection open.
    close: () => db.close(),
  }
}
