// What HTTP clients expect beside the bodies: which patches are accepted, which preference was applied, tags without bodies, links of
// pages as headers.

import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh, make, speaking, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const patchTypes = 'application/json, application/hal+json, application/vnd.api+json, application/merge-patch+json'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let path: string
  beforeAll(async () => {
    service = await startLibrary(database)
    staff = service.as('staff')
    path = `/api/rest/books/${(await make(staff, 'books', { title: 'T', pages: 1 })).pk}`
  })
  afterAll(() => service.stop())

  describe('Accept-Patch (RFC 5789)', () => {
    test('OPTIONS names the media types of patches, where there are patches', async () => {
      const patchesAt = async (address: string) =>
        (await staff(address, { method: 'OPTIONS' })).headers.get('accept-patch')
      expect(await patchesAt(path)).toBe(patchTypes)
      expect(await patchesAt(`${path}/relationships/shelf`)).toBe(patchTypes)
      expect(await patchesAt('/api/rest/books')).toBeNull()
    })

    test('a patch of another type is refused with the types that are accepted', async () => {
      const refused = await staff.patch(path, '[]', { 'Content-Type': 'application/json-patch+json' })
      expect([refused.status, refused.headers.get('accept-patch')]).toEqual([415, patchTypes])
      expect(refused.body.detail).toBe(
        'Send application/json, application/hal+json, application/vnd.api+json or application/merge-patch+json.',
      )
      const put = await staff.put(path, '[]', { 'Content-Type': 'text/csv' })
      expect([put.status, put.headers.get('accept-patch')]).toEqual([415, null])
      expect(put.body.detail).toBe('Send application/json, application/hal+json or application/vnd.api+json.')
    })
  })

  describe('Prefer (RFC 7240)', () => {
    const applied = { minimal: 'return=minimal', representation: 'return=representation' }

    test.each([
      ['return=minimal', 204, applied.minimal],
      ['RETURN = "minimal"; foo=bar', 204, applied.minimal],
      ['respond-async, return=minimal, return=representation', 204, applied.minimal],
      ['return=representation', 200, applied.representation],
      ['return=representation, return=minimal', 200, applied.representation],
      ['return=minimalist', 200, null],
      ['x="return=minimal"', 200, null],
      ['handling=strict', 200, null],
    ])('%s: %i, applied: %s', async (prefer, status, preference) => {
      const answer = await staff.patch(path, { blurb: fresh('text') }, { Prefer: prefer })
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([status, preference])
    })

    test('a representation is returned even if nothing changed', async () => {
      const { body } = await staff.get(path)
      const unchanged = { blurb: body.blurb }
      expect((await staff.patch(path, unchanged)).status).toBe(204)
      const answer = await staff.patch(path, unchanged, { Prefer: 'return=representation' })
      expect([answer.status, answer.body.version]).toEqual([200, body.version])
      expect(answer.headers.get('preference-applied')).toBe(applied.representation)
    })

    test('several new records are answered by the preference too', async () => {
      const list = [{ title: fresh('a') }, { title: fresh('b') }]
      const answer = await staff.post('/api/rest/books', list, { Prefer: 'return=minimal' })
      expect([answer.status, answer.text, answer.headers.get('preference-applied')]).toEqual([201, '', applied.minimal])
    })
  })

  describe('a response without a body has the tag of the record', () => {
    const minimal = { Prefer: 'return=minimal' }
    const tagAt = async (address: string, headers = {}) => (await staff.get(address, headers)).headers.get('etag')

    test('after a patch, a replacement and a creation', async () => {
      const patched = await staff.patch(path, { blurb: fresh('text') }, minimal)
      expect([patched.status, patched.headers.get('etag')]).toEqual([204, await tagAt(path)])
      const replaced = await staff.put(path, { title: fresh('title') }, minimal)
      expect([replaced.status, replaced.headers.get('etag')]).toEqual([204, await tagAt(path)])
      const created = await staff.post('/api/rest/books', { title: fresh('new') }, minimal)
      const address = new URL(created.headers.get('location') ?? '').pathname
      expect([created.status, created.headers.get('etag')]).toEqual([201, await tagAt(address)])
    })

    test('in the format of the request, and for the next change', async () => {
      const attributes = { blurb: fresh('text') }
      const document = { data: { type: 'books', id: path.split('/').at(-1), attributes } }
      const patched = await staff.patch(path, document, { ...speaking, ...minimal })
      const tag = patched.headers.get('etag') ?? ''
      expect(tag).toBe(await tagAt(path, { Accept: speaking.Accept }))
      expect((await staff.patch(path, { pages: 7 }, { ...minimal, 'If-Match': tag })).status).toBe(204)
      expect((await staff.patch(path, { pages: 8 }, { ...minimal, 'If-Match': tag })).status).toBe(412)
    })

    test('when nothing changed', async () => {
      const { body } = await staff.get(path)
      const unchanged = await staff.patch(path, { blurb: body.blurb })
      expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([204, await tagAt(path)])
    })
  })

  describe('Link (RFC 8288)', () => {
    const linksIn = (header: string | null): Record<string, string> =>
      Object.fromEntries(
        [...(header ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, address = '', rel = '']) => [rel, address]),
      )

    test.each(['application/json', 'application/hal+json', 'application/vnd.api+json', 'application/xml'])(
      'a page in %s has its links as a header, which lead through all pages',
      async accept => {
        const list = Array.from({ length: 5 }, () => ({ title: fresh('link & <co>') }))
        await staff.post('/api/rest/books', list)
        const start = '/api/rest/books?filter=title==link*&_ps=2'
        const total = Number((await staff.get(start)).headers.get('x-total-count'))
        let [address, pages]: [string | undefined, number] = [service.url + start, 0]
        while (address !== undefined) {
          const { headers } = await staff.get(address.slice(service.url.length), { Accept: accept })
          const links = linksIn(headers.get('link'))
          const isLast: boolean = (pages + 1) * 2 >= total
          expect(Object.keys(links)).toEqual([
            ...(isLast ? [] : ['next']),
            ...(pages === 0 ? [] : ['prev']),
            ...['first', 'last'],
          ])
          pages += 1
          address = links.next
        }
        expect(pages).toBe(Math.ceil(total / 2))
      },
    )

    test('the links are those of the body', async () => {
      const { headers, body } = await staff.get('/api/rest/books?_ps=1&_pn=1')
      const { self: _, ...links } = Object.fromEntries(
        body.links.map(({ rel, href }: { rel: string; href: string }) => [rel, href]),
      )
      expect(linksIn(headers.get('link'))).toEqual(links)
    })

    test('what has no pages has none, and links that are too long for a header are left out', async () => {
      expect((await staff.get(path)).headers.get('link')).toBeNull()
      expect((await staff.get('/api/rest/books?page=no')).headers.get('link')).toBeNull()
      const many = `title!=${'x'.repeat(2500)}`
      const { status, headers, body } = await staff.get(`/api/rest/books?_ps=1&filter=${many}`)
      expect([status, headers.get('link')]).toEqual([200, null])
      expect(body.links.map(({ rel }: { rel: string }) => rel)).toEqual(['self', 'first', 'next', 'last'])
    })
  })

  test('a page that was reached by a cursor still has a last page', async () => {
    const follow = async (address: string, rel: string) => {
      const { body } = await staff.get(address, { Accept: 'application/hal+json' })
      return body._links[rel]?.href.slice(service.url.length)
    }
    const start = '/api/rest/books?_ps=2&sort=title'
    const second = await follow(start, 'next')
    const last = await follow(second, 'last')
    expect(last).toBe(await follow(start, 'last'))
    expect((await staff.get(last)).body.links.map(({ rel }: { rel: string }) => rel)).not.toContain('next')
    const estimated = await follow(await follow(`${start}&_total=estimated`, 'next'), 'last')
    expect((await staff.get(estimated)).body.content.at(-1)).toEqual((await staff.get(last)).body.content.at(-1))
  })

  test('a deprecated operation links to what it says about that, and names no day of its end', async () => {
    const { headers } = await staff.get('/api/rest/books/uischema')
    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(headers.get('link')).toBe('</docs/releases.html#deprecation>; rel="deprecation"; type="text/html"')
    expect(headers.get('sunset')).toBeNull()
  })
})
