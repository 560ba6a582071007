// Friends in a real browser: finding, asking, accepting, blocking, who is there, and invitations.

import { testAll } from '@plinth/test-kit/extent'
import { inLooks, openScreens, type Screens } from '@plinth/test-kit/screens'
import { startService, type TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { waitingFor } from '@plinth/test-kit/waiting'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const pks = {
  admin: '00000000-0000-7000-8000-000000000001',
  staff: '00000000-0000-7000-8000-000000000003',
  client: '00000000-0000-7000-8000-000000000004',
  simple: '00000000-0000-7000-8000-000000000005',
} as const

let service: TestService
let screens: Screens
beforeAll(async () => {
  service = await startService('sqlite')
  screens = await openScreens(service)
})
afterAll(async () => {
  await screens?.close()
  await service?.stop()
})

const state = async (owner: keyof typeof pks, friend: keyof typeof pks): Promise<string | null> => {
  const path = `/api/rest/friendships/${pks[owner]}_${pks[friend]}`
  const { status, body } = await service.as(owner).get(path, { Accept: 'application/json' })
  return status === 200 ? body.status : null
}

testAll('a person is found by part of the name, asked, and the question withdrawn', async () => {
  const { page, signIn, visit } = screens
  await signIn('client')
  await visit('/friends')
  await page.getByText('No friends yet').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Find people' }).last().click()
  await page.getByLabel('Name, username or e-mail address').fill('stel aff')
  await page.getByRole('button', { name: 'Add Stella Affleck as a friend' }).click()
  await page.getByText('Friend request sent to Stella Affleck.').waitFor()
  expect(await state('staff', 'client')).toBe('PENDING')
  await page.getByRole('button', { name: 'Cancel the friend request to Stella Affleck' }).click()
  await page.getByRole('button', { name: 'Add Stella Affleck as a friend' }).waitFor()
  expect(await state('staff', 'client')).toBeNull()
})

testAll('strangers do not see who is online', async () => {
  const { page, signIn, visit } = screens
  await signIn('client')
  const other = await connect(service.url, credentialsOf('simple'))
  onTestFinished(() => other.drop())
  await visit('/friends/find')
  await page.getByLabel('Name, username or e-mail address').fill('simone')
  await page.getByRole('link', { name: 'Simone Plesk' }).waitFor()
  expect(
    await page
      .getByRole('main')
      .getByText(/online|offline/)
      .count(),
  ).toBe(0)
  await page.getByRole('link', { name: 'Simone Plesk' }).click()
  await page.getByRole('heading', { level: 1, name: 'Simone Plesk' }).waitFor()
  expect(
    await page
      .getByRole('main')
      .getByText(/online|offline|Last seen/)
      .count(),
  ).toBe(0)
})

testAll('what means something to the filter language is searched for as it is', async () => {
  const { page, visit } = screens
  await visit('/friends/find')
  for (const text of ['*"', 'a;b,(c', '%%']) {
    await page.getByLabel('Name, username or e-mail address').fill(text)
    await page.getByText('No one found').waitFor()
  }
})

test('a question arrives while one looks, and is accepted; who comes and goes is seen at once', async () => {
  const { page, signIn, visit, load } = screens
  await signIn('staff')
  await visit('/friends/requests')
  await page.getByText('No friend requests').waitFor()
  await page.getByRole('img', { name: /^Live/ }).waitFor()
  await service.as('client').post('/api/rest/friendships', { friend: pks.staff })
  await page.getByRole('log').getByText('Clive Entwhistle sent you a friend request.').waitFor()
  await page.getByRole('img', { name: '1 friend request' }).waitFor()
  await page.getByRole('button', { name: /^Accept/ }).click()
  await page.getByText('No friend requests').waitFor()
  expect(await state('client', 'staff')).toBe('CONFIRMED')
  await page.getByRole('link', { name: 'Friends', exact: true }).last().click()
  const friend = page.getByRole('list', { name: 'Friends' }).getByRole('listitem')
  await friend.getByText('offline').waitFor()
  const other = await connect(service.url, credentialsOf('client'))
  onTestFinished(() => other.drop())
  await friend.getByText('online').waitFor()
  const news = page.getByRole('log')
  await news.getByText('Clive Entwhistle is online.').waitFor()
  expect(await news.getByText('has changed their profile').count()).toBe(0)
  // A page that is loaded later knows it too.
  await load('/friends')
  await friend.getByText('online').waitFor()
  await friend.getByRole('link', { name: 'Clive Entwhistle' }).click()
  await page.getByRole('main').getByText('online', { exact: false }).first().waitFor()
  expect(await page.getByRole('main').getByText('offline').count()).toBe(0)
  await visit('/friends')
  await other.disconnect()
  await friend.getByText('offline').waitFor()
})

testAll('a friend who leaves while the list is being read is shown offline', async () => {
  const { page, browser, visit } = screens
  const other = await connect(service.url, credentialsOf('client'))
  onTestFinished(() => other.drop())
  await visit('/friends')
  const friend = page.getByRole('list', { name: 'Friends' }).getByRole('listitem')
  await friend.getByText('online').waitFor()
  await page.getByRole('img', { name: /^Live/ }).waitFor()
  await browser.settle()
  let markRead = (): void => {}
  let release = (): void => {}
  const isRead = new Promise<void>(resolve => {
    markRead = resolve
  })
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(/\/api\/rest\/friends\/my/, async route => {
    const response = await route.fetch()
    markRead()
    await released
    // The client may have given up this read for a later one.
    await route.fulfill({ response }).catch(() => {})
  })
  onTestFinished(async () => {
    release()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
  await service.as('client').patch(`/api/rest/users/${pks.client}`, { description: 'Away soon' })
  await waitingFor('the list of friends to be read again', isRead)
  await other.disconnect()
  await page.getByRole('log').getByText('Clive Entwhistle is offline.').waitFor()
  release()
  await browser.settle()
  expect(await friend.getByText('offline').count()).toBe(1)
})

testAll('blocking asks first, and can be taken back', async () => {
  const { page, visit } = screens
  await visit('/friends')
  await page.getByRole('button', { name: /^More actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Block' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('cannot send you friend requests').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toMatch(/^More actions for/)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Block' }).click()
  await dialog.getByRole('button', { name: 'Block' }).click()
  await page.getByText('No friends yet').waitFor()
  expect(await state('client', 'staff')).toBe('BLOCK_INVERSE')
  await page.getByRole('link', { name: 'Blocked' }).click()
  await page.getByRole('button', { name: /^Unblock/ }).click()
  await page.getByText('No blocked users').waitFor()
  expect(await state('client', 'staff')).toBeNull()
})

testAll('a change by another user in the meantime is explained, and the page shows the new state', async () => {
  const { page, visit } = screens
  await service.as('client').post('/api/rest/friendships', { friend: pks.staff })
  await visit('/friends/requests')
  const accept = page.getByRole('button', { name: /^Accept/ })
  await accept.waitFor()
  // The service notifies the page of the withdrawal, so the answer itself has to be late.
  await page.route('**/api/rest/friendships/**', async route => {
    await service.as('client').delete(`/api/rest/friendships/${pks.client}_${pks.staff}`)
    await route.continue()
  })
  await accept.click()
  await page.getByRole('alert').getByText('Not found').waitFor()
  await page.getByText('No friend requests').waitFor()
  await page.unroute('**/api/rest/friendships/**')
})

test('invitations tell what became of each address', async () => {
  const { page, visit } = screens
  await visit('/friends/invite')
  await page.getByLabel('E-mail addresses').fill('Ada Byron <ada@example.org>\nnobody at home, ada@example.org')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  const outcome = page.getByRole('status', { name: 'Results' })
  await outcome.waitFor()
  for (const text of ['1 invited', '1 already invited', '1 invalid address', 'nobody at home'])
    await outcome.getByText(text, { exact: true }).waitFor()
  const { body } = await service
    .as('admin')
    .get('/api/rest/mails?recipient=ada@example.org', { Accept: 'application/json' })
  expect(body.content.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['invitation'])
})

testAll('a service that fails is named in place, and asked again on demand', async () => {
  const { page, load } = screens
  let isFailing = true
  // Without realtime messages the page never asks again by itself.
  await page.routeWebSocket(/./, socket => {
    if (!isFailing) socket.connectToServer()
  })
  await page.route('**/api/rest/friends/**', route =>
    isFailing ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await load('/friends')
  await page.getByRole('alert').getByText('Something went wrong on our side').waitFor()
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No friends yet').waitFor()
  await page.unroute('**/api/rest/friends/**')
})

testAll.each(
  inLooks([
    ['/friends', 'Clive Entwhistle'],
    ['/friends/requests', 'Simone Plesk'],
    ['/friends/find', 'Search for people'],
    ['/friends/blocked', 'No blocked users'],
    ['/friends/invite', 'Invite people by e-mail'],
    [`/friends/people/${pks.client}`, 'Friends of Clive Entwhistle'],
  ]),
)('$path is accessible and fits on a $look', async ({ look, path, text }) => {
  const { page, signIn, visit } = screens
  await service.as('client').post('/api/rest/friendships', { friend: pks.staff })
  await service.as('staff').patch(`/api/rest/friendships/${pks.staff}_${pks.client}`, { status: 'CONFIRMED' })
  await service.as('simple').post('/api/rest/friendships', { friend: pks.staff })
  await signIn('staff')
  await visit(path, look)
  await page.getByRole('main').getByText(text).first().waitFor()
  await screens.expectAccessible()
  await screens.expectFitting()
})

test('none of that sent requests to other hosts', () => {
  expect(screens.browser.foreign).toEqual([])
})
