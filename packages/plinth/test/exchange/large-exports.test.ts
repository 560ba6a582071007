// Exports of all records: a budget of their own, few at a time, and an end when the caller leaves.

import { connect, type Socket } from 'node:net'
import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const csv = { Accept: 'text/csv, application/json;q=0.1' }
const records = 3000

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    const settings = {
      'app.api.maxQueryCost': '10000',
      'app.api.maxAnonymousQueryCost': '5000',
      'app.api.maxExportCost': '40000',
      'app.access.localities.read': 'true',
    }
    service = await startService(database, { settings })
    const now = new Date().toISOString()
    const localities = Array.from({ length: records }, (_, at) => ({
      pk: `L${at}`,
      values: {
        ...{ name: `Town ${at}`, parent: 'GR', path: 'x'.repeat(1500), pathLevel: 2 },
        ...{ createdDate: now, lastModifiedDate: now },
      },
    }))
    const { store } = service.app.platform
    await store.transaction(tx => tx.insertAll(tx.resource('localities'), localities))
    await store.exclusively((_, script) => script('ANALYZE'))
  })
  afterAll(() => service.stop())

  const path = '/api/rest/localities?fields=pk,path'

  test('callers export all records that they may read, beyond the budget of a query', async () => {
    const all = await service.as('simple').get(path, csv)
    expect([all.status, all.text.split('\r\n').length]).toEqual([200, records + 2])
    const whole = await service.as('simple').get('/api/rest/localities', csv)
    expect([whole.status, whole.body.code]).toEqual([400, 'too_costly'])
    expect(whole.body.detail).toMatch(/exporting 3,000 records costs .* export fewer fields, /)
  })

  test('a limit that applies comes with a remedy that applies', async () => {
    const without = await service.as('anonymous').get(path, csv)
    expect([without.status, without.body.code]).toEqual([400, 'too_costly'])
    expect(without.body.detail).toMatch(/exporting 3,000 records costs .* export parts of the records with a filter/)
    expect(without.body.detail).not.toContain('_ps')
    const part = await service.as('anonymous').get(`${path}&filter=pk==L12`, csv)
    expect([part.status, part.text.split('\r\n').length]).toEqual([200, 3])
    // No index gives this order: each batch would sort all records again.
    const sorted = await service.as('simple').get(`${path}&sort=pathLevel`, csv)
    expect(sorted.body.detail).toMatch(/sorting 3,000 records by pathLevel costs .* sort by an indexed field/)
  })

  /** Asks for the export and reads nothing of it. */
  const hold = async (): Promise<Socket> => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    const authorization = `Authorization: Basic ${btoa('staff:staff')}`
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/csv\r\n${authorization}\r\n\r\n`)
    await new Promise(resolve => socket.once('readable', resolve))
    return socket
  }

  test('a caller has a few exports at a time, and one that is not read any more ends', async () => {
    const connections = [await hold(), await hold(), await hold(), await hold()]
    const refused = await service.as('staff').get(path, csv)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
    expect(refused.body.detail).toContain('You have 4 exports running')
    expect((await service.as('simple').get(path, csv)).status).toBe(200)
    for (const socket of connections) socket.destroy()
    await expect.poll(async () => (await service.as('staff').get(`${path}&filter=pk==L1`, csv)).status).toBe(200)
  })
})
