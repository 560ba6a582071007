// The promise of the platform: a format is one file and one line in a list.

import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { input } from '../../src/core/describe/openapi.fixture.ts'
import { type JsonObject, toOpenApi } from '../../src/core/describe/openapi.ts'
import { alien, blank, films, firstPage } from '../../src/core/formats/example.fixture.ts'
import type { Format } from '../../src/core/formats/format.ts'
import { formats, formatsByName } from '../../src/core/formats/index.ts'
import { createNegotiation } from '../../src/core/formats/negotiate.ts'
import type { Request } from '../../src/core/http/exchange.ts'
import { etagOf } from '../../src/core/rest/etags.ts'
import { writeAnswer } from '../../src/core/rest/write-answer.ts'

/** What would be the new file: a JSON document on each line. */
const lines: Format = {
  name: 'lines',
  mediaType: 'application/x-ndjson',
  aliases: ['application/jsonl'],
  family: 'json',
  pageParameters: 'plain',
  item: ({ record }) => `${JSON.stringify(record)}\n`,
  page: () => ({
    open: () => '',
    records: batch => batch.map(record => `${JSON.stringify(record.pk)}\n`).join(''),
    close: () => '',
  }),
  entryPoint: resources => resources.map(({ name }) => `"${name}"\n`).join(''),
  problemType: 'application/problem+json',
  problem: document => JSON.stringify(document),
  read: body => ({
    pk: undefined,
    fields: body as Readonly<Record<string, unknown>>,
    pointer: field => `/${field}`,
    refusesUnknown: false,
  }),
}

const { json } = formatsByName
const { chooseFormat, chooseProblemFormat, formatOfBody, bodyTypes } = createNegotiation([...formats, lines])

test.each([
  ['application/x-ndjson', lines],
  ['application/jsonl', lines],
  ['application/json;q=0.5, application/x-ndjson;q=0.8', lines],
  ['application/json, application/x-ndjson;q=0.8', json],
  ['*/*', json],
])('a caller that accepts %s gets what it asks for', (accept, chosen) => {
  expect(chooseFormat(accept, json)).toBe(chosen)
})

test('problems are written as the format says', () => {
  expect(chooseProblemFormat('application/x-ndjson', lines)).toBe(lines)
  expect(chooseProblemFormat('application/x-ndjson, application/problem+xml', lines)).toBe(formatsByName.xml)
})

test('bodies are read by it, and callers learn that they may send them', () => {
  expect(formatOfBody('application/x-ndjson; charset=utf-8', json)).toEqual({
    format: lines,
    mergePatch: false,
    extended: false,
  })
  expect(formatOfBody('application/x-ndjson; charset=latin1', json)).toBeNull()
  expect(bodyTypes).toContain('application/x-ndjson')
})

test('answers are written by it: items, pages, and none for what is empty', async () => {
  const request = { method: 'GET', base: 'http://localhost', headers: {} } as Request
  const document = { view: films, record: alien, included: [] }
  const item = await writeAnswer({ kind: 'item', status: 200, document }, lines, request)
  expect([item.status, item.headers?.['Content-Type']]).toEqual([200, 'application/x-ndjson'])
  expect(item.headers).toHaveProperty('ETag')
  const batch = { records: [alien, blank], included: [] }
  const page = await writeAnswer({ kind: 'page', status: 200, document: firstPage, batch }, lines, request)
  expect(page.body).toBe('"f1"\n"f2"\n')
  const empty = await writeAnswer(
    { kind: 'item', status: 200, document: { ...document, record: null } },
    lines,
    request,
  )
  expect(empty.status).toBe(204)
})

test('a large page is written in several turns of the event loop, with the ETag of its body', async () => {
  const request = { method: 'GET', base: 'http://localhost', headers: {} } as Request
  const records = Array.from({ length: 500 }, (_, at) => ({ ...alien, pk: `f${at}` }))
  /** Takes longer for each piece than a turn may last. */
  const slow: Format = {
    ...lines,
    page: (document, base) => {
      const writer = lines.page(document, base)
      return {
        ...writer,
        records: (batch, included) => {
          const end = performance.now() + 6
          while (performance.now() < end);
          return writer.records(batch, included)
        },
      }
    },
  }
  let turns = 0
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const answer = { kind: 'page', status: 200, document: firstPage, batch: { records, included: [] } } as const
  const page = await writeAnswer(answer, slow, request)
  clearImmediate(counting)
  expect(turns).toBeGreaterThanOrEqual(9)
  const sent = page.body ?? ''
  const body = records.map(({ pk }) => `"${pk}"\n`).join('')
  expect(await text(Readable.from(sent))).toBe(body)
  expect(page.headers?.['Content-Length']).toBe(`${body.length}`)
  expect(page.headers?.ETag).toBe(etagOf('p', body))
})

test('the API description offers it for answers and bodies', () => {
  const { paths, components } = toOpenApi({ ...input, formats: [...formats, lines] }) as JsonObject & {
    paths: Record<string, { post: { requestBody: { content: object } } }>
    components: { responses: Record<string, { content: object }> }
  }
  const described = { schema: { type: 'string' } }
  expect(components.responses.FilmPageJ?.content).toHaveProperty(['application/x-ndjson'], described)
  expect(components.responses.FilmItemJ?.content).toHaveProperty(['application/x-ndjson'], described)
  expect(paths['/api/rest/films']?.post.requestBody.content).toHaveProperty(['application/x-ndjson'], described)
})

test('the list gives each format under its own name', () => {
  for (const [name, format] of Object.entries(formatsByName)) expect(format.name).toBe(name)
})
