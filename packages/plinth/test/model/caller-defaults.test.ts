// Defaults that come from the caller: over HTTP, in code, in schemas, and in records that exist.

import { featureDatabases } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { ref, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { access, at, faultOf } from './definition-faults.ts'

const before = defineResource('notes', { about: 'Notes.', fields: { title: text() }, access })

const notes = defineResource('notes', {
  about: 'Notes.',
  fields: {
    title: text(),
    owner: ref('users', { default: 'caller.pk' }),
    author: ref('users', { default: 'caller.pk', serverOwned: true }),
    signature: text({ default: 'caller.username' }),
    saying: text({ default: 'caller of the day' }),
  },
  access,
})

const json = { Accept: 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  test('a new record has the caller unless it names another user', async () => {
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    const start = (definition: typeof before | typeof notes) =>
      startService(database, {
        modules: [...modules, defineModule({ name: 'notes', about: 'Notes.', resources: [definition] })],
        settings: kept.settings,
      })
    const old = await start(before)
    await make(old.as('staff'), 'notes', { title: 'old' })
    await old.stop()

    const service = await start(notes)
    onTestFinished(service.stop)
    const [staff, admin] = [service.as('staff'), service.as('admin')]
    const [earlier] = (await staff.get('/api/rest/notes', json)).body.content
    expect([earlier.owner, earlier.signature]).toEqual([null, null])

    const me = (await admin.get('/api/rest/users?filter=username==staff', json)).body.content[0].pk
    expect(me).toEqual(expect.any(String))
    const made = (await staff.post('/api/rest/notes', { title: 'mine' }, json)).body
    expect(made).toMatchObject({
      owner: { pk: me },
      author: { pk: me },
      signature: 'staff',
      saying: 'caller of the day',
    })
    const other = (await admin.get('/api/rest/users?filter=username==client', json)).body.content[0].pk
    const named = (await admin.post('/api/rest/notes', { owner: other, signature: 'x' }, json)).body
    expect(named).toMatchObject({ owner: { pk: other }, signature: 'x' })
    const { records } = service.app.platform
    expect(await records.create(notes, { title: 'by the service' })).toMatchObject({ owner: null, signature: null })

    const { properties } = (await staff.get('/api/rest/notes/jsonschema', json)).body
    expect(properties.owner).toMatchObject({ 'x-default': 'caller.pk' })
    expect(properties.signature).toMatchObject({ 'x-default': 'caller.username', type: ['string', 'null'] })
    expect(properties.signature.default).toBeUndefined()
    const { fields } = (await staff.get('/api/rest/notes/uischema', json)).body
    expect(fields.owner.default).toEqual({ pk: me, username: 'staff' })
    expect(fields.signature.default).toBe('staff')
  })
})

test('what is nothing of the caller stops the start', async () => {
  expect(await faultOf(ref('users', { default: 'caller.id' }))).toContain(
    "default 'caller.id' is nothing of the caller",
  )
  expect(await faultOf(ref('users', { default: 'caller.username' }))).toBe(
    `${at}default 'caller.username' is no pk; use 'caller.pk'`,
  )
  expect(await faultOf(ref('books', { default: 'caller.pk' }))).toBe(
    `${at}default 'caller.pk' is a user, and the field refers to 'books'`,
  )
  expect(await faultOf(text({ default: 'caller.usernam' }))).toBe(
    `${at}default 'caller.usernam' is nothing of the caller; did you mean 'caller.username'?`,
  )
})
