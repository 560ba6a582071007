// Idempotency-Key on uploads: what tells two bodies apart is the names and the content of their files.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { fresh } from '@plinth/test-kit/library'
import { startService, type TestService } from '@plinth/test-kit/service'
import { demoPks, part, picture, type UploadUser, upload, uploadRaw } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const own = `/api/rest/users/${demoPks.client}/files`

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '', 'app.files.maxBytes': '100000' } })
  })
  afterAll(() => service.stop())

  const send = (key: string, files: Record<string, Uint8Array | string>, as: UploadUser = 'client', to = own) =>
    upload(service, { as, to, headers: { 'Idempotency-Key': key } }, files)

  /** What lies in the folders of files. */
  const kept = async (): Promise<string[]> => {
    const list = async (folder: string) => {
      const path = join(service.folder, folder)
      const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
      return entries.filter(entry => entry.isFile()).map(entry => `${folder}/${entry.name}`)
    }
    return [...(await list('files')), ...(await list('uploads'))].sort()
  }

  test('the same upload again gets the first answer, whatever its boundary, and leaves nothing', async () => {
    const [key, name] = [fresh('key'), fresh('n')]
    const first = await send(key, { [name]: 'one' })
    const before = await kept()
    const again = await send(key, { [name]: 'one' })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(await again.text()).toBe(await first.text())
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect(await kept()).toEqual(before)
    expect((await service.as('client').get(`${own}/${name}`)).text).toBe('one')
  })

  test('it does not bring back a file that was replaced in the meantime', async () => {
    const [key, name] = [fresh('key'), fresh('n')]
    await send(key, { [name]: 'one' })
    await upload(service, { as: 'client', to: own }, { [name]: 'two' })
    expect((await send(key, { [name]: 'one' })).status).toBe(201)
    expect((await service.as('client').get(`${own}/${name}`)).text).toBe('two')
  })

  test('another content, name, order or record with the key is 422, and nothing is kept', async () => {
    const [key, name] = [fresh('key'), fresh('n')]
    await send(key, { [name]: 'one', b: 'two' })
    const before = await kept()
    const others = [
      () => send(key, { [name]: 'other', b: 'two' }),
      () => send(key, { [fresh('n')]: 'one', b: 'two' }),
      () => send(key, { b: 'two', [name]: 'one' }),
      () => send(key, { [name]: 'one' }),
      () => send(key, { [name]: 'one', b: 'two' }, 'client', `${own}?x`),
    ]
    for (const ask of others) {
      const refused = await ask()
      expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'key_reused' }])
    }
    expect(await kept()).toEqual(before)
    expect((await service.as('client').get(`${own}/${name}`)).text).toBe('one')
  })

  test('of ten at once one is carried out; the others wait or get its answer', async () => {
    const [key, name] = [fresh('key'), fresh('n')]
    const before = await kept()
    const sent = await Promise.all(Array.from({ length: 10 }, () => send(key, { [name]: 'one' })))
    const bodies = await Promise.all(sent.map(async answer => [answer.status, await answer.json()]))
    const done = bodies.filter(([status]) => status === 201)
    expect(done.length).toBeGreaterThan(0)
    for (const [status, body] of bodies)
      if (status === 201) expect(body).toEqual(done[0]?.[1])
      else expect([status, body]).toMatchObject([409, { code: 'in_progress' }])
    expect(await kept()).toHaveLength(before.length + 1)
  })

  test('a refusal leaves the key free, and each caller has keys of their own', async () => {
    const [key, name] = [fresh('key'), fresh('n')]
    expect((await send(key, { [name]: 'one' }, 'simple')).status).toBe(403)
    expect((await send(key, { [name]: Buffer.alloc(100_001) })).status).toBe(413)
    expect((await send(key, { avatarUrl: 'no picture' })).status).toBe(422)
    const cut = part(name, 'one').slice(0, -8)
    expect((await uploadRaw(service, { as: 'client', to: own, headers: { 'Idempotency-Key': key } }, cut)).status).toBe(
      400,
    )
    expect((await send(key, { [name]: 'one', avatarUrl: await picture(20, 20) })).status).toBe(201)
    const other = await send(key, { [name]: 'two' }, 'operator')
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null])
  })

  test('a key that cannot be one is 400, and nothing is kept', async () => {
    const before = await kept()
    expect((await send('with blank', { [fresh('n')]: 'one' })).status).toBe(400)
    expect(await kept()).toEqual(before)
  })
})
