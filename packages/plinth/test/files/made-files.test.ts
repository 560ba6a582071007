// Files that code makes and stores for a field.

import { featureDatabases } from '@plinth/test-kit/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Filing, problems, startFiling } from './filing.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: Filing
  beforeAll(async () => {
    scene = await startFiling(database)
  })
  afterAll(() => scene.service.stop())

  const write = async (address: string, body: object) =>
    scene.service.as('staff').post(`${address}/letter`, body, problems)

  test('a file of an endpoint is the value of a field, and who can read the record can read it', async () => {
    const { address } = await scene.create({})
    const { status, body } = await write(address, { text: 'Dear Ada', times: 2 })
    expect(status).toBe(200)
    expect(body.papers).toMatchObject([{ name: 'Straße 1.txt', mediaType: 'text/plain', size: 16 }])
    const found = await scene.service.as('simple').get(body.papers[0].url)
    expect([found.status, found.text]).toEqual([200, 'Dear AdaDear Ada'])
    expect(await scene.stored()).toContain(body.papers[0].pk)
    await write(address, { text: 'Dear Bob' })
    await expect.poll(scene.stored).not.toContain(body.papers[0].pk)
  })

  test('the limits of the field hold, and nothing is left behind of what is refused', async () => {
    const { address } = await scene.create({})
    const before = await scene.stored()
    const picture = await write(address, { field: 'photo', text: 'no picture' })
    expect([picture.status, picture.body.errors]).toMatchObject([422, [{ member: 'photo', code: 'file_type' }]])
    const large = await write(address, { text: 'x'.repeat(200), times: 501 })
    expect([large.status, large.body.errors]).toMatchObject([422, [{ member: 'papers', code: 'file_size' }]])
    expect(await scene.stored()).toEqual(before)
  })
})
