// Business networks in a real browser: the operator decides, the member asks and amends, and both see the signed history.

import { extent, testAll } from '@plinth/test-kit/extent'
import { rewriteRows } from '@plinth/test-kit/rewrite-rows'
import { inLooks, type Look, openScreens, type Screens } from '@plinth/test-kit/screens'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const operatorPath = '/api/bnms/bnos/operator/memberships'
const memberPath = '/api/bnms/members/member/memberships'

let service: TestService
let screens: Screens
beforeAll(async () => {
  service = await startService('sqlite')
  screens = await openScreens(service)
  await screens.signIn('operator')
})
afterAll(async () => {
  await screens?.close()
  await service?.stop()
})

const request = (networkId: string, membershipMetadata: unknown = { role: 'buyer' }) =>
  service.as('operator').post(memberPath, { party: 'Demo Operator', networkId, membershipMetadata })

const activate = (networkId: string) => service.as('operator').put(operatorPath, { member: 'Demo Member', networkId })

interface ListedMembership {
  readonly linearId: string
  readonly status: string
  readonly reason: string | null
  readonly membershipMetadata: unknown
}

const membershipIn = async (networkId: string): Promise<ListedMembership> =>
  (await service.as('operator').get(`${operatorPath}?networkId=${networkId}`)).body[0]

