// Every new address is sent a mail. Users cannot make the service send an unlimited number of mails to strangers.

import { createClock, days } from '@plinth/test-kit/clock'
import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const own = '/api/rest/contactDetails/00000000-0000-7000-8000-000000000005'
const json = { 'Content-Type': 'application/json', Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  const clock = createClock()
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' }, clock: clock.now })
  })
  afterAll(() => service.stop())

  const enter = (email: string) => service.as('simple').patch(own, { primaryEmail: { email } }, json)
  const mailsTo = async (recipient: string): Promise<number> =>
    (await service.as('admin').get(`/api/rest/mails?recipient=${recipient}`, json)).body.page.totalElements

  test('twenty new addresses a day are taken, and no more', async () => {
    const victim = 'victim@example.org'
    const statuses: number[] = []
    for (let at = 0; at < 20; at++) statuses.push((await enter(at % 2 ? victim : 'other@example.org')).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const refused = await enter('third@example.org')
    expect([refused.status, refused.body.code, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      'too_many_requests',
      expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 86_400),
    ])
    expect((await service.as('simple').get(own, json)).body.primaryEmail.email).toBe(victim)
    expect([await mailsTo(victim), await mailsTo('third@example.org')]).toEqual([5, 0])
    // Whatever else there is to change is none of it.
    expect((await service.as('simple').patch(own, { primaryCellphone: { number: '5550100' } }, json)).status).toBe(200)
    clock.pass(1 * days)
    expect((await enter('third@example.org')).status).toBe(200)
  })
})
