// The process is killed in the middle of its work; what was acknowledged is there, and nothing is half done.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { databases } from '@plinth/test-kit/databases'
import { extent } from '@plinth/test-kit/extent'
import { createDatabase } from '@plinth/test-kit/postgres'
import { buildProgram, type Program } from '@plinth/test-kit/program'
import { checkProperty } from '@plinth/test-kit/random'
import { people } from '@plinth/test-kit/rental-store'
import { type Client, clientFor } from '@plinth/test-kit/service'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { audit, copies as fewCopies, firstDay, perform, type RandomCounter, roughDays } from './random-days.ts'

let program: Program
beforeAll(async () => {
  program = await buildProgram('crash')
})
afterAll(() => program.remove())

interface Running {
  readonly process: ChildProcess
  readonly staff: Client
  readonly admin: Client
}

const start = async (settings: Record<string, string>): Promise<Running> => {
  const options = Object.entries({ 'server.port': '0', 'app.demo': 'true', 'app.log.level': 'error', ...settings })
  const child = spawn(
    process.execPath,
    [program.file, 'start', ...options.map(([name, value]) => `--${name}=${value}`)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /ready at (\S+)/.exec(line)?.[1]
    const as = (user: string) => clientFor(address ?? '', { Authorization: `Basic ${btoa(`${user}:${user}`)}` })
    if (address) return { process: child, staff: as('staff'), admin: as('admin') }
  }
  throw new Error('the service did not start')
}

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

describe.each(databases)('on %s', database => {
  let folder: string
  let settings: Record<string, string>
  let running: Running
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-crash-'))
    const url = database === 'postgres' ? await createDatabase(inject('postgresUrl')) : ''
    settings = { 'app.dataDir': folder, 'app.rental.voidMinutes': '100000', ...(url && { 'app.database.url': url }) }
    running = await start(settings)
  })
  afterEach(async () => {
    await kill(running.process)
    await rm(folder, { recursive: true, force: true })
  })

  test('a kill between any two steps leaves whole submissions only', async () => {
    const { staff } = running
    const copies = (await staff.get('/api/rest/filmInventoryEntries?available=true&_ps=200')).body.content
    const acknowledged: string[] = []
    let open = 0
    // Several at a time, so that the kill meets some of them half way.
    const work = copies.map(async ({ pk }: { pk: string }) => {
      open++
      const order = (await staff.get(`/api/rest/order/orders/${pk}?days=1`)).body
      const done = await staff.post('/api/rest/order/orders', { customer: people.client, items: [order] })
      if (done.status !== 200) return
      acknowledged.push(pk)
      if (acknowledged.length === 20) running.process.kill('SIGKILL')
    })
    await Promise.allSettled(work)
    expect(open).toBe(copies.length)
    expect(acknowledged.length).toBeGreaterThanOrEqual(20)
    expect(acknowledged.length).toBeLessThan(copies.length)

    running = await start(settings)
    const again = running.staff
    const all = async (path: string) => (await again.get(`/api/rest/${path}&_ps=500`)).body.content
    const rentals = await all('rentals?filter=returnDate=isnull=true')
    const payments = await all('payments?kind=rental')
    const rented = await all('filmInventoryEntries?available=false')
    const pks = (list: { pk: string }[]) => list.map(one => one.pk).sort()
    expect(pks(rented.map((copy: { currentRental: { pk: string } }) => copy.currentRental))).toEqual(pks(rentals))
    const paid = new Set(payments.map((one: { rental: { pk: string } }) => one.rental.pk))
    for (const { pk } of rentals) expect(paid).toContain(pk)
    const out = new Set(pks(rented))
    for (const pk of acknowledged) expect(out).toContain(pk)
    const points = (await all(`clients?user=${people.client}`))[0].bonusPoints
    const earned = (await all(`rentals?customer=${people.client}`)).reduce(
      (sum: number, one: { bonusPoints: number }) => sum + one.bonusPoints,
      0,
    )
    expect(points).toBe(earned)
    // A receipt can still be had for what was paid before the kill.
    const last = payments.at(-1)
    expect((await again.get(`/api/rest/order/receipts/${last.pk}`)).body.totalCost).toBe(last.amount)
  }, 120_000)

  /** A counter whose service can be killed on demand; the interrupted request is sent again with the same key. */
  const fragileCounter = () => {
    let doom: number | null = null
    let crashes = 0
    const crashDuring = async (send: () => Promise<unknown>, after: number): Promise<void> => {
      const sent = send().catch(() => null)
      await pause(after)
      await kill(running.process)
      await sent
      running = await start(settings)
      crashes++
    }
    const counter: RandomCounter = {
      get: path => running.admin.get(path),
      post: async (path, body) => {
        const headers = { 'Idempotency-Key': randomUUID() }
        const send = () => running.staff.post(path, body, headers)
        const after = doom
        doom = null
        if (after !== null) await crashDuring(send, after)
        const answer = await send()
        // The key was claimed but the work was not done: for a while the service cannot know that the request is dead.
        return answer.body?.code === 'in_progress' ? running.staff.post(path, body) : answer
      },
      // The clock of another process cannot be set, but administrators may correct when a rental began.
      wait: async days => {
        for (const copy of fewCopies) {
          const open = await running.admin.get(`/api/rest/rentals?filter=inventory==${copy};returnDate=isnull=true`)
          for (const { pk, rentalDate } of open.body.content) {
            const earlier = new Date(Date.parse(rentalDate) - days * 24 * 3600_000).toISOString()
            const corrected = await running.admin.patch(`/api/rest/rentals/${pk}`, { rentalDate: earlier })
            expect([200, 204]).toContain(corrected.status)
          }
        }
      },
      crash: after => {
        doom = after
      },
    }
    return { counter, crashes: () => crashes }
  }

  test('sums are right and nothing happens twice, however often the service is killed at its work', async () => {
    const { counter, crashes } = fragileCounter()
    const day = firstDay(counter)
    await checkProperty(
      fc.asyncProperty(roughDays, async sequence => {
        for (const act of sequence) await perform(day, act)
        await audit(day)
      }),
      { runs: extent(1, 4), endOnFailure: true },
    )
    expect(crashes()).toBeGreaterThan(extent(0, 3))
    expect(day.payments.length).toBeGreaterThan(extent(0, 10))
  }, 300_000)
})
