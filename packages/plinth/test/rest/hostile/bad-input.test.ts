// Each kind of bad input and what it gets: the status, the code, every fault by name. Nothing of it is ever written.

import { featureDatabases } from '@plinth/test-kit/databases'
import { freshCopy, make, startLibrary } from '@plinth/test-kit/library'
import type { Answer, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../../src/core/model/query.ts'
import { badBodies, badDocuments, badRemovals } from './bad-bodies.ts'
import { badHeaders, badQueries } from './bad-queries.ts'
import type { Bad, Known } from './bad-request.ts'

/**
 * Returns the code of the problem, which every error object carries in JSON:API (that of the fault is in its `meta`).
 */
const codeOf = ({ body }: Answer): string | undefined => {
  const codes = new Set<string | undefined>(body?.errors?.map((fault: { code?: string }) => fault.code))
  return body?.code ?? (codes.size > 0 ? [...codes].join(' and ') : undefined)
}

const faultsOf = ({ body }: Answer): string[] =>
  (body?.errors ?? []).map((fault: { pointer?: string; parameter?: string; source?: { pointer?: string } }) =>
    String(fault.pointer ?? fault.parameter ?? fault.source?.pointer),
  )

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let known: Known
  /** All data after the last request. The next request must leave them unchanged. */
  let kept: string
  beforeAll(async () => {
    service = await startLibrary(database)
    const admin = service.as('admin')
    // Signing in for the first time is written down.
    await service.as('simple').get('/api/rest/books')
    const shelf = await make(admin, 'shelves', { name: 'A' })
    const book = await make(admin, 'books', { title: 'First', shelf: shelf.pk, accession: 'a-1' })
    const copy = freshCopy()
    await make(admin, 'copies', { pk: copy, book: book.pk })
    known = { book: book.pk, shelf: shelf.pk, copy }
    kept = await contents()
  })
  afterAll(() => service?.stop())

  /** All that is kept: every record of every resource, and the keys of repeated requests. */
  const contents = async (): Promise<string> => {
    const { registry, store } = service.app.platform
    const lines: string[] = []
    for (const resource of registry.resources) {
      if (resource.definition.internal && resource.name !== 'idempotencyKeys') continue
      for await (const batch of store.stream(resource, everything(resource))) lines.push(JSON.stringify(batch))
    }
    return lines.join('\n')
  }

  const send = ({ ask, as = 'admin', type = 'application/json', accept = 'application/json', headers, body }: Bad) => {
    const [method = '', path = ''] = (typeof ask === 'string' ? ask : ask(known)).split(' ')
    const content = typeof body === 'function' ? body(known) : body
    return service.as(as)(path, {
      method,
      headers: { Accept: accept, ...(body !== undefined && { 'Content-Type': type }), ...headers },
      ...(content !== undefined && { body: content }),
    })
  }

  describe.each([
    ['bodies', badBodies],
    ['removals', badRemovals],
    ['documents', badDocuments],
    ['queries', badQueries],
    ['headers', badHeaders],
  ])('%s', (_, table) => {
    test.each(Object.entries(table))('%s', async (_title, bad) => {
      const before = kept
      const answer = await send(bad)
      kept = await contents()
      expect([answer.status, codeOf(answer), answer.text]).toEqual([bad.status, bad.code, answer.text])
      if (bad.faults) expect(faultsOf(answer).sort()).toEqual([...bad.faults].sort())
      expect(kept).toBe(before)
    })
  })
})
