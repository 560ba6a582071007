// Files that are fields as well: a picture, or nothing.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { cut, demoPks, pictureAs, upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const user = `/api/rest/users/${demoPks.client}`
const json = { 'Content-Type': 'application/json', Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let report: string
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '' } })
    const sent = await service.as('client').post('/api/rest/clientErrors', { message: 'it broke' }, json)
    report = `/api/rest/clientErrors/${sent.body.pk}`
  })
  afterAll(() => service.stop())

  test.each([
    ['a page', '<html><script>alert(1)</script>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'],
    ['a document', '%PDF-1.7'],
    ['a page that begins like a picture', 'GIF89a<script>alert(1)</script>'],
    ['the beginning of a picture', '\x89PNG\r\n\x1a\nno more'],
    ['a picture of too many pixels', pictureAs('png', 6000)],
    ['a PNG cut in the middle of its data', cut('png')],
    ['a JPEG cut in the middle of its data', cut('jpeg')],
    ['a GIF cut in the middle of its data', cut('gif')],
    ['a WebP cut in the middle of its data', cut('webp')],
    ['nothing', ''],
  ])('%s is refused for a field, and nothing of the upload is kept', async (_, source) => {
    const content = await source
    for (const [to, field] of [
      [user, 'avatarUrl'],
      [user, 'bannerUrl'],
      [report, 'screenshotUrl'],
    ] as const) {
      const refused = await upload(service, { as: 'operator', to: `${to}/files` }, { note: 'good', [field]: content })
      expect([refused.status, await refused.json()]).toMatchObject([
        422,
        { code: 'unprocessable', errors: [{ pointer: `/${field}`, member: field, code: 'picture' }] },
      ])
      const record = await service.as('operator').get(to, json)
      expect(record.body[field]).toBeNull()
      expect((await service.as('operator').get(`${to}/files`)).body).toEqual({ files: [] })
    }
  })

  test.each(['png', 'jpeg', 'gif', 'webp'] as const)('%s is taken, and has a preview', async type => {
    const sent = await upload(
      service,
      { as: 'client', to: `${user}/files` },
      { avatarUrl: await pictureAs(type, 40), bannerUrl: await pictureAs(type, 50) },
    )
    expect(sent.status).toBe(type === 'png' ? 201 : 200)
    const { avatarUrl, bannerUrl } = (await service.as('client').get(user, json)).body
    for (const url of [avatarUrl, bannerUrl])
      expect((await service.as('client').get(`${url}&preview=32`)).headers.get('content-type')).toBe('image/webp')
  })

  testAll('many at once are taken, one after the other', async () => {
    const large = await pictureAs('png', 4000)
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => upload(service, { as: 'client', to: `${user}/files` }, { avatarUrl: large })),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })

  test('the address of a page is no picture: a file of its name leaves the field alone', async () => {
    const sent = await upload(service, { as: 'operator', to: `${report}/files` }, { viewUrl: 'text' })
    expect(sent.status).toBe(201)
    expect((await service.as('client').get(report, json)).body.viewUrl).toBeNull()
  })
})
