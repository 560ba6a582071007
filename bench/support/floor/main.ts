// The bare floor: Fastify, the driver, and SQL and JSON written by hand for exactly what the benchmark asks. No layer,
// no rules, no negotiation. The service is measured against it, on the same database.

import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import postgres from 'postgres'
import { openSqlite } from './open-sqlite.ts'

const [url = ''] = process.argv.slice(2)
const credentials = `Basic ${Buffer.from('admin:admin').toString('base64')}`

interface Locality {
  pk: string
  name: string
  parent: string | null
  parentName: string | null
  path: string
  pathLevel: number
  createdDate: string
  lastModifiedDate: string
  version: number
}

interface Host {
  pk: string
  name: string
  description: string
  country: string
  now: string
}

/** A host stands for the origins of its name, which are stored with it. */
const originsOf = (name: string): string[] => [`http://${name}`, `https://${name}`]

interface Data {
  one(pk: string): Promise<Locality | undefined> | Locality | undefined
  page(prefix: string, size: number): Promise<{ rows: Locality[]; total: number }> | { rows: Locality[]; total: number }
  create(host: Host): Promise<string> | string
}

const columns =
  'l."pk", l."name", l."parent", c."name" AS "parentName", l."path", l."pathLevel", l."createdDate", l."lastModifiedDate", l."version"'
const from = '"localities" l LEFT JOIN "countries" c ON c."pk" = l."parent"'

type Embedded = ReturnType<typeof openSqlite>

const openEmbedded = (): Embedded => {
  const db = openSqlite(url)
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000')
  return db
}

const sqlite = (db: Embedded): Data => {
  const one = db.prepare(`SELECT ${columns} FROM ${from} WHERE l."pk" = ?`)
  const page = db.prepare(`SELECT ${columns} FROM ${from} WHERE l."name" GLOB ? ORDER BY l."name" DESC, l."pk" LIMIT ?`)
  const count = db.prepare('SELECT count(*) AS total FROM "localities" WHERE "name" GLOB ?')
  const insert = db.prepare(
    'INSERT INTO "hosts" ("pk","name","name_folded","description","country","createdDate","lastModifiedDate","version") VALUES (?,?,?,?,?,?,?,1)',
  )
  const origin = db.prepare('INSERT INTO "hostOrigins" ("pk","origin","host","version") VALUES (?,?,?,1)')
  const label = db.prepare('SELECT "name" FROM "countries" WHERE "pk" = ?')
  return {
    one: pk => one.get(pk) as unknown as Locality | undefined,
    page: (prefix, size) => ({
      rows: page.all(`${prefix}*`, size) as unknown as Locality[],
      total: (count.get(`${prefix}*`) as unknown as { total: number }).total,
    }),
    create: ({ pk, name, description, country, now }) => {
      db.exec('BEGIN IMMEDIATE')
      insert.run(pk, name, name.toLowerCase(), description, country, now, now)
      for (const one of originsOf(name)) origin.run(randomUUID(), one, pk)
      db.exec('COMMIT')
      return (label.get(country) as unknown as { name: string }).name
    },
  }
}

const postgresql = (): Data => {
  const sql = postgres(url, { max: 10, onnotice: () => {} })
  const iso = (time: Date) => time.toISOString()
  const toLocality = (row: Record<string, unknown>): Locality =>
    ({
      ...row,
      pathLevel: Number(row.pathLevel),
      version: Number(row.version),
      createdDate: iso(row.createdDate as Date),
      lastModifiedDate: iso(row.lastModifiedDate as Date),
    }) as Locality
  return {
    one: async pk => {
      const [row] = await sql.unsafe(`SELECT ${columns} FROM ${from} WHERE l."pk" = $1`, [pk], { prepare: true })
      return row && toLocality(row)
    },
    page: async (prefix, size) => {
      const [rows, totals] = await Promise.all([
        sql.unsafe(
          `SELECT ${columns} FROM ${from} WHERE l."name" LIKE $1 ORDER BY l."name" DESC NULLS LAST, l."pk" ASC NULLS FIRST LIMIT $2`,
          [`${prefix}%`, size],
          { prepare: true },
        ),
        sql.unsafe('SELECT count(*)::int AS total FROM "localities" WHERE "name" LIKE $1', [`${prefix}%`], {
          prepare: true,
        }),
      ])
      return { rows: rows.map(toLocality), total: Number(totals[0]?.total) }
    },
    create: async ({ pk, name, description, country, now }) => {
      const [row] = await sql.unsafe(
        `WITH made AS (INSERT INTO "hosts" ("pk","name","name_folded","description","country","createdDate","lastModifiedDate","version") VALUES ($1,$2,$3,$4,$5,$6,$6,1) RETURNING "pk", "country"),
          origins AS (INSERT INTO "hostOrigins" ("pk","origin","host","version") SELECT o."pk", o."origin", made."pk", 1 FROM made, unnest($7::text[], $8::text[]) AS o("pk","origin"))
          SELECT c."name" FROM made JOIN "countries" c ON c."pk" = made."country"`,
        [pk, name, name.toLowerCase(), description, country, now, [randomUUID(), randomUUID()], originsOf(name)],
        { prepare: true },
      )
      return String(row?.name)
    },
  }
}

