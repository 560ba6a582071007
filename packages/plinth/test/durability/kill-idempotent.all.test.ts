// A service that is killed under load: requests that are repeated with their Idempotency-Key are answered after the restart.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { extent } from '../support/extent.ts'
import { createDatabase } from '../support/postgres.ts'
import { emptyFolder, launch, type ServiceProcess } from '../support/service-process.ts'
import { asJson } from './localities.ts'

const kills = extent(2, 15)
const writers = 4
/** The promise: this long after the restart no key is in progress any more. */
const graceMs = 2000

const create = ({ admin }: ServiceProcess, username: string) =>
  // The hash of the password is made between the claim of the key and the commit: most kills leave claims behind.
  admin.post(
    '/api/rest/users',
    { username, password: 'horse staple battery' },
    { ...asJson, 'Idempotency-Key': username },
  )

/** Creates users until the process dies. Gives the one whose answer was lost. */
const untilItDies = async (service: ServiceProcess, name: string, acknowledged: () => void): Promise<string> => {
  for (let at = 0; ; at++) {
    const username = `${name}-${at}`
    const answer = await create(service, username).catch(() => null)
    if (answer === null) return username
    expect([answer.status, answer.text]).toEqual([201, answer.text])
    acknowledged()
  }
}

/** Repeats a lost request until it succeeds. Returns when the last one answered `in_progress` was sent, or 0. */
const repeat = async (service: ServiceProcess, username: string, ready: number): Promise<number> => {
  for (let inProgressAt = 0; ; ) {
    const sent = performance.now() - ready
    const answer = await create(service, username)
    if (answer.body.code !== 'in_progress') {
      expect([answer.status, answer.text]).toEqual([201, answer.text])
      return inProgressAt
    }
    inProgressAt = sent
    await pause(50)
  }
}

describe.each(databases)('on %s', database => {
  test('no key is in progress after a restart', { timeout: 600_000 }, async () => {
    const folder = await emptyFolder()
    const url = database === 'postgres' ? await createDatabase(inject('postgresUrl')) : ''
    // On a busy machine, requests would be refused as overloaded.
    const settings = { 'app.modules': '', 'app.database.url': url, 'app.api.maxEventLoopLag': '0' }
    const start = () => launch({ folder, settings })
    let service = await start()
    for (let round = 0; round < kills; round++) {
      let acknowledged = 0
      const dying = Promise.all(
        Array.from({ length: writers }, (_, writer) =>
          untilItDies(service, `r${round}w${writer}`, () => {
            acknowledged += 1
          }),
        ),
      )
      while (acknowledged < writers) await Promise.race([pause(5), dying])
      await pause(Math.random() * 100)
      await service.end('SIGKILL')
      const lost = await dying
      service = await start()
      const ready = performance.now()
      const waits = await Promise.all(lost.map(username => repeat(service, username, ready)))
      expect(waits.filter(ms => ms > graceMs)).toEqual([])
    }
    expect(await service.end('SIGTERM')).toBe(0)
  })
})
