// How many records a list has, where the service estimates the number of many.

import { testAll } from '@plinth/test-kit/extent'
import { arrive, patience, type Visitor } from '@plinth/test-kit/visitor'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig(patience)

let visitor: Visitor
beforeAll(async () => {
  visitor = await arrive({ settings: { 'app.api.exactTotalLimit': '50' } })
  await visitor.signIn('admin')
})
afterAll(() => visitor.leave())

const total = () => visitor.page.getByRole('main').getByRole('status').first()
const totalOf = async (query: string) => {
  const answer = await visitor.service
    .as('admin')
    .get(`/api/rest/countries?_ps=1${query}`, { Accept: 'application/json' })
  return answer.body.page
}

test('an estimate stays, and says so, where counting is too costly', async () => {
  const { page } = visitor
  const problem = { type: 'about:blank', title: 'Too costly', status: 400, code: 'too_costly' }
  onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
  await page.route('**/api/rest/countries?*_total=exact*', route =>
    route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  )
  await visitor.visit('/resources/countries')
  const { totalElements } = await totalOf('')
  await total().getByText(`About ${totalElements} records`, { exact: true }).waitFor()
  await page.locator('tr[aria-rowindex="3"] a').waitFor()
})

// After the refusal: the client would not ask again for a number that it knows.
testAll('an estimate is replaced by the number of records', async () => {
  expect(await totalOf('')).toMatchObject({ estimated: true })
  await visitor.visit('/resources/countries')
  const { totalElements } = await totalOf('&_total=exact')
  await total().getByText(`${totalElements} records`, { exact: true }).waitFor()
})
