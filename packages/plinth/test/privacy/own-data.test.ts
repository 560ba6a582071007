// What people do with their own data: export all of it, and delete their account.

import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { days, minutes } from '@plinth/test-kit/clock'
import { openBrowser } from '@plinth/test-kit/cookie-client'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { smtpSettings, startMailServer } from '@plinth/test-kit/mailbox'
import { modules } from '@plinth/test-kit/platform'
import { json, mailFor, type RegistrationScene, settle } from '@plinth/test-kit/registering'
import { clientFor, startService } from '@plinth/test-kit/service'
import { storedText } from '@plinth/test-kit/stored-text'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import { defineModule, defineResource, file, ref, text } from '../../src/index.ts'

const diaries = defineResource('diaries', {
  about: 'Diaries of users.',
  stamps: 'people',
  history: true,
  fields: { page: text({ required: true }), scan: file() },
  access: { read: 'record.createdBy == caller.pk', write: 'caller.signedIn' },
})

const receipts = defineResource('receipts', {
  about: 'What users have bought, which the books need.',
  fields: { customer: ref('users', { required: true }), item: text({ required: true }) },
  access: { read: "record.customer == caller.pk || caller.has('ROLE_STAFF')", write: "caller.has('ROLE_STAFF')" },
})

const remarks = defineResource('remarks', {
  about: 'What staff notes about users.',
  fields: { person: ref('users', { required: true, onDelete: 'cascade' }), says: text({ required: true }) },
  access: { read: "caller.has('ROLE_STAFF')", write: "caller.has('ROLE_STAFF')" },
})

const shop = defineModule({ name: 'shop', about: 'A shop.', resources: [diaries, receipts, remarks] })

