// Files of any resource that declares them.

import { featureDatabases } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { picture, upload } from '@plinth/test-kit/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineModule, defineResource, text, webLink } from '../../src/index.ts'

const access = { read: 'caller.signedIn', create: "caller.has('ROLE_STAFF')", update: "caller.has('ROLE_ADMIN')" }

const notes = defineResource('fileNotes', {
  about: 'Notes with files.',
  fields: { title: text(), photo: webLink() },
  files: { uploadAs: 'create', pictures: ['photo'] },
  access,
})

const papers = defineResource('filePapers', { about: 'Papers.', fields: { title: text() }, files: true, access })

const bare = defineResource('fileNotices', { about: 'Notices without files.', fields: { title: text() }, access })

const filing = defineModule({ name: 'filing', about: 'Notes with files.', resources: [notes, papers, bare] })

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database, { modules: [...modules, filing] })
  })
  afterAll(() => service.stop())

  const recordOf = async (resource: string): Promise<string> => {
    const { body } = await service.as('admin').post(`/api/rest/${resource}`, { title: 'One' })
    return `/api/rest/${resource}/${body.pk}`
  }

  test('who is allowed the operation of uploadAs adds files, and a picture sets its field', async () => {
    const record = await recordOf('fileNotes')
    const to = `${record}/files`
    const files = { 'report.txt': 'one', photo: await picture(40, 20) }
    expect((await upload(service, { as: 'client', to }, files)).status).toBe(403)
    expect((await upload(service, { as: 'admin', to }, files)).status).toBe(201)
    const { photo } = (await service.as('client').get(record)).body
    expect(photo).toMatch(new RegExp(`^${to}/photo\\?v=`))
    expect((await service.as('client').get(photo)).status).toBe(200)
    expect((await service.as('client').get(`${to}/report.txt`)).text).toBe('one')
    expect((await service.as('anonymous').get(`${to}/report.txt`)).status).toBe(401)
    expect((await service.as('admin').delete(`${to}/photo`)).status).toBe(204)
    expect((await service.as('client').get(record)).body.photo).toBe(null)
  })

  test('files: true asks for the permission to patch', async () => {
    const to = `${await recordOf('filePapers')}/files`
    expect((await upload(service, { as: 'client', to }, { a: 'one' })).status).toBe(403)
    expect((await upload(service, { as: 'admin', to }, { a: 'one' })).status).toBe(201)
  })

  test('resources without the declaration have no files', async () => {
    const to = `${await recordOf('fileNotices')}/files`
    expect((await upload(service, { as: 'admin', to }, { a: 'one' })).status).toBe(405)
    const { body } = await service.as('admin').get('/api/openapi.json')
    const paths = Object.keys(body.paths).filter(path => path.endsWith('/{pk}/files'))
    expect(paths).toEqual(expect.arrayContaining(['/api/rest/fileNotes/{pk}/files', '/api/rest/filePapers/{pk}/files']))
    expect(paths).not.toContain('/api/rest/fileNotices/{pk}/files')
  })
})
