// Files in a bucket, held against a server that speaks S3.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { demoPks, picture, upload } from '@plinth/test-kit/uploads'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everything, where } from '../../src/core/model/query.ts'
import { defineModule, defineResource, file } from '../../src/index.ts'

const own = `/api/rest/users/${demoPks.client}/files`

const contracts = defineResource('bucketContracts', {
  about: 'Contracts.',
  fields: { paper: file() },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})

const filing = defineModule({ name: 'filing', about: 'Contracts.', resources: [contracts] })

let folder: string
let bucket: S3rver
let settings: Record<string, string>
let service: TestService

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-s3-'))
  bucket = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'plinth', configs: [] }],
  })
  const { port } = await bucket.run()
  settings = {
    'app.modules': '',
    'app.files.maxBytes': '20000000',
    'app.files.s3.bucket': 'plinth',
    'app.files.s3.endpoint': `http://127.0.0.1:${port}`,
    'app.files.s3.accessKey': 'S3RVER',
    'app.files.s3.secretKey': 'S3RVER',
  }
  service = await startService('sqlite', { modules: [...modules, filing], settings })
})
afterAll(async () => {
  await service.stop()
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

const objects = async (): Promise<string[]> =>
  (await readdir(join(folder, 'plinth'), { recursive: true })).filter(name => name.endsWith('_object'))

test('a file goes to the bucket, comes back whole, and leaves nothing on the machine', async () => {
  // More than the 5 MiB of one part of an upload to a bucket.
  const content = Buffer.alloc(6_000_000, 'x')
  expect((await upload(service, { as: 'client', to: own }, { large: content })).status).toBe(201)
  expect(await objects()).toHaveLength(1)
  expect(await readdir(join(service.folder, 'uploads'))).toEqual([])
  const found = await service.as('simple').get(`${own}/large`)
  expect([found.status, found.text.length, found.headers.get('content-length')]).toEqual([200, 6_000_000, '6000000'])
})

test('a part of a file is all that the bucket is asked for', async () => {
  await upload(service, { as: 'client', to: own }, { digits: '0123456789' })
  const part = await service.as('simple').get(`${own}/digits`, { Range: 'bytes=3-5' })
  expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '345', 'bytes 3-5/10'])
})

test('a file that takes the place of another takes its place in the bucket, too', async () => {
  const before = (await objects()).length
  await upload(service, { as: 'client', to: own }, { note: 'first' })
  await upload(service, { as: 'client', to: own }, { note: 'second' })
  expect(await objects()).toHaveLength(before + 1)
  expect((await service.as('client').get(`${own}/note`)).text).toBe('second')
})

test('a preview is made of a picture in the bucket', async () => {
  await upload(service, { as: 'client', to: own }, { avatarUrl: await picture(300, 300) })
  expect((await service.as('client').get(`${own}/avatarUrl?preview=64`)).headers.get('content-type')).toBe('image/webp')
})

test('what an upload left in the bucket is removed, once it is old', async () => {
  await upload(service, { as: 'client', to: own }, { left: 'x' })
  const before = await objects()
  const { store } = service.app.platform
  await store.transaction(async tx => {
    const table = tx.resource('files')
    const { records } = await tx.find(table, everything(table, where(table, { name: 'left' })))
    const pk = String(records[0]?.pk)
    await tx.remove(table, pk)
    await tx.insert(tx.resource('looseContents'), pk, { since: new Date(Date.now() - 25 * 3600_000).toISOString() })
  })
  expect((await service.as('admin').post('/api/management/jobs/remove-old-files/run', {})).status).toBe(202)
  await expect.poll(objects).toHaveLength(before.length - 1)
  await expect.poll(() => store.count(store.resource('looseContents'), null)).toBe(0)
})

test('the file of a field goes to the bucket, and leaves it with its record', async () => {
  const before = await objects()
  const to = '/api/rest/bucketContracts/files'
  const sent = await upload(service, { as: 'client', to }, { paper: 'of the bucket' })
  expect(sent.status).toBe(201)
  const made = await service.as('client').post('/api/rest/bucketContracts', (await sent.json()) as object)
  expect((await service.as('client').get(made.body.paper.url)).text).toBe('of the bucket')
  expect(await objects()).toHaveLength(before.length + 1)
  expect((await service.as('client').delete(`/api/rest/bucketContracts/${made.body.pk}`)).status).toBe(204)
  await expect.poll(objects).toEqual(before)
})

test('a bucket that does not answer fails the upload and keeps nothing', async () => {
  const lost = await startService('sqlite', {
    settings: {
      'app.modules': '',
      'app.files.s3.bucket': 'nowhere',
      'app.files.s3.endpoint': 'http://127.0.0.1:9',
      'app.files.s3.accessKey': 'a',
      'app.files.s3.secretKey': 'b',
      'app.log.level': 'silent',
    },
  })
  try {
    const sent = await upload(lost, { as: 'client', to: own }, { lost: 'x' })
    expect(sent.status).toBe(503)
    expect(await sent.text()).not.toMatch(/127\.0\.0\.1:9|ECONNREFUSED/)
    expect((await lost.as('client').get(own)).body.files).toEqual([])
  } finally {
    await lost.stop()
  }
})

test('a record and its file in one request go to the bucket together, or not at all', async () => {
  const before = await objects()
  const send = async (title: string, type: string) => {
    const form = new FormData()
    form.append('record', new Blob([title], { type }))
    form.append('paper', new Blob(['whole']), 'paper.txt')
    const framed = new Response(form)
    return service.as('staff')('/api/rest/bucketContracts', {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': framed.headers.get('content-type') ?? '' },
      body: new Uint8Array(await framed.arrayBuffer()),
    })
  }
  const made = await send('{}', 'application/json')
  expect([made.status, (await service.as('staff').get(made.body.paper.url)).text]).toEqual([201, 'whole'])
  const after = await objects()
  expect(after).toHaveLength(before.length + 1)
  expect((await send('{"pk":17}', 'application/json')).status).toBe(400)
  expect(await objects()).toEqual(after)
})
