// RFC 9457, 3.1.1: the address in `type` leads to a page that a person can read.

import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemsOf } from '../../src/core/module.ts'
import { inLanguage } from '../../src/core/text.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite')
})
afterAll(() => service?.stop())

test('the type of a problem is the address of its explanation', async () => {
  const { body } = await service.as('anonymous').get('/api/rest/countries?filter=(', { Accept: 'application/json' })
  const { origin, pathname, hash } = new URL(body.type)
  expect([origin, hash]).toEqual([service.url, '#bad_filter'])
  const page = await service.as('anonymous').get(pathname)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const [code, { status, title }] of Object.entries(problemsOf(modules)))
    expect(page.text).toContain(`<dt id="${code}"><code>${code}</code> ${status} ${inLanguage(title, 'en')}</dt>`)
  expect(page.text).toContain(
    '<tr><td><code>max_decimals</code></td><td>must have at most {max} decimal places</td></tr>',
  )
  expect(page.text).toContain('The <code>filter</code> has a syntax error; <code>errors</code> has the position.')
})
