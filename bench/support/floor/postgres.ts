// The bare floor on PostgreSQL: one prepared statement for each read and write, on as many connections as the driver opens.

import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import {
  type FloorData,
  includedColumns,
  includedTables,
  localityColumns,
  localityTables,
  originOf,
  toHost,
  toLocality,
} from './data.ts'

const conditions = {
  name: 'l."name" LIKE $1',
  // The index is one on names in lower case.
  part: 'l."name" LIKE $1 AND lower(l."name") LIKE lower($1)',
  parent: 'l."parent" = $1',
} as const
const byName = 'l."name" ASC NULLS FIRST, l."pk" ASC NULLS FIRST'
const orders = {
  name: 'l."name" DESC NULLS LAST, l."pk" ASC NULLS FIRST',
  part: byName,
  parent: byName,
} as const

const hostColumns = '"pk", "name", "description", "country", "createdDate", "lastModifiedDate", "version"'

/** The rows of `written`, a common table expression, with the names of their countries. */
const withCountry = 'SELECT w.*, c."name" AS "countryName" FROM written w JOIN "countries" c ON c."pk" = w."country"'

const createHost = `WITH written AS (
  INSERT INTO "hosts" ("pk","name","name_folded","description","country","createdDate","lastModifiedDate","version")
  VALUES ($1,$2,$3,$4,$5,$6,$6,1) RETURNING ${hostColumns}
), origins AS (
  INSERT INTO "hostOrigins" ("pk","origin","host","version") SELECT $7, $8, "pk", 1 FROM written
) ${withCountry}`

const updateHost = `WITH written AS (
  UPDATE "hosts" SET "description" = $1, "lastModifiedDate" = $2, "version" = "version" + 1 WHERE "pk" = $3 RETURNING ${hostColumns}
) ${withCountry}`

export const openServer = (url: string): FloorData => {
  const sql = postgres(url, { max: 10, onnotice: () => {} })
  const query = (text: string, values: (string | number)[]) => sql.unsafe(text, values, { prepare: true })
  return {
    one: async pk => {
      const [row] = await query(`SELECT ${localityColumns} FROM ${localityTables} WHERE l."pk" = $1`, [pk])
      return row && toLocality(row)
    },
    page: async ({ by, value, size, includesParent }) => {
      const text = { name: `${value}%`, part: `%${value}%`, parent: value }[by]
      const [columns, tables] = includesParent ? [includedColumns, includedTables] : [localityColumns, localityTables]
      const [rows, totals] = await Promise.all([
        query(`SELECT ${columns} FROM ${tables} WHERE ${conditions[by]} ORDER BY ${orders[by]} LIMIT $2`, [text, size]),
        query(`SELECT count(*)::int AS total FROM "localities" l WHERE ${conditions[by]}`, [text]),
      ])
      return { rows: rows.map(toLocality), total: Number(totals[0]?.total) }
    },
    create: async ({ pk, name, description, country, now }) => {
      const origin = [randomUUID(), originOf(name)]
      const [row] = await query(createHost, [pk, name, name.toLowerCase(), description, country, now, ...origin])
      return toHost(row ?? {})
    },
    update: async (pk, description, now) => {
      const [row] = await query(updateHost, [description, now, pk])
      return row && toHost(row)
    },
    close: () => sql.end(),
  }
}