test('a member asks for a membership with metadata', async () => {
  const { page, visit } = screens
  await visit('/network')
  await page.getByRole('link', { name: 'Open: Demo Member' }).click()
  await page.getByText('No membership yet').waitFor()
  await page.getByRole('button', { name: 'Request membership' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Network' }).fill('harvest')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await page.keyboard.type('role')
  await dialog.getByLabel('Value of field 1').fill('buyer')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByRole('button', { name: 'Remove field 2' }).click()
  expect(await page.locator(':focus').textContent()).toBe('Add field')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await page.getByRole('article', { name: 'Demo Operator' }).getByText('Pending').waitFor()
  expect(await membershipIn('harvest')).toMatchObject({ status: 'PENDING', membershipMetadata: { role: 'buyer' } })
})

test('the operator activates, and suspends only with a reason', async () => {
  const { page, visit } = screens
  await visit('/network/operator/decisions')
  await page.getByRole('button', { name: 'Activate Demo Member' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await page.getByText('Demo Member activated.').waitFor()
  await page.getByText('Active', { exact: true }).click()
  await page.getByRole('button', { name: 'Suspend Demo Member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('Fees are due')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('Demo Member suspended.').waitFor()
  expect(await membershipIn('harvest')).toMatchObject({ status: 'SUSPENDED', reason: 'Fees are due' })
})

testAll('the operator sees requests without loading the page again, and activates several together', async () => {
  const { page, visit } = screens
  await visit('/network/operator/decisions')
  await page.getByText('No pending requests').waitFor()
  await page.getByRole('img', { name: /^Live/ }).waitFor()
  for (const networkId of ['wool', 'tin', 'salt']) await request(networkId)
  await expect.poll(() => page.getByRole('button', { name: 'Activate Demo Member' }).count()).toBe(3)
  await page.getByLabel('Select all shown').click()
  await page.getByRole('button', { name: 'Activate 3 memberships' }).click()
  await page.getByRole('dialog').getByText('or none').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await page.getByText('3 memberships activated.').waitFor()
  for (const networkId of ['wool', 'tin', 'salt']) expect((await membershipIn(networkId)).status).toBe('ACTIVE')
})

testAll('requests are declined and memberships revoked for good', async () => {
  const { page, visit } = screens
  await request('lead')
  await visit('/network/operator/decisions')
  for (const [act, networkId, status] of [
    ['Decline', 'lead', 'DECLINED'],
    ['Revoke', 'salt', 'REVOKED'],
  ] as const) {
    if (act === 'Revoke') await visit('/network/operator/decisions?status=ACTIVE&network=salt')
    await page.getByRole('button', { name: `${act} Demo Member` }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('No more room')
    await page.getByRole('dialog').getByRole('button', { name: act }).click()
    await expect.poll(async () => (await membershipIn(networkId)).status).toBe(status)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

testAll('a decision on a request that was decided in the meantime is refused and explained', async () => {
  const { page, visit } = screens
  await request('iron')
  await visit('/network/operator/decisions?network=iron')
  await page.getByRole('button', { name: 'Decline Demo Member' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Too late')
  await activate('iron')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('dialog').getByText('This membership has changed in the meantime').waitFor()
  expect((await membershipIn('iron')).status).toBe('ACTIVE')
})

testAll('a member edits its metadata as JSON; invalid JSON is reported before it is sent', async () => {
  const { page, visit } = screens
  await visit(`/network/member/memberships/${(await membershipIn('wool')).linearId}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('JSON', { exact: true }).click()
  await dialog.getByLabel('Metadata as JSON').fill('{"role": ')
  await dialog.getByRole('button', { name: 'Save metadata' }).click()
  await dialog.getByText('Invalid JSON').waitFor()
  await dialog.getByLabel('Metadata as JSON').fill('{"role": "seller", "stores": 3}')
  await dialog.getByRole('button', { name: 'Save metadata' }).click()
  await page.getByText('Metadata saved.').waitFor()
  expect((await membershipIn('wool')).membershipMetadata).toEqual({ role: 'seller', stores: 3 })
  await page.getByText('Amended').waitFor()
})

test('the history says whether every signature is right, and when one is not', async () => {
  const { page, visit } = screens
  const { linearId } = await membershipIn('harvest')
  await visit(`/network/operator/decisions/${linearId}`)
  await page.getByText('All signatures are valid').waitFor()
  expect(await page.getByText('Signature valid').count()).toBe(3)
  await rewriteRows(service.app, 'membershipEntries', ({ node, entry }) => {
    const text = String(entry)
    const isMeant = node === 'operator' && text.includes(linearId) && text.includes('"PENDING"')
    return isMeant ? { entry: text.replace('buyer', 'owner') } : null
  })
  await page.reload()
  await page.getByRole('alert').getByText('This history has been tampered with').waitFor()
  expect(await page.getByText('Signature invalid').count()).toBe(1)
})

testAll('users who do not run the network see the nodes and the members, but cannot decide', async () => {
  const { page, signIn, visit } = screens
  await signIn('simple')
  await visit('/network/member/members')
  await page.getByRole('table').getByText('tin').waitFor()
  await visit('/network/operator')
  await page.getByRole('link', { name: 'My memberships' }).waitFor()
  expect(await page.getByRole('link', { name: 'Requests and decisions' }).count()).toBe(0)
  await visit('/network/operator/decisions')
  await page.getByText('Page not found').waitFor()
  await signIn('operator')
})

testAll('a node that does not answer is named in place', async () => {
  const { page, load } = screens
  await page.route('**/api/bnms/bnos/**', route =>
    route.fulfill({
      status: 503,
      headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '7' },
      body: JSON.stringify({ code: 'unavailable', detail: 'The node does not answer.' }),
    }),
  )
  await load('/network/operator/decisions')
  await page.getByRole('alert').getByText('Try again in 7 seconds.').waitFor()
  await page.unroute('**/api/bnms/bnos/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No pending requests').waitFor()
})

testAll('where nothing is published the page says so', async () => {
  const { page, load } = screens
  await page.route('**/api/bnms/nodes', route => route.fulfill({ status: 404, body: '' }))
  await load('/network')
  await page.getByText('Not available').waitFor()
  await page.unroute('**/api/bnms/nodes')
})

testAll.each(
  inLooks([
    ['/network', 'Demo Operator'],
    ['/network/operator/decisions?status=ALL', 'Revoked'],
    ['/network/member/memberships', 'Suspended'],
    ['/network/member/members', 'Refresh from operator'],
    ['history', 'tampered with'],
  ]),
)('$path is accessible and fits on a $look', async ({ look, path, text }) => {
  const { page, visit } = screens
  const { linearId } = await membershipIn('harvest')
  await visit(path === 'history' ? `/network/operator/decisions/${linearId}` : path, look)
  await page.getByRole('main').getByText(text).first().waitFor()
  await screens.expectAccessible()
  await screens.expectFitting()
})

testAll.each(extent<readonly Look[]>(['phone'], ['desktop', 'phone']))(
  'the dialogs are accessible and fit on a %s',
  async look => {
    const { page, visit } = screens
    await visit('/network/operator/decisions?status=ACTIVE&network=tin', look)
    await page.getByRole('button', { name: 'Suspend Demo Member' }).click()
    await page.getByRole('dialog').getByLabel('Reason').waitFor()
    await screens.expectAccessible()
    await page.keyboard.press('Escape')
    await visit('/network/member/memberships', look)
    await page.getByRole('button', { name: 'Request membership' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add field' }).click()
    await screens.expectAccessible()
    await screens.expectFitting()
  },
)

test('none of that sent requests to other hosts', () => {
  expect(screens.browser.foreign).toEqual([])
})
