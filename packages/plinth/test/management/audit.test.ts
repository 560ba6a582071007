// Reads are written down, and the trail can be searched after a restart.

import { rm } from 'node:fs/promises'
import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from './paths.ts'

interface Event {
  readonly timestamp: string
  readonly principal: string
  readonly type: string
  readonly data: Record<string, string>
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let now = new Date('2031-05-06T07:00:00Z')
  beforeAll(async () => {
    service = await startService(database, { clock: () => now, settings: { 'app.modules': '' } })
  })
  afterAll(() => service.stop())

  const events = async (query = ''): Promise<Event[]> => {
    const { status, text, body } = await service.as('admin').get(`${root}/auditevents${query}`)
    expect([status, body === undefined ? text : 'JSON']).toEqual([200, 'JSON'])
    return body.events
  }

  test('who reads what is written down', async () => {
    await service.as('admin').get(`${root}/beans`)
    expect(await events()).toContainEqual({
      timestamp: '2031-05-06T07:00:00.000Z',
      principal: 'admin',
      type: 'MANAGEMENT_READ',
      data: { address: '127.0.0.1', method: 'GET', path: `${root}/beans` },
    })
  })

  test('so is who is refused', async () => {
    await service.as('simple').get(`${root}/beans`)
    expect(await events('?principal=simple')).toContainEqual(
      expect.objectContaining({ principal: 'simple', type: 'AUTHORIZATION_FAILURE' }),
    )
  })

  test('what programs ask again and again is written down once a minute', async () => {
    const polls = async () =>
      (await events('?type=MANAGEMENT_READ')).filter(({ data }) => data.path === `${root}/metrics`).length
    const before = await polls()
    for (let count = 0; count < 3; count++) await service.as('admin').get(`${root}/metrics`)
    expect(await polls()).toBe(before + 1)
    now = new Date(now.getTime() + 60_000)
    await service.as('admin').get(`${root}/metrics`)
    expect(await polls()).toBe(before + 2)
  })

  test('the trail is narrowed by type, principal and time, oldest first', async () => {
    await service.as('admin').post(`${root}/loggers/http`, { configuredLevel: 'WARN' })
    const changes = await events('?type=LOG_LEVEL_CHANGED&principal=admin')
    expect(changes.map(({ type }) => type)).toEqual(['LOG_LEVEL_CHANGED'])
    expect(await events('?principal=nobody-of-this-name')).toEqual([])
    const later = new Date(now.getTime() + 3_600_000)
    now = later
    await service.as('admin').get(`${root}/dump`)
    const recent = await events(`?after=${later.toISOString()}`)
    expect(new Set(recent.map(({ timestamp }) => timestamp))).toEqual(new Set([later.toISOString()]))
    const withOffset = later.toISOString().replace('Z', '+00:00')
    expect((await events(`?after=${encodeURIComponent(withOffset)}`)).length).toBeGreaterThanOrEqual(recent.length)
    const all = (await events()).map(({ timestamp }) => timestamp)
    expect(all).toEqual([...all].sort())
  })

  test.each(['yesterday', '', '2031-13-01', '%00'])('after=%s is refused', async after => {
    const answer = await service.as('admin').get(`${root}/auditevents?after=${after}`)
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_parameter'])
  })

  test('filters are values, never part of a statement', async () => {
    for (const text of ["' OR 1=1 --", '%', '*', '\\', 'x'.repeat(5000)]) {
      const answer = await service.as('admin').get(`${root}/auditevents?type=${encodeURIComponent(text)}`)
      expect([text.slice(0, 20), answer.status, answer.body.events]).toEqual([text.slice(0, 20), 200, []])
    }
  })

  test('the trail survives a restart', async () => {
    const before = await events()
    const { folder, database: url } = service
    await service.app.close()
    service = await startService(database, {
      clock: () => now,
      settings: { 'app.modules': '', 'app.dataDir': folder, 'app.database.url': url },
    })
    onTestFinished(() => rm(folder, { recursive: true }))
    expect((await events()).slice(0, before.length)).toEqual(before)
  })
})

test.each(featureDatabases(import.meta.url))(
  'on %s, what is older than it is to be kept is deleted, unless that is turned off',
  async database => {
    const day = 24 * 3_600_000
    let now = new Date('2031-05-06T07:00:00Z')
    const first = await startService(database, { clock: () => now, settings: { 'app.modules': '' } })
    const kept = { 'app.modules': '', 'app.dataDir': first.folder, 'app.database.url': first.database }
    onTestFinished(() => rm(first.folder, { recursive: true }))
    const eventsOf = async (service: TestService): Promise<Event[]> =>
      (await service.as('admin').get(`${root}/auditevents`)).body.events
    const old = await eventsOf(first)
    await first.app.close()

    now = new Date(now.getTime() + 400 * day)
    const recent = now.toISOString()
    const second = await startService(database, { clock: () => now, settings: { ...kept, 'app.audit.keepDays': '0' } })
    expect((await eventsOf(second)).slice(0, old.length)).toEqual(old)
    await second.stop()

    now = new Date(now.getTime() + 29 * day)
    const third = await startService(database, { clock: () => now, settings: { ...kept, 'app.audit.keepDays': '30' } })
    onTestFinished(() => third.stop())
    await expect.poll(async () => (await eventsOf(third))[0]?.timestamp, { timeout: 30_000 }).toBe(recent)
  },
)
