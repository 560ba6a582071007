// A connection to PostgreSQL that is lost after a commit is done and before it is acknowledged.

import { layWire } from '@plinth/test-kit/lost-commit'
import { startService } from '@plinth/test-kit/service'
import { expect, onTestFinished, test } from 'vitest'

test('repeating the request with its key returns the lost answer, and nothing is done twice', async () => {
  const wire = await layWire()
  const settings = { 'app.modules': '', 'app.database.url': wire.url, 'app.log.level': 'silent' }
  const service = await startService('sqlite', { settings })
  onTestFinished(service.stop)
  const create = () =>
    service
      .as('admin')
      .post('/api/rest/hosts', { name: 'lost.example' }, { 'Idempotency-Key': 'lost', Accept: 'application/json' })
  wire.loseCommitAfter('INSERT INTO "hosts"')
  expect((await create()).status).toBe(503)
  expect(wire.cuts()).toBe(1)
  const again = await create()
  expect([again.status, again.headers.get('idempotency-replayed'), again.body.name]).toEqual([
    201,
    'true',
    'lost.example',
  ])
  expect((await service.as('admin').get('/api/rest/hosts?name=lost.example')).body.content).toHaveLength(1)
})
