// Files of errors that clients report: for who reported it to see, for those who run the site to add.

import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { picture, type UploadUser, upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { 'Content-Type': 'application/json', Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let record: string
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
    const report = await service.as('client').post('/api/rest/clientErrors', { message: 'it broke' }, json)
    record = `/api/rest/clientErrors/${report.body.pk}`
  })
  afterAll(() => service.stop())

  test('screenshotUrl is kept, set as the field of its name, and has a preview', async () => {
    const sent = await upload(
      service,
      { as: 'operator', to: `${record}/files` },
      { screenshotUrl: await picture(80, 40) },
    )
    expect([sent.status, await sent.json()]).toMatchObject([201, { files: [{ name: 'screenshotUrl' }] }])
    const { screenshotUrl } = (await service.as('client').get(record, json)).body
    expect(screenshotUrl).toMatch(new RegExp(`^${record}/files/screenshotUrl\\?v=`))
    for (const path of [screenshotUrl, `${record}/files/screenshotUrl?preview=32`])
      expect((await service.as('client').get(path)).status).toBe(200)
  })

  test.each<[UploadUser, number, number]>([
    ['anonymous', 401, 401],
    ['simple', 404, 403],
    ['client', 200, 403],
    ['operator', 200, 201],
    ['admin', 200, 200],
  ])('%s reading them gets %i, adding to them %i', async (user, reading, adding) => {
    for (const path of ['', '/screenshotUrl', '/screenshotUrl?preview=32'])
      for (const method of ['GET', 'HEAD'])
        expect([path, method, (await service.as(user)(`${record}/files${path}`, { method })).status]).toEqual([
          path,
          method,
          reading,
        ])
    expect((await upload(service, { as: user, to: `${record}/files` }, { note: user })).status).toBe(adding)
  })

  test('files go with their record from every sight', async () => {
    expect((await service.as('operator').delete(record)).status).toBe(204)
    for (const path of ['', '/screenshotUrl', '/note'])
      expect((await service.as('admin').get(`${record}/files${path}`)).status).toBe(404)
  })
})