const exportsPath = '/api/auth/account/exports'
const deletion = '/api/auth/account/deletion'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    const server = await startMailServer()
    const time = { now: new Date('2030-01-01T12:00:00Z') }
    const service = await startService(database, {
      modules: [...modules, shop],
      settings: { 'app.modules': '', 'app.auth.throttle.perAddress': '10000', ...smtpSettings(server.port) },
      clock: () => time.now,
    })
    const stop = async () => {
      await service.stop()
      await server.stop()
    }
    scene = Object.assign(time, { service, server, anonymous: service.as('anonymous'), stop })
  })
  afterAll(() => scene.stop())

  const newUser = async () => {
    const person = await settle(scene)
    const headers = { Authorization: `Basic ${btoa(`${person.username}:${person.password}`)}` }
    return { ...person, headers, client: clientFor(scene.service.url, headers) }
  }
  type Person = Awaited<ReturnType<typeof newUser>>

  const pass = (milliseconds: number) => {
    scene.now = new Date(scene.now.getTime() + milliseconds)
  }

  const listed = async ({ client }: Person) => (await client.get(exportsPath, json)).body

  const readyExport = async (person: Person) => {
    expect((await person.client.post(exportsPath, undefined, json)).status).toBe(201)
    await expect.poll(async () => (await listed(person))[0].state, { timeout: 20_000 }).toBe('ready')
    return (await listed(person))[0]
  }

  /** The texts of an archive, by path. */
  const unpack = async ({ headers }: Person, url: string): Promise<ReadonlyMap<string, string>> => {
    const answer = await fetch(scene.service.url + url, { headers })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const path = join(scene.service.folder, `${randomUUID()}.zip`)
    await writeFile(path, new Uint8Array(await answer.arrayBuffer()))
    const zip = await openPromise(path, { autoClose: false })
    const parts = new Map<string, string>()
    for await (const entry of zip.eachEntry()) {
      let content = ''
      for await (const piece of (await zip.openReadStreamPromise(entry)).setEncoding('utf8')) content += piece
      parts.set(entry.fileName, content)
    }
    zip.close()
    return parts
  }

  /** A page of a diary, with a file. */
  const write = async ({ client }: Person, page: string) => {
    const form = new FormData()
    form.append('page', page)
    form.append('scan', new Blob([`scan of ${page}`]), 'scan.txt')
    const framed = new Response(form)
    const made = await client('/api/rest/diaries', {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': framed.headers.get('content-type') ?? '' },
      body: new Uint8Array(await framed.arrayBuffer()),
    })
    expect(made.status).toBe(201)
    return made.body
  }

  const buy = (customer: string, item: string) =>
    scene.service.as('staff').post('/api/rest/receipts', { customer, item }, json)

  test('an export has the records that are of a user or name the user, their files, devices and what the audit log has', async () => {
    const [ada, other] = [await newUser(), await newUser()]
    const page = await write(ada, 'of Ada')
    await write(other, 'of another')
    await buy(ada.pk, 'a lamp')
    await scene.service.as('staff').post('/api/rest/remarks', { person: ada.pk, says: 'difficult' }, json)
    const { url, size } = await readyExport(ada)
    const mail = await scene.server.next(mailFor(ada.email, /ready for download/))
    expect(mail.mail.text).toContain('/account/data')
    const parts = await unpack(ada, url)
    expect(size).toBeGreaterThan(500)
    expect(JSON.parse(parts.get('records/users.json') ?? '')).toMatchObject([{ pk: ada.pk, username: ada.username }])
    expect(JSON.parse(parts.get('records/diaries.json') ?? '')).toMatchObject([{ pk: page.pk, page: 'of Ada' }])
    expect(JSON.parse(parts.get('records/receipts.json') ?? '')).toMatchObject([{ item: 'a lamp' }])
    expect(parts.get('records/contactDetails.json')).toContain(ada.email)
    expect(parts.get(`files/diaries/${page.pk}/scan.txt`)).toBe('scan of of Ada')
    expect(JSON.parse(parts.get('audit.json') ?? '').map(({ type }: { type: string }) => type)).toContain('REGISTERED')
    expect(JSON.parse(parts.get('devices.json') ?? '')).toEqual([])
    expect(parts.get('README.txt')).toContain(ada.username)
    // What the user may not read, and what is of others.
    expect([...parts.keys()]).not.toContain('records/remarks.json')
    expect([...parts.values()].join()).not.toContain('of another')
  })

  test('an export is downloaded by its user alone, with a fresh link, until it is deleted', async () => {
    const [ada, other] = [await newUser(), await newUser()]
    const both = await Promise.all([1, 2].map(() => other.client.post(exportsPath, undefined, json)))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    const { url, pk } = await readyExport(ada)
    const status = async ({ client }: Pick<Person, 'client'>, path: string) => (await client.get(path)).status
    expect(await status(other, url)).toBe(404)
    expect(await status({ client: scene.anonymous }, url)).toBe(401)
    expect(await status(ada, url.replace(/signature=./, 'signature=_'))).toBe(403)
    pass(20 * minutes)
    expect(await status(ada, url)).toBe(403)
    const [fresh] = await listed(ada)
    expect(await status(ada, fresh.url)).toBe(200)
    expect((await other.client.delete(`${exportsPath}/${pk}`)).status).toBe(404)
    expect((await ada.client.delete(`${exportsPath}/${pk}`)).status).toBe(204)
    expect(await status(ada, fresh.url)).toBe(404)
    expect(await listed(ada)).toEqual([])
  })

  testAll('an export is deleted when its time is over, and a new one takes the place of the last one', async () => {
    const ada = await newUser()
    const first = await readyExport(ada)
    const second = await readyExport(ada)
    expect((await listed(ada)).map(({ pk }: { pk: string }) => pk)).toEqual([second.pk])
    expect(second.pk).not.toBe(first.pk)
    pass(4 * days)
    await expect.poll(() => listed(ada), { timeout: 20_000 }).toEqual([])
  })

  test('a browser that was left open neither exports nor deletes an account', async () => {
    const ada = await newUser()
    const browser = openBrowser(scene.service.url)
    await browser.signIn(ada.username, ada.password)
    expect((await browser.get(deletion)).status).toBe(200)
    pass(16 * minutes)
    await browser.post('/api/auth/jwt/refresh')
    expect((await browser.post(exportsPath)).status).toBe(403)
    expect((await browser.post(deletion)).status).toBe(403)
    await browser.post('/api/auth/userDetails/verification', { password: ada.password })
    expect((await browser.post(exportsPath)).status).toBe(201)
  })

  test('an account is deleted after the waiting time with all that belongs to it, unless the user cancels', async () => {
    const [ada, stays] = [await newUser(), await newUser()]
    const page = await write(ada, 'Monday')
    const address = { primaryAddress: { addressLine1: 'Lane of Secrets' } }
    expect((await ada.client.patch(`/api/rest/contactDetails/${ada.pk}`, address, json)).status).toBe(200)
    for (const { client } of [ada, stays]) expect((await client.post(deletion, undefined, json)).status).toBe(201)
    const { body } = await ada.client.get(deletion, json)
    expect([body.days, body.due, body.kept]).toEqual([14, new Date(scene.now.getTime() + 14 * days).toISOString(), []])
    expect(body.deleted).toContain('Contact details')
    await scene.server.next(mailFor(ada.email, /will be deleted/))
    expect((await stays.client.delete(deletion)).status).toBe(204)
    expect((await stays.client.get(deletion, json)).body.due).toBeNull()
    pass(13 * days)
    expect((await ada.client.get(deletion, json)).status).toBe(200)
    pass(1 * days)
    await scene.server.next(mailFor(ada.email, /is deleted/))
    expect((await ada.client.get(deletion, json)).status).toBe(401)
    expect((await stays.client.get(deletion, json)).status).toBe(200)
    const admin = scene.service.as('admin')
    expect((await admin.get(`/api/rest/users/${ada.pk}`)).status).toBe(404)
    // A record that others may need stays, without the name of the user.
    expect((await admin.get(`/api/rest/diaries/${page.pk}`, json)).body.createdBy).toBeNull()
    const isErased = async () => !(await storedText(scene.service)).includes('Lane of Secrets')
    await expect.poll(isErased).toBe(true)
  })

  test('a user whom other records need stays without a name, and without a way to sign in', async () => {
    const ada = await newUser()
    const { body: receipt } = await buy(ada.pk, 'a chair')
    await ada.client.patch(`/api/rest/users/${ada.pk}`, { firstName: 'Augusta', description: 'Me' }, json)
    expect((await ada.client.post(deletion, undefined, json)).body.kept).toEqual(['Receipts'])
    pass(15 * days)
    await scene.server.next(mailFor(ada.email, /is deleted/))
    expect((await ada.client.get(deletion, json)).status).toBe(401)
    const admin = scene.service.as('admin')
    const { body } = await admin.get(`/api/rest/users/${ada.pk}`, json)
    expect(body).toMatchObject({ firstName: null, description: null, active: false, roles: [] })
    expect(body.username).toMatch(/^deleted-/)
    expect((await admin.get(`/api/rest/contactDetails/${ada.pk}`)).status).toBe(404)
    expect((await admin.get(`/api/rest/receipts/${receipt.pk}`, json)).text).toContain(body.username)
    expect((await admin.get(`/api/rest/users/${ada.pk}/history`, json)).body.content).toEqual([])
  })

  test('the last administrator stays', async () => {
    const refused = await scene.service.as('admin').post(deletion, undefined, json)
    expect([refused.status, refused.body.code]).toEqual([409, 'last_administrator'])
  })
})
