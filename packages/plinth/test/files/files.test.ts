// Files of records: what goes in comes out, and nothing else does.

import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { demoPks, part, picture, type UploadUser, upload, uploadRaw } from '@plinth/test-kit/uploads'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const own = `/api/rest/users/${demoPks.client}/files`
const others = `/api/rest/users/${demoPks.simple}/files`

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let dataDir: string
  beforeAll(async () => {
    service = await startService(database, { settings: { 'app.modules': '', 'app.files.maxBytes': '100000' } })
    dataDir = service.folder
  })
  afterAll(() => service.stop())

  /** Everything that lies in the folders of files, by key. */
  const kept = async (): Promise<string[]> => {
    const list = async (folder: string) => {
      const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])
      return entries.filter(entry => entry.isFile()).map(entry => `${folder}/${entry.name}`)
    }
    return [...(await list('files')), ...(await list('uploads'))].sort()
  }

  test('a file is kept under the name of its form field and comes back as an attachment', async () => {
    const sent = await upload(service, { as: 'client', to: own }, { 'report.txt': 'one, two' })
    expect([sent.status, await sent.json()]).toMatchObject([
      201,
      { files: [{ name: 'report.txt', mediaType: 'application/octet-stream', size: 8, url: `${own}/report.txt` }] },
    ])
    const found = await service.as('simple').get(`${own}/report.txt`)
    expect([found.status, found.text]).toEqual([200, 'one, two'])
    expect(found.headers.get('content-disposition')).toBe('attachment; filename="report.txt"')
    expect(found.headers.get('content-security-policy')).toMatch(/^sandbox;/)
    expect(found.headers.get('x-content-type-options')).toBe('nosniff')
    expect(found.headers.get('content-length')).toBe('8')
    const etag = found.headers.get('etag') ?? ''
    expect((await service.as('simple').get(`${own}/report.txt`, { 'If-None-Match': etag })).status).toBe(304)
    const head = await service.as('simple')(`${own}/report.txt`, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
  })

  describe('a part of a file', () => {
    const content = '0123456789'
    const ask = (range: string, headers: Record<string, string> = {}) =>
      service.as('simple').get(`${own}/digits`, { Range: range, ...headers })
    beforeAll(async () => {
      await upload(service, { as: 'client', to: own }, { digits: content })
    })

    test.each([
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-2', '89', 'bytes 8-9/10'],
      ['bytes=-50', content, 'bytes 0-9/10'],
      ['bytes=9-9', '9', 'bytes 9-9/10'],
      ['bytes=5-500', '56789', 'bytes 5-9/10'],
    ])('%s is sent with its place', async (range, text, place) => {
      const { status, headers, text: sent } = await ask(range)
      expect([status, sent, headers.get('content-range')]).toEqual([206, text, place])
      expect(headers.get('content-length')).toBe(String(text.length))
      expect(headers.get('content-disposition')).toBe('attachment; filename="digits"')
    })

    test.each(['bytes=10-', 'bytes=-0', 'bytes=99-100'])('%s is 416, with the size of the file', async range => {
      const { status, headers, body } = await ask(range)
      expect([status, headers.get('content-range'), body.code]).toEqual([416, 'bytes */10', 'range_not_satisfiable'])
    })

    test.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=', 'lines=1-2', 'nonsense'])('%s gives the whole', async range => {
      const { status, headers, text } = await ask(range)
      expect([status, text, headers.get('accept-ranges')]).toEqual([200, content, 'bytes'])
    })

    test('a condition on the tag comes first', async () => {
      const etag = (await ask('bytes=0-0')).headers.get('etag') ?? ''
      expect((await ask('bytes=0-3', { 'If-Range': etag })).status).toBe(206)
      expect((await ask('bytes=0-3', { 'If-Range': '"other"' })).text).toBe(content)
      expect((await ask('bytes=0-3', { 'If-Range': `W/${etag}` })).text).toBe(content)
      expect((await ask('bytes=0-3', { 'If-Range': new Date().toUTCString() })).text).toBe(content)
      expect((await ask('bytes=99-', { 'If-None-Match': etag })).status).toBe(304)
    })

    test('HEAD knows no parts', async () => {
      const head = await service.as('simple')(`${own}/digits`, { method: 'HEAD', headers: { Range: 'bytes=0-3' } })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '10'])
    })

    test('a part of a preview', async () => {
      await upload(service, { as: 'client', to: own }, { picture: await picture(40, 40) })
      const whole = await service.as('simple').get(`${own}/picture?preview=16`)
      const part = await service.as('simple').get(`${own}/picture?preview=16`, { Range: 'bytes=0-3' })
      expect([whole.status, part.status, part.text]).toEqual([200, 206, 'RIFF'])
    })
  })

  test('the list names every file, in JSON and in XML', async () => {
    const sent = await upload(service, { as: 'client', to: own }, { b: 'b', a: 'a' })
    const listed = await service.as('simple').get(own)
    expect(listed.body.files).toEqual(expect.arrayContaining(((await sent.json()) as { files: object[] }).files))
    const names = listed.body.files.map((file: { name: string }) => file.name)
    expect(names).toEqual([...names].sort())
    expect(names).toEqual(expect.arrayContaining(['a', 'b']))
    const xml = await service.as('simple').get(own, { Accept: 'application/xml' })
    expect(xml.text).toContain('<files><files><name>a</name>')
  })

  test('a second upload takes the place of the first, whose content is gone', async () => {
    await upload(service, { as: 'client', to: own }, { note: 'first' })
    const before = await kept()
    const again = await upload(service, { as: 'client', to: own }, { note: 'second' })
    expect(again.status).toBe(200)
    expect((await service.as('client').get(`${own}/note`)).text).toBe('second')
    expect(await kept()).toHaveLength(before.length)
  })

  test('avatarUrl and bannerUrl set the fields of their names, and again with each new content', async () => {
    const user = `/api/rest/users/${demoPks.client}`
    const seen: string[] = []
    for (const size of [20, 30]) {
      const sent = await upload(service, { as: 'client', to: own }, { avatarUrl: await picture(size, size) })
      expect(sent.status).toBe(size === 20 ? 201 : 200)
      const { avatarUrl } = (await service.as('simple').get(user, { Accept: 'application/json' })).body
      expect(avatarUrl).toMatch(new RegExp(`^${own}/avatarUrl\\?v=`))
      const image = await service.as('simple').get(avatarUrl, { Accept: 'image/png' })
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
      seen.push(avatarUrl)
    }
    expect(seen[0]).not.toBe(seen[1])
  })

  test.each([
    'javascript:alert(1)',
    '//evil.example/a.png',
    '/\\\\evil.example',
    'data:image/png;base64,AAAA',
    'http://',
    'a b',
  ])('avatarUrl cannot be set to %j', async avatarUrl => {
    const user = `/api/rest/users/${demoPks.client}`
    const headers = { 'Content-Type': 'application/json' }
    expect((await service.as('client').patch(user, { avatarUrl }, headers)).status).toBe(400)
  })

  test('what is uploaded never becomes another field', async () => {
    const user = `/api/rest/users/${demoPks.client}`
    await upload(service, { as: 'client', to: own }, { username: 'x', roles: 'x', active: 'x' })
    expect((await service.as('simple').get(user, { Accept: 'application/json' })).body).toMatchObject({
      username: 'client',
      active: true,
    })
  })

  test.each([
    ['a page', '<html><script>alert(1)</script>', 'application/octet-stream'],
    [
      'a drawing with a script',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      'application/octet-stream',
    ],
    ['a picture that is also a page', 'GIF89a<script>alert(1)</script>', 'image/gif'],
    ['a document', '%PDF-1.7', 'application/pdf'],
  ])('%s is known by its content and still saved, not shown', async (_, content, mediaType) => {
    await upload(service, { as: 'client', to: own }, { odd: content })
    const found = await service.as('client').get(`${own}/odd`)
    expect(found.headers.get('content-type')).toBe(mediaType)
    expect(found.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(found.headers.get('content-security-policy')).toMatch(/^sandbox/)
  })

  test('a preview fits into the square that was asked for', async () => {
    await upload(service, { as: 'client', to: own }, { bannerUrl: await picture(400, 100) })
    const response = await fetch(`${service.url}${own}/bannerUrl?preview=64`, {
      headers: { Authorization: `Basic ${btoa('client:client')}` },
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox/)
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    expect([width, height]).toEqual([64, 16])
  })

  test('a picture with too many pixels and one that is broken have no preview', async () => {
    const bomb = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#fff' } })
      .toColourspace('b-w')
      .png({ compressionLevel: 6 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(100_000)
    await upload(service, { as: 'client', to: own }, { bomb, broken: '\x89PNG\r\n\x1a\nno more', plain: 'text' })
    for (const name of ['bomb', 'broken', 'plain']) {
      expect([name, (await service.as('client').get(`${own}/${name}?preview=64`)).status]).toEqual([name, 422])
    }
    for (const size of ['0', '15', '513', '-1', 'big', '64&preview=128'])
      expect((await service.as('client').get(`${own}/plain?preview=${size}`)).status).toBe(400)
  })

  test.each<[UploadUser, string, number]>([
    ['anonymous', own, 401],
    ['simple', own, 403],
    ['client', others, 403],
    ['client', '/api/rest/users/00000000-0000-7000-8000-00000000ffff/files', 404],
    ['operator', own, 201],
    ['admin', own, 200],
  ])('%s uploading to %s gets %i', async (as, to, status) => {
    const before = await kept()
    const sent = await upload(service, { as, to }, { byOthers: 'x' })
    expect(sent.status).toBe(status)
    if (status > 201) expect(await kept()).toEqual(before)
  })

  test('reading takes the right to read the record, for content, head, list and preview alike', async () => {
    await upload(service, { as: 'client', to: own }, { secret: await picture(40, 40) })
    for (const path of [own, `${own}/secret`, `${own}/secret?preview=32`]) {
      for (const method of ['GET', 'HEAD'])
        expect([path, method, (await service.as('anonymous')(path, { method })).status]).toEqual([path, method, 401])
    }
    expect((await service.as('client').get(`${own}/nothing`)).status).toBe(404)
  })

  test.each([
    '../../x',
    '..',
    '.hidden',
    'a/b',
    'a\\\\b',
    'con',
    'NUL.txt',
    'a\0b',
    'a b',
    'ä',
    'x'.repeat(300),
    'end.',
    'a..b',
    '%2e%2e',
  ])('the field name %j is refused and nothing is kept', async name => {
    const before = await kept()
    const sent = await uploadRaw(service, { as: 'client', to: own }, `${part('good', 'x')}${part(name, 'x')}--x--\r\n`)
    expect(sent.status).toBe(400)
    expect(await sent.text()).not.toContain(dataDir)
    expect(await kept()).toEqual(before)
    expect((await service.as('client').get(`${own}/good`)).status).toBe(404)
  })

  test('a file beyond the limit is refused with 413, however it is sent, and nothing is kept', async () => {
    const before = await kept()
    const large = Buffer.alloc(100_001, 'x')
    expect((await upload(service, { as: 'client', to: own }, { small: 'x', large })).status).toBe(413)
    expect((await upload(service, { as: 'client', to: own }, { huge: Buffer.alloc(5_000_000) })).status).toBe(413)
    const exact = await upload(service, { as: 'client', to: own }, { exact: Buffer.alloc(100_000, 'x') })
    expect(exact.status).toBe(201)
    const after = await kept()
    expect(after).toHaveLength(before.length + 1)
    expect((await service.as('client').get(`${own}/small`)).status).toBe(404)
  })

  testAll('a body larger than those of other requests is taken, since files have a limit of their own', async () => {
    const wide = await startService(database, {
      settings: { 'app.modules': '', 'app.api.maxBodyBytes': '2048', 'app.files.maxBytes': '5000000' },
    })
    try {
      const sent = await upload(wide, { as: 'client', to: own }, { wide: Buffer.alloc(4_000_000, 'x') })
      expect([sent.status, await sizeOf(sent)]).toEqual([201, 4_000_000])
      expect((await wide.as('client').get(`${own}/wide`)).text).toHaveLength(4_000_000)
    } finally {
      await wide.stop()
    }
  })

  test.each<[string, string, Record<string, string>, number]>([
    ['no multipart', '{}', { 'Content-Type': 'application/json' }, 415],
    ['no boundary', 'x', { 'Content-Type': 'multipart/form-data' }, 400],
    ['a body that is incomplete', part('cut', 'x').slice(0, -8), {}, 400],
    ['no file', '--x--\r\n', {}, 400],
    ['the same name twice', `${part('two', '1')}${part('two', '2')}--x--\r\n`, {}, 422],
    ['too many files', `${Array.from({ length: 11 }, (_, at) => part(`n${at}`, 'x')).join('')}--x--\r\n`, {}, 413],
  ])('%s is refused and nothing is kept', async (_, body, headers, status) => {
    const before = await kept()
    expect((await uploadRaw(service, { as: 'client', to: own, headers }, body)).status).toBe(status)
    expect(await kept()).toEqual(before)
  })

  testAll('other multipart types are read alike', async () => {
    const headers = { 'Content-Type': 'multipart/mixed; boundary=x' }
    const sent = await uploadRaw(service, { as: 'client', to: own, headers }, `${part('mixed', 'text')}--x--\r\n`)
    expect(sent.status).toBe(201)
  })

  test('a new record with the pk of a deleted one does not show its files', async () => {
    const admin = service.as('admin')
    const pk = '00000000-0000-7000-8000-00000000beef'
    const path = `/api/rest/users/${pk}`
    const create = async (username: string) => {
      const made = await admin.post('/api/rest/users', { pk, username, password: 'seven quiet lamps' })
      expect(made).toHaveStatus(201)
    }
    await create('earlier')
    expect((await upload(service, { as: 'admin', to: `${path}/files` }, { letter: 'private' })).status).toBe(201)
    expect((await admin.delete(path)).status).toBe(204)
    await create('later')
    expect((await admin.get(`${path}/files`)).body).toEqual({ files: [] })
    expect((await admin.get(`${path}/files/letter`)).status).toBe(404)
    expect((await admin.delete(`${path}/files/letter`)).status).toBe(404)
    expect((await upload(service, { as: 'admin', to: `${path}/files` }, { letter: 'new' })).status).toBeLessThan(300)
    expect((await admin.get(`${path}/files/letter`)).text).toBe('new')
  })

  test('many uploads of one name at once leave one file', async () => {
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, at) => upload(service, { as: 'client', to: own }, { raced: `text ${at}` })),
    )
    expect(sent.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(9)
    expect((await service.as('client').get(`${own}/raced`)).text).toMatch(/^text \d$/)
    const listed = (await service.as('client').get(own)).body.files.filter(
      (file: { name: string }) => file.name === 'raced',
    )
    expect(listed).toHaveLength(1)
  })
})

const sizeOf = async (sent: Response): Promise<number | undefined> =>
  ((await sent.json()) as { files: { size: number }[] }).files[0]?.size

testAll(
  'what an end of the process left of an upload is cleared away at the next start, unless it is young',
  async () => {
    const first = await startService('sqlite', { settings: { 'app.modules': '' } })
    const folder = join(first.folder, 'uploads')
    await first.app.close()
    await mkdir(folder)
    const [old, young] = ['0190-old', '0190-young'].map(name => join(folder, name)) as [string, string]
    await Promise.all([old, young].map(path => writeFile(path, 'half of it')))
    const yesterday = new Date(Date.now() - 25 * 3600_000)
    await utimes(old, yesterday, yesterday)
    const second = await startService('sqlite', { settings: { 'app.modules': '', 'app.dataDir': first.folder } })
    onTestFinished(async () => {
      await second.stop()
      await rm(first.folder, { recursive: true })
    })
    await expect.poll(() => readdir(folder)).toEqual(['0190-young'])
  },
)
