// SIGTERM: requests in progress are finished, then the process exits with code 0.

import { once } from 'node:events'
import { connect } from 'node:net'
import { testAll } from '@plinth/test-kit/extent'
import { createDatabase } from '@plinth/test-kit/postgres'
import { lockTable, statementsIn } from '@plinth/test-kit/postgres-activity'
import { startService } from '@plinth/test-kit/service'
import { emptyFolder, launch, preparedFolder, stopsListening } from '@plinth/test-kit/service-process'
import { expect, inject, onTestFinished, test } from 'vitest'
import { until, waitingFor } from '../../src/testing/waiting.ts'
import { asJson, type Locality, localitiesOf } from '../store/durability/localities.ts'

/** What another service finds in the folder. */
const localitiesIn = async (folder: string): Promise<ReadonlyMap<string, Locality>> => {
  const service = await startService('sqlite', { settings: { 'app.dataDir': folder } })
  onTestFinished(() => service.stop())
  return localitiesOf({ admin: service.as('admin') })
}

testAll('a request whose body is still coming is answered before the process ends', { timeout: 120_000 }, async () => {
  const folder = await preparedFolder()
  const service = await launch({ folder })
  const body = JSON.stringify({ pk: 'late', name: 'late' })
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', text => {
    received += text
  })
  const head = ['POST /api/rest/localities HTTP/1.1', 'Host: localhost', `Authorization: Basic ${btoa('admin:admin')}`]
  const more = ['Content-Type: application/json', 'Accept: application/json', 'Expect: 100-continue']
  socket.write(`${[...head, ...more, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`)
  await waitingFor('the interim answer', once(socket, 'data'))
  expect(received).toMatch(/^HTTP\/1\.1 100 /)
  service.signal('SIGTERM')
  await stopsListening(service.url)
  socket.write(body)
  await waitingFor('the connection to be closed', once(socket, 'close'))
  expect(received).toMatch(/HTTP\/1\.1 201 /)
  expect(received).toMatch(/^connection: close\r$/im)
  expect(await service.ended).toBe(0)
  expect((await localitiesIn(folder)).has('late')).toBe(true)
})

test('under load, no acknowledged write is lost, and the exit code is 0', {
  timeout: 120_000,
}, async () => {
  const folder = await preparedFolder()
  const service = await launch({ folder })
  const acknowledged: string[] = []
  const answers: number[] = []
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; ; at++) {
      const pk = `${writer}-${at}`
      const answer = await service.admin.post('/api/rest/localities', { pk, name: pk }, asJson).catch(() => null)
      if (answer === null) return
      answers.push(answer.status)
      if (answer.status === 201) acknowledged.push(pk)
      if (acknowledged.length === 50) service.signal('SIGTERM')
    }
  }
  await Promise.all(Array.from({ length: 10 }, (_, writer) => write(writer)))
  expect(await service.ended).toBe(0)
  expect(new Set(answers)).toEqual(new Set([201]))
  const there = await localitiesIn(folder)
  expect(acknowledged.filter(pk => !there.has(pk))).toEqual([])
})

testAll(
  'a request that never ends is cut off, and the process ends by itself',
  {
    timeout: 120_000,
  },
  async () => {
    const service = await launch({ folder: await preparedFolder() })
    const { port } = new URL(service.url)
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    const head = [
      'POST /api/rest/localities HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      'Content-Length: 9',
    ]
    socket.write(`${[...head, 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`)
    await waitingFor('the interim answer', once(socket, 'data'))
    expect(await service.end('SIGTERM')).toBe(0)
    socket.destroy()
  },
)

testAll('statements that wait in PostgreSQL end with the process', { timeout: 120_000 }, async () => {
  const database = await createDatabase(inject('postgresUrl'))
  const settings = { 'app.database.url': database, 'app.api.queryTimeout': '300', 'app.database.writeTimeout': '300' }
  const service = await launch({ folder: await emptyFolder(), settings })
  const search = '/api/rest/countries?filter=name==*z*'
  expect((await service.admin.get(search)).status).toBe(200)
  onTestFinished(await lockTable(database, 'countries'))
  const all = [
    service.admin.get(search),
    service.admin.get('/api/rest/continents/EU?include=children'),
    service.admin.patch('/api/rest/countries/GR', { capital: 'Athens' }),
  ].map(answer => answer.catch(() => null))
  await until('the statements to wait', async () => (await statementsIn(database)).length >= all.length)
  expect(await service.end('SIGTERM')).toBe(0)
  // The server ends its processes on request, in its own time.
  await until('the statements to end', async () => (await statementsIn(database)).length === 0)
  await Promise.all(all)
})