// Closed at the end, and so held until then: its statements alone do not keep a connection open.
const embedded = url.startsWith('postgres') ? null : openEmbedded()
const data = embedded ? sqlite(embedded) : postgresql()
const app = fastify()
let base = ''

const localityJson = ({ parent, parentName, ...row }: Locality) => {
  const self = `${base}/api/rest/localities/${encodeURIComponent(row.pk)}`
  const { pk, name, path, pathLevel, createdDate, lastModifiedDate, version } = row
  return {
    pk,
    name,
    parent: parent && { pk: parent, name: parentName },
    path,
    pathLevel,
    createdDate,
    lastModifiedDate,
    version,
    links: [
      { rel: 'self', href: self },
      { rel: 'parent', href: `${self}/parent` },
      { rel: 'children', href: `${self}/children` },
    ],
  }
}

app.addHook('onRequest', async (request, reply) => {
  if (request.headers.authorization !== credentials) reply.code(401).send()
})

app.get<{ Params: { pk: string } }>('/api/rest/localities/:pk', async (request, reply) => {
  const row = await data.one(request.params.pk)
  if (!row) return reply.code(404).send()
  return reply.type('application/json').send(JSON.stringify(localityJson(row)))
})

app.get<{ Querystring: { filter: string; _ps: string } }>('/api/rest/localities', async (request, reply) => {
  const prefix = request.query.filter.slice('name=='.length, -1)
  const size = Number(request.query._ps)
  const { rows, total } = await data.page(prefix, size)
  const self = `${base}/api/rest/localities?filter=name%3D%3D${prefix}*&sort=-name&_ps=${size}`
  const last = rows.at(-1)
  const cursor = Buffer.from(JSON.stringify(['localities:-name,pk', last?.name, last?.pk])).toString('base64url')
  const page = { size, totalElements: total, totalPages: Math.ceil(total / size), number: 0 }
  const links = [
    { rel: 'self', href: self },
    { rel: 'first', href: self },
    { rel: 'next', href: `${self}&_after=${cursor}` },
    { rel: 'last', href: `${self}&_pn=${page.totalPages - 1}` },
  ]
  return reply
    .header('x-total-count', total)
    .type('application/json')
    .send(JSON.stringify({ content: rows.map(localityJson), page, links }))
})

app.post<{ Body: { name: string; description: string; country: string } }>(
  '/api/rest/hosts',
  async (request, reply) => {
    const { name, description, country } = request.body
    if (typeof name !== 'string' || typeof description !== 'string' || typeof country !== 'string')
      return reply.code(400).send()
    const [pk, now] = [randomUUID(), new Date().toISOString()]
    const countryName = await data.create({ pk, name, description, country, now })
    const self = `${base}/api/rest/hosts/${pk}`
    const links = [
      { rel: 'self', href: self },
      { rel: 'country', href: `${self}/country` },
    ]
    const body = {
      pk,
      name,
      description,
      aliases: null,
      country: { pk: country, name: countryName },
      createdDate: now,
      lastModifiedDate: now,
      version: 1,
      links,
    }
    return reply.code(201).header('location', self).type('application/json').send(JSON.stringify(body))
  },
)

base = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(base)
process.on('SIGTERM', () => {
  embedded?.close()
  process.exit(0)
})
