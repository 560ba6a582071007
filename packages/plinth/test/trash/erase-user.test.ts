// `plinth erase user`: nothing of the user is left in the history and the trash.

import { runWithin } from '@plinth/test-kit/command-within'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { modules } from '@plinth/test-kit/platform'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { storedText } from '@plinth/test-kit/stored-text'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { text } from '../../src/core/model/fields.ts'
import { type CommandContext, defineModule } from '../../src/core/module.ts'

const json = { Accept: 'application/json' }
const password = 'a long enough secret 7'

const notes = defineResource('notes', {
  about: 'Notes of users.',
  stamps: 'people',
  fields: { text: text({ required: true }) },
  access: { read: 'true', write: 'true' },
  history: true,
  trash: true,
})

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  beforeAll(async () => {
    service = await startService(database, {
      modules: [...modules, defineModule({ name: 'notes', about: 'Notes of users.', resources: [notes] })],
      settings: { 'app.modules': '' },
    })
    admin = service.as('admin')
  })
  afterAll(() => service.stop())

  const erase = (user: string, options: CommandContext['options'] = {}): Promise<string> =>
    runWithin(service.app, 'erase user', [user], options)
  const secret = 'Lane of Secrets'
  const newUser = async (username: string) => {
    const made = await admin.post('/api/rest/users', { username, password }, json)
    expect(made).toHaveStatus(201)
    const path = `/api/rest/users/${made.body.pk}`
    for (const line of [`${secret} 1`, `${secret} 2`]) {
      const address = { primaryAddress: { addressLine1: line } }
      expect((await admin.put(`/api/rest/contactDetails/${made.body.pk}`, address)).status).toBeLessThan(300)
    }
    const client = clientFor(service.url, { Authorization: `Basic ${btoa(`${username}:${password}`)}` })
    return { path, pk: made.body.pk, client }
  }

  test('a user keeps the account without the past, and loses both if asked', async () => {
    const { path, pk, client } = await newUser('erased')
    await client.patch(path, { description: 'Me' }, { 'Content-Type': 'application/json' })
    expect((await admin.get(`${path}/history`, json)).text).toContain('"username":"erased"')
    const output = await erase('erased')
    expect(output).toMatch(/Erased [1-9]\d* entries of the history and 0 records in the trash\./)
    expect(output).toContain('The user still exists')
    expect((await admin.get(`${path}/history`, json)).body.content).toEqual([])
    expect((await admin.get(`/api/rest/contactDetails/${pk}/history`, json)).text).not.toContain(secret)
    expect((await client.get(path)).status).toBe(200)
    expect(await erase(pk, { delete: true })).toContain('The user was deleted permanently')
    expect((await admin.get(`${path}?trash=only`)).status).toBe(404)
    expect(await storedText(service)).not.toContain(secret)
  })

  testAll('an erased user is not named as the author of earlier states', async () => {
    const { pk, client } = await newUser('author')
    const made = await client.post('/api/rest/notes', { text: 'first' }, json)
    const path = `/api/rest/notes/${made.body.pk}`
    await client.put(path, { text: 'second' })
    await admin.put(path, { text: 'third' })
    const historyOf = async () => JSON.stringify((await admin.get(`${path}/history`, json)).body.content)
    const deleted = await client.post('/api/rest/notes', { text: 'gone' }, json)
    await client.delete(`/api/rest/notes/${deleted.body.pk}`)
    expect(await historyOf()).toContain(pk)
    await erase('author', { delete: true })
    expect(await historyOf()).toContain('second')
    expect(await historyOf()).not.toContain(pk)
    const trashed = await admin.get(`/api/rest/notes/${deleted.body.pk}?trash=only`, json)
    expect([trashed.status, trashed.text.includes(pk)]).toEqual([200, false])
  })

  test('a deleted user is erased from the trash, by the former name', async () => {
    const { path, pk } = await newUser('erasedlater')
    expect((await admin.delete(path)).status).toBe(204)
    expect(await storedText(service)).toContain(secret)
    expect(await erase('erasedlater')).toMatch(/and [1-9]\d* records in the trash\./)
    expect((await admin.get(`${path}?trash=only`)).status).toBe(404)
    expect(await storedText(service)).not.toContain(secret)
    const { events } = (await admin.get('/api/management/auditevents?type=USER_ERASED')).body
    expect(events).toContainEqual(expect.objectContaining({ data: expect.objectContaining({ user: pk }) }))
    await expect(erase('no such user')).rejects.toMatchObject({ status: 404 })
  })
})
