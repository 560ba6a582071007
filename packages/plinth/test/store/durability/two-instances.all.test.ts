// Two instances on one SQLite file take turns: each sees what the other has written.

import { emptyFolder, launch } from '@plinth/test-kit/service-process'
import { expect, test } from 'vitest'
import { asJson, damagesOf, localitiesOf } from './localities.ts'

test('two instances start at once on an empty folder, and write side by side', { timeout: 300_000 }, async () => {
  const folder = await emptyFolder()
  const instances = await Promise.all([launch({ folder }), launch({ folder })])
  const writing = instances.flatMap(({ admin }, instance) =>
    Array.from({ length: 100 }, (_, at) => {
      const pk = `${instance}-${at}`
      return admin.post('/api/rest/localities', { pk, name: pk }, asJson)
    }),
  )
  const statuses = (await Promise.all(writing)).map(answer => answer.status)
  expect(statuses).toEqual(statuses.map(() => 201))
  for (const instance of instances) expect((await localitiesOf(instance)).size).toBe(200)
  const [first, second] = instances
  await first.admin.patch('/api/rest/localities/0-0', { name: 'by the first' }, asJson)
  expect((await second.admin.get('/api/rest/localities/0-0', asJson)).body.name).toBe('by the first')
  const stale = await second.admin.patch('/api/rest/localities/0-0', { name: 'x', version: 1 }, asJson)
  expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
  expect(await Promise.all(instances.map(instance => instance.end('SIGTERM')))).toEqual([0, 0])
  expect(damagesOf(folder)).toEqual([])
})
