// Pages of records with long texts: they are read where they hold up no others, sent in pieces, and are what a short page would be.

import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, testAll } from '@plinth/test-kit/extent'
import { fetchRaw } from '@plinth/test-kit/fetch-raw'
import { allModules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModule, defineResource, longText, text } from '../../src/index.ts'

const essays = defineResource('essays', {
  about: 'Long texts.',
  label: 'title',
  fields: { title: text({ required: true }), body: longText({ max: 100_000 }) },
  access: { read: 'true', write: 'caller.signedIn' },
})
const library = defineModule({ name: 'library', about: 'Texts.', resources: [essays] })

const count = 120
/** Letters of more than one byte, quotes that are escaped. */
const bodyOf = (at: number): string => `«${at}» "ä€" `.repeat(4000)
const titleOf = (at: number): string => `Essay ${String(at).padStart(4, '0')}`

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...allModules, library],
      // The process for slow searches starts from source here, beside other tests.
      settings: { 'app.api.queryTimeout': '100' },
    })
    const now = new Date().toISOString()
    await service.app.platform.store.transaction(async tx => {
      for (let from = 0; from < count; from += 40) {
        const records = Array.from({ length: 40 }, (_, at) => ({
          pk: `e${from + at}`,
          values: { title: titleOf(from + at), body: bodyOf(from + at), createdDate: now, lastModifiedDate: now },
        }))
        await tx.insertAll(tx.resource('essays'), records)
      }
    })
  })
  afterAll(() => service.stop())

  const send = (search: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetchRaw(`${service.url}/api/rest/essays?${search}`, { Accept: 'application/json', ...headers }, { method })

  const expectAll = (answer: Buffer, order: 'up' | 'down') => {
    const { content } = JSON.parse(answer.toString())
    const expected = Array.from({ length: count }, (_, at) => (order === 'up' ? at : count - 1 - at))
    expect(content.map(({ title }: { title: string }) => title)).toEqual(expected.map(titleOf))
    const wrong = content.filter(({ body }: { body: string }, at: number) => body !== bodyOf(expected[at] ?? -1))
    expect(wrong).toHaveLength(0)
  }

  test.each(
    everyThird([
      ['in the order of a field', 'sort=-title&_ps=500', 'down'],
      ['in the order of long texts', 'sort=body,title&filter=title==Essay*&_ps=500', null],
      ['the whole collection', 'sort=title&page=no', 'up'],
    ] as const),
  )('%s, all texts arrive as they are', async (_, search, order) => {
    for (const round of [1, 2]) {
      const { status, bytes } = await send(search)
      expect([round, status]).toEqual([round, 200])
      if (order) expectAll(bytes, order)
      else expect(JSON.parse(bytes.toString()).content).toHaveLength(count)
    }
  })

  testAll('the length, the tag and the compressed form are those of the whole', async () => {
    const search = 'sort=-title&_ps=500'
    const { headers, bytes } = await send(search)
    expect(headers['content-length']).toBe(`${bytes.length}`)
    expect(headers['transfer-encoding']).toBe(undefined)
    const again = await send(search, { 'If-None-Match': String(headers.etag) })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    const head = await send(search, {}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([
      200,
      `${bytes.length}`,
      headers.etag,
    ])
    const small = await send(search, { 'Accept-Encoding': 'br' })
    const digest = (whole: Buffer) => createHash('sha256').update(whole).digest('hex')
    expect(digest(brotliDecompressSync(small.bytes))).toBe(digest(bytes))
  })

  test.runIf(database === 'sqlite')('such a page moves to a process, and a page of few stays', async () => {
    const slowReadsOf = async (search: string): Promise<number> => {
      const { store } = service.app.platform
      const before = store.slowReads
      expect((await send(search)).status).toBe(200)
      return store.slowReads - before
    }
    for (const round of [1, 2]) expect([round, await slowReadsOf('sort=pk&_ps=500&_total=none')]).toEqual([round, 1])
    expect(await slowReadsOf('sort=pk&_ps=2&_total=none')).toBe(0)
  })
})
