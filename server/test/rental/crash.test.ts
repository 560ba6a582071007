// The process is killed in the middle of its work; what was acknowledged is there, and nothing is half done.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../support/postgres.ts'
import { type Client, clientFor, databases } from '../support/service.ts'
import { people } from './store.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const loader = fileURLToPath(import.meta.resolve('tsx'))

interface Running {
  readonly process: ChildProcess
  readonly staff: Client
}

const start = async (settings: Record<string, string>): Promise<Running> => {
  const options = Object.entries({ 'server.port': '0', 'app.demo': 'true', 'app.log.level': 'error', ...settings })
  const child = spawn(
    process.execPath,
    ['--import', loader, main, 'start', ...options.map(([name, value]) => `--${name}=${value}`)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /ready at (\S+)/.exec(line)?.[1]
    if (address) return { process: child, staff: clientFor(address, { Authorization: `Basic ${btoa('staff:staff')}` }) }
  }
  throw new Error('the service did not start')
}

const stop = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

describe.each(databases)('on %s', database => {
  let folder: string
  let settings: Record<string, string>
  let running: Running | null = null
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-crash-'))
    const url = database === 'postgres' ? await createDatabase(inject('postgresUrl')) : ''
    settings = { 'app.dataDir': folder, ...(url && { 'app.database.url': url }) }
  })
  afterEach(async () => {
    if (running) await stop(running.process, 'SIGKILL')
    running = null
    await rm(folder, { recursive: true, force: true })
  })

  test('a kill between any two steps leaves whole submissions only', async () => {
    running = await start(settings)
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
      if (acknowledged.length === 20) running?.process.kill('SIGKILL')
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
})
