// Backups in a bucket, held against a server that speaks S3.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { configOn } from '@plinth/test-kit/prepared-data'
import S3rver from 's3rver'
import { expect, onTestFinished, test } from 'vitest'
import { type Bytes, placeOf } from '../../src/modules/backup/place.ts'

const bytes = async function* (text: string): Bytes {
  yield Buffer.from(text)
}

test('parts in a bucket are written, listed, read and removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-s3-'))
  const configureBuckets = [{ name: 'plinth', configs: [] }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets })
  const { port } = await server.run()
  onTestFinished(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const config = configOn(
    { folder, url: '' },
    {
      'app.backup.target': 's3://plinth/nightly',
      'app.files.s3.endpoint': `http://127.0.0.1:${port}`,
      'app.files.s3.accessKey': 'S3RVER',
      'app.files.s3.secretKey': 'S3RVER',
    },
  )
  const place = await placeOf(config)
  await place.write('one/manifest.json', bytes('{}'))
  await place.write('one/tables/users', bytes('users'))
  await place.write('two/tables/users', bytes('others'))
  expect(await place.list()).toEqual(
    new Map([
      ['one', ['manifest.json']],
      ['two', []],
    ]),
  )
  expect((await buffer(await place.read('one/tables/users'))).toString()).toBe('users')
  await expect(place.read('one/nothing')).rejects.toThrow('no part one/nothing')
  await place.remove('one')
  expect([...(await place.list()).keys()]).toEqual(['two'])
})
