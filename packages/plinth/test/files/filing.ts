// A module whose records have files, and a service with it, to which files are sent as forms.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createClock } from '@plinth/test-kit/clock'
import type { TestedDatabase } from '@plinth/test-kit/databases'
import { modules } from '@plinth/test-kit/platform'
import { type DemoUser, startService } from '@plinth/test-kit/service'
import { expect } from 'vitest'
import {
  choice,
  defineEndpoint,
  defineModule,
  defineProblems,
  defineResource,
  file,
  image,
  integer,
  storeFile,
  text,
} from '../../src/index.ts'

const refusals = defineProblems({ no_good: { status: 409, title: 'No good', meaning: 'The title is bad.' } })

const cases = defineResource('cases', {
  about: 'Cases with files.',
  label: 'title',
  history: true,
  fields: {
    title: text({ required: true }),
    photo: image({ maxBytes: 20_000 }),
    papers: file({ several: true, most: 3, mediaTypes: ['application/pdf', 'text/*'] }),
    secret: file({ readable: "caller.has('ROLE_ADMIN')", writable: "caller.has('ROLE_ADMIN')" }),
  },
  hooks: {
    afterCreate: ({ values }) => {
      if (values.title === 'bad') throw refusals('no_good')
    },
  },
  access: {
    read: "caller.has('ROLE_STAFF') || record.title != 'hidden'",
    write: "caller.has('ROLE_STAFF')",
  },
})

const drafts = defineResource('drafts', {
  about: 'Drafts with a trash.',
  trash: true,
  fields: { paper: file({ required: true }) },
  access: { read: 'caller.signedIn', write: 'caller.signedIn' },
})

const forms = defineResource('openForms', {
  about: 'Forms that anybody sends.',
  fields: { paper: file() },
  access: { read: "caller.has('ROLE_STAFF')", create: 'true' },
})

const reports = defineResource('fileReports', {
  about: 'Reports with at least one file.',
  fields: { papers: file({ several: true, required: true }) },
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_STAFF')" },
})

/** Writes a letter to a case: in the field that the body names, of as many letters as it says. */
const writeLetter = defineEndpoint({
  method: 'POST',
  path: '/api/rest/cases/{pk}/letter',
  id: 'writeLetter',
  summary: 'Write a letter',
  access: "caller.has('ROLE_STAFF')",
  body: {
    field: choice(['photo', 'papers'], { default: 'papers' }),
    text: text({ required: true }),
    times: integer({ default: 1 }),
  },
  answers: { 200: cases },
  run: async ({ params, body, records, settings }) => {
    const pieces = async function* () {
      for (let time = 0; time < body.times; time++) yield Buffer.from(body.text)
    }
    const letter = await storeFile({ records, settings }, cases, {
      field: body.field,
      name: '../letters/Straße 1.txt',
      content: pieces(),
    })
    return records.update(cases, params.pk, body.field === 'photo' ? { photo: letter } : { papers: [letter] })
  },
})

const filing = defineModule({
  name: 'filing',
  about: 'Cases with files.',
  problems: refusals.table,
  resources: [cases, drafts, forms, reports],
  endpoints: [writeLetter],
})

type Sender = DemoUser | 'anonymous'
export type FileParts = readonly (readonly [field: string, content: string | Buffer, name?: string])[]

/** A file has a name; an object is sent as a document, of the media type in the place of the name. */
export type FormParts = readonly (readonly [field: string, content: string | Buffer | object, name?: string])[]

export const problems = { Accept: 'application/json, application/problem+json' }

/** Starts a service whose clock the tests move. */
export const startFiling = async (database: TestedDatabase) => {
  const clock = createClock(new Date().toISOString())
  const service = await startService(database, {
    modules: [...modules, filing],
    clock: clock.now,
    settings: { 'app.files.maxBytes': '100000', 'app.api.rateLimit.requests': '0' },
  })

  const send = async (as: Sender, resource: string, parts: FileParts, headers: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [field, content, name = 'original'] of parts) form.append(field, new Blob([content]), name)
    const framed = new Response(form)
    return service.as(as)(`/api/rest/${resource}/files`, {
      method: 'POST',
      headers: { ...problems, 'Content-Type': framed.headers.get('content-type') ?? '', ...headers },
      body: new Uint8Array(await framed.arrayBuffer()),
    })
  }

  /** Sends a record with its files in one request. A part whose content is an object is sent as JSON. */
  const sendForm = async (as: Sender, path: string, parts: FormParts, { method = 'POST', headers = {} } = {}) => {
    const form = new FormData()
    for (const [field, content, name] of parts)
      if (typeof content === 'object' && !Buffer.isBuffer(content))
        form.append(field, new Blob([JSON.stringify(content)], { type: name ?? 'application/json' }))
      else if (name === undefined) form.append(field, String(content))
      else form.append(field, new Blob([content]), name)
    const framed = new Response(form)
    return service.as(as)(`/api/rest/${path}`, {
      method,
      headers: { ...problems, 'Content-Type': framed.headers.get('content-type') ?? '', ...headers },
      body: new Uint8Array(await framed.arrayBuffer()),
    })
  }

  /** Uploads files for a case. */
  const upload = async (...parts: FileParts) => (await send('staff', 'cases', parts)).body

  const create = async (values: object) => {
    const { status, body } = await service.as('staff').post('/api/rest/cases', { title: 'One', ...values }, problems)
    expect([status, body.code]).toEqual([201, undefined])
    return { ...body, address: `/api/rest/cases/${body.pk}` }
  }

  /** The keys of all content in the storage. */
  const stored = async (): Promise<readonly string[]> => {
    const folder = join(service.folder, 'files')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return entries.filter(entry => entry.isFile()).map(entry => entry.name)
  }

  /** The files on their way in. */
  const staged = (): Promise<readonly string[]> => readdir(join(service.folder, 'uploads')).catch(() => [])

  return { service, clock, staged, send, sendForm, upload, create, stored }
}

export type Filing = Awaited<ReturnType<typeof startFiling>>
