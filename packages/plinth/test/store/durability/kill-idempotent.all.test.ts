// A service is killed under load. After the restart, requests that are repeated with their Idempotency-Key succeed.

import { setTimeout as pause } from 'node:timers/promises'
import { databases } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { createDatabase } from '@plinth/test-kit/postgres'
import { createRandom } from '@plinth/test-kit/random'
import { emptyFolder, launch, type ServiceProcess } from '@plinth/test-kit/service-process'
import { describe, expect, inject, test } from 'vitest'
import { until, waitingFor } from '../../../src/testing/waiting.ts'
import { asJson } from './localities.ts'

const kills = extent(2, 15)
const writers = 4
/** The milliseconds of grace, far less than the minute after which a claim expires by itself. */
const graceMs = 20_000

const create = ({ admin }: ServiceProcess, username: string) =>
  // The hash of the password is made between the claim of the key and the commit: most kills leave claims behind.
  admin.post(
    '/api/rest/users',
    { username, password: 'horse staple battery' },
    { ...asJson, 'Idempotency-Key': username },
  )

/** Creates users until the process dies. Returns the one whose response was lost. */
const untilItDies = async (service: ServiceProcess, name: string, acknowledged: () => void): Promise<string> => {
  for (let at = 0; ; at++) {
    const username = `${name}-${at}`
    const answer = await create(service, username).catch(() => null)
    if (answer === null) return username
    expect(answer).toHaveStatus(201)
    acknowledged()
  }
}

/** Repeats a lost request until it succeeds. Returns when the last request refused as `in_progress` was sent, or 0. */
const repeat = async (service: ServiceProcess, username: string, ready: number): Promise<number> => {
  let inProgressAt = 0
  const answer = await until(`user ${username} to be created`, async () => {
    const sent = performance.now() - ready
    const response = await create(service, username)
    if (response.body.code !== 'in_progress') return response
    inProgressAt = sent
    return null
  })
  expect(answer).toHaveStatus(201)
  return inProgressAt
}

describe.each(databases)('on %s', database => {
  test('no key is in progress after a restart', { timeout: 600_000 }, async () => {
    const folder = await emptyFolder()
    const url = database === 'postgres' ? await createDatabase(inject('postgresUrl')) : ''
    // On a busy machine, requests would be refused as overloaded.
    const settings = { 'app.modules': '', 'app.database.url': url, 'app.api.maxEventLoopLag': '0' }
    const start = () => launch({ folder, settings })
    const random = createRandom()
    let service = await start()
    let longest = 0
    for (let round = 0; round < kills; round++) {
      let acknowledged = 0
      const dying = Promise.all(
        Array.from({ length: writers }, (_, writer) =>
          untilItDies(service, `r${round}w${writer}`, () => {
            acknowledged += 1
          }),
        ),
      )
      await Promise.race([until('the first acknowledged users', () => acknowledged >= writers), dying])
      await pause(random.next() * 100)
      await service.end('SIGKILL')
      const lost = await waitingFor('the writers to lose the service', dying)
      service = await start()
      const ready = performance.now()
      const waits = await Promise.all(lost.map(username => repeat(service, username, ready)))
      longest = Math.max(longest, ...waits)
    }
    console.log(`${kills} kills; the longest time after a restart with a key in progress was ${Math.ceil(longest)} ms`)
    expect(longest).toBeLessThan(graceMs)
    expect(await service.end('SIGTERM')).toBe(0)
  })
})
