// Errors in management, in a real browser: those that are reported while the page is read, away or incomplete.

import { openScreens, type Screens } from '@plinth/test-kit/screens'
import { startService, type TestService } from '@plinth/test-kit/service'
import { until } from '@plinth/test-kit/waiting'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { json, openManagement } from './scene.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

let service: TestService
let screens: Screens
let logPk: string
beforeAll(async () => {
  ;({ service, screens, logPk } = await openManagement())
})
afterAll(async () => {
  await screens?.close()
  await service?.stop()
})

test('the errors of clients are counted where no failure of the service is known', async () => {
  const fresh = await startService('sqlite')
  const other = await openScreens(fresh)
  try {
    await other.signIn('admin')
    await other.visit('/management/errors')
    await other.page.getByText('No errors', { exact: true }).waitFor()
    await fresh.as('anonymous').post('/api/rest/clientErrors', { message: 'TypeError: of a client' }, json)
    await other.page.getByText('1 error was reported.').waitFor()
    expect(await other.page.getByText('No errors', { exact: true }).count()).toBe(0)
    await other.page.getByRole('radio', { name: 'Grouped 0' }).waitFor({ state: 'attached' })
    await other.page.getByRole('radio', { name: 'All errors 1' }).waitFor({ state: 'attached' })
    await other.page.getByRole('button', { name: 'Show all errors' }).click()
    await other.page.getByRole('link', { name: 'TypeError: of a client' }).waitFor()
  } finally {
    await other.close()
    await fresh.stop()
  }
})

test('an error that is reported while the list is first read appears', async () => {
  const { page, load } = screens
  const [sent, messages]: [string[], string[]] = [[], []]
  page.on('websocket', socket => {
    socket.on('framesent', ({ payload }) => sent.push(String(payload)))
    socket.on('framereceived', ({ payload }) => messages.push(String(payload)))
  })
  /** Returns the receipt of the subscription to errors. */
  const receipt = () =>
    /^receipt:(.*)$/m.exec(sent.find(one => one.startsWith('SUBSCRIBE') && one.includes('allErrors')) ?? '')?.[1]
  const received = (text: string) => until(`a message with ${text}`, () => messages.some(one => one.includes(text)))
  let isFirst = true
  await page.route(/\/api\/rest\/allErrors\?.*sort/, async route => {
    const response = await route.fetch()
    if (isFirst) {
      isFirst = false
      await received(`receipt-id:${await until('a subscription to errors', receipt)}\n`)
      await service.as('anonymous').post('/api/rest/clientErrors', { message: 'RangeError: too late' }, json)
      await received('too late')
    }
    await route.fulfill({ response })
  })
  onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
  await load('/management/errors?view=each')
  await page.getByRole('link', { name: 'RangeError: too late' }).waitFor()
})

test('what happens between the first look and the first news of it is seen too', async () => {
  const { page, load } = screens
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  // The library of the connection.
  const news = /assets\/esm[^/]*\.js$/
  await page.route(news, async route => {
    await gate
    await route.continue()
  })
  await load('/management/errors?view=each')
  await page.getByRole('link', { name: 'It failed' }).waitFor()
  await service.as('anonymous').post('/api/rest/clientErrors', { message: 'EvalError: unheard' }, json)
  expect(await page.getByRole('link', { name: 'EvalError: unheard' }).count()).toBe(0)
  release()
  await page.getByRole('link', { name: 'EvalError: unheard' }).waitFor()
  await page.unroute(news)
})

test('an error reported while another page was open is listed on return', async () => {
  const { page, visit } = screens
  await visit('/management/errors?view=each')
  await page.getByRole('link', { name: 'It failed' }).waitFor()
  await page.getByRole('img', { name: /^Live/ }).waitFor()
  await page.getByRole('link', { name: 'E-mails', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'ada@example.org' }).waitFor()
  await service.as('anonymous').post('/api/rest/clientErrors', { message: 'URIError: elsewhere' }, json)
  await page.goBack()
  await page.getByRole('link', { name: 'URIError: elsewhere' }).waitFor()
})

test('what is listed stays in sight when more of it does not come, and comes when asked again', async () => {
  const { page, visit } = screens
  const faults = Array.from({ length: 60 }, (_, at) => ({ message: `Fault ${at}`, requestUrl: '/', errorLog: logPk }))
  for (const fault of faults) await service.as('admin').post('/api/rest/systemErrors', fault, json)
  await visit('/management/errors?view=each')
  await page.getByRole('link', { name: 'Fault 59' }).waitFor()
  const later = /allErrors\?.*_after=[^&]/
  await page.route(later, route => route.abort())
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('alert').getByText('The service is not responding').waitFor()
  expect(await page.getByRole('link', { name: 'Fault 59' }).isVisible()).toBe(true)
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Try again')
  await page.unroute(later)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Fault 0', exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})
