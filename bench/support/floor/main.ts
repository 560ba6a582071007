// The bare floor: Fastify, the driver, and SQL and JSON written by hand for exactly what the benchmark asks. No layer,
// no rules, no negotiation. The service is measured against it, on the same database; `same-answers.ts` keeps their answers alike.

import { hash, randomUUID } from 'node:crypto'
import fastify, { type FastifyReply } from 'fastify'
import type { FloorLocality, Host } from './data.ts'
import { hostDocument, linkHeader, localityDocument, pageDocument } from './documents.ts'
import { openServer } from './postgres.ts'
import { openEmbedded } from './sqlite.ts'

const [url = ''] = process.argv.slice(2)
const credentials = `Basic ${Buffer.from('admin:admin').toString('base64')}`

const data = url.startsWith('postgres') ? openServer(url) : openEmbedded(url)
const app = fastify()
let base = ''

let requests = 0
const headers = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
  'content-type': 'application/json',
}
const vary = 'Accept, Origin, Authorization, Cookie'

const digestOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)

app.addHook('onRequest', async (request, reply) => {
  if (request.headers.authorization !== credentials) reply.code(401).send()
  reply.headers(headers).header('x-request-id', `floor-${++requests}`)
})

const sendRecord = (reply: FastifyReply, { version }: FloorLocality | Host, document: object) => {
  const text = JSON.stringify(document)
  return reply
    .header('etag', `"${version}-${digestOf(text)}"`)
    .header('vary', vary)
    .send(text)
}

app.get<{ Params: { pk: string } }>('/api/rest/localities/:pk', async (request, reply) => {
  const row = await data.one(request.params.pk)
  return row ? sendRecord(reply, row, localityDocument(base, row)) : reply.code(404).send()
})

interface Search {
  readonly filter: string
  readonly _ps: string
  readonly include?: string
}

const searchedIn = (filter: string) => {
  if (filter.startsWith('name==*')) return ['part', filter.slice('name==*'.length, -1)] as const
  if (filter.startsWith('name==')) return ['name', filter.slice('name=='.length, -1)] as const
  return ['parent', filter.slice('parent=='.length)] as const
}

app.get<{ Querystring: Search }>('/api/rest/localities', async (request, reply) => {
  const { filter, _ps, include } = request.query
  const [by, value] = searchedIn(filter)
  const listing = { by, value, size: Number(_ps), includesParent: include === 'parent' }
  const page = await data.page(listing)
  const document = pageDocument(base, listing, page)
  const text = JSON.stringify(document)
  return reply
    .header('link', linkHeader(document.links))
    .header('x-total-count', page.total)
    .header('etag', `"p-${digestOf(text)}"`)
    .header('vary', `${vary}, Accept-Encoding`)
    .send(text)
})

app.post<{ Body: { name: string; description: string; country: string } }>(
  '/api/rest/hosts',
  async (request, reply) => {
    const { name, description, country } = request.body
    if (typeof name !== 'string' || typeof description !== 'string' || typeof country !== 'string')
      return reply.code(400).send()
    const now = new Date().toISOString()
    const host = await data.create({ pk: randomUUID(), name, description, country, now })
    return sendRecord(
      reply.code(201).header('location', `${base}/api/rest/hosts/${host.pk}`),
      host,
      hostDocument(base, host),
    )
  },
)

app.patch<{ Params: { pk: string }; Body: { description: string } }>('/api/rest/hosts/:pk', async (request, reply) => {
  const { description } = request.body
  if (typeof description !== 'string') return reply.code(400).send()
  const host = await data.update(request.params.pk, description, new Date().toISOString())
  return host ? sendRecord(reply, host, hostDocument(base, host)) : reply.code(404).send()
})

base = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(base)
process.on('SIGTERM', async () => {
  await data.close()
  process.exit(0)
})
