// How many bytes a user may upload, and how room is made again.

import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { demoPks, picture, upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../src/testing/waiting.ts'

const own = `/api/rest/users/${demoPks.client}/files`

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '', 'app.files.maxBytesPerUser': '1000' } })
  })
  afterAll(() => service.stop())

  const send = (files: Record<string, Uint8Array | string>) => upload(service, { as: 'client', to: own }, files)

  test('beyond the quota 409 says so, and deleting makes room', async () => {
    expect((await send({ one: 'x'.repeat(600) })).status).toBe(201)
    const refused = await send({ two: 'x'.repeat(500) })
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'quota_exceeded' }])
    expect((await service.as('client').get(`${own}/two`)).status).toBe(404)
    // A file that takes the place of another counts instead of it.
    expect((await send({ one: 'x'.repeat(900) })).status).toBe(200)
    expect((await send({ small: 'x'.repeat(100) })).status).toBe(201)
    expect((await send({ tiny: 'x' })).status).toBe(409)
    // Others have quotas of their own.
    const another = await upload(service, { as: 'simple', to: own.replace(demoPks.client, demoPks.simple) }, { a: 'y' })
    expect(another.status).toBe(201)
    expect((await service.as('client').delete(`${own}/one`)).status).toBe(204)
    expect((await service.as('client').get(`${own}/one`)).status).toBe(404)
    expect((await send({ two: 'x'.repeat(800) })).status).toBe(201)
    const { store } = service.app.platform
    const loose = store.resource('looseContents')
    await until('the content to be gone', async () => (await store.count(loose, null)) === 0)
  })

  test('uploads at the same time do not exceed it together', async () => {
    for (const name of ['two', 'small']) await service.as('client').delete(`${own}/${name}`)
    const sent = await Promise.all(Array.from({ length: 5 }, (_, at) => send({ [`race${at}`]: 'x'.repeat(400) })))
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
  })

  test('only who may change the record deletes its files, and a field that points to one becomes null', async () => {
    for (let at = 0; at < 5; at++) await service.as('client').delete(`${own}/race${at}`)
    expect((await send({ avatarUrl: await picture(4, 4) })).status).toBe(201)
    const avatar = async () =>
      (await service.as('client').get(`/api/rest/users/${demoPks.client}`, { Accept: 'application/json' })).body
        .avatarUrl
    expect(await avatar()).toContain('/files/avatarUrl')
    expect((await service.as('anonymous').delete(`${own}/avatarUrl`)).status).toBe(401)
    expect((await service.as('simple').delete(`${own}/avatarUrl`)).status).toBe(403)
    expect((await service.as('client').delete(`${own}/none`)).status).toBe(404)
    expect((await service.as('client').delete(`${own}/avatarUrl`)).status).toBe(204)
    expect(await avatar()).toBeNull()
  })
})
