// Export by `Accept`, with the permissions of the caller, and import by POST.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { fetchRaw } from '@plinth/test-kit/fetch-raw'
import { make, startLibrary } from '@plinth/test-kit/library'
import type { Client, TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileFormatOf } from '../../src/core/formats/files/index.ts'
import { Problem } from '../../src/core/problem.ts'
import { contextFor } from '../../src/core/rest/context.ts'
import { commandLine } from '../../src/modules/exchange/commands.ts'
import { importFile } from '../../src/modules/exchange/import-records.ts'
import { createImportLog } from '../../src/modules/exchange/import-result.ts'
import type { ImportEvent } from '../../src/modules/exchange/import-task.ts'

const json = { Accept: 'application/json' }
const csv = { Accept: 'text/csv' }
const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  let staff: Client
  let user: Client
  beforeAll(async () => {
    service = await startLibrary(database, {
      settings: { 'app.exchange.maxRowsAtOnce': '3', 'app.exchange.maxBytes': '5000' },
    })
    ;[admin, staff, user] = [service.as('admin'), service.as('staff'), service.as('client')]
  })
  afterAll(() => service.stop())
  beforeEach(() =>
    service.app.platform.store.transaction(async tx => {
      for (const name of ['books', 'authors', 'shelves'])
        await tx.removeWhere(tx.resource(name), { op: 'const', value: true })
    }),
  )

  const send = (
    client: Client,
    query: string,
    body: string | Uint8Array,
    type = 'text/csv',
    accept = 'application/json',
  ) => client(`/api/import/${query}`, { method: 'POST', body, headers: { 'Content-Type': type, Accept: accept } })
  const titles = async () =>
    (await staff.get('/api/rest/books?sort=title&fields=title&_ps=500', json)).body.content.map(
      ({ title }: { title: string }) => title,
    )

  test('a list is exported in the file format that Accept names', async () => {
    const shelf = await make(staff, 'shelves', { name: 'East' })
    for (const title of ['b', '=a', 'c']) await make(staff, 'books', { title, shelf: shelf.pk, pages: 7 })
    const path = '/api/rest/books?fields=title,shelf.name,pages&filter=title!=c&sort=-title&_ps=1'
    const asCsv = await user.get(path, csv)
    expect([asCsv.status, asCsv.text]).toEqual([200, "title,shelf.name,pages\r\nb,East,7\r\n'=a,East,7\r\n"])
    expect(asCsv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(asCsv.headers.get('content-disposition')).toBe('attachment; filename="books.csv"')
    const asLines = await user.get(path, { Accept: 'application/x-ndjson, */*;q=0.1' })
    expect(asLines.text.split('\n')[0]).toBe('{"title":"b","shelf.name":"East","pages":7}')
    const asList = await user.get(`${path}&_export=json`)
    expect(asList.body).toEqual([
      { title: 'b', 'shelf.name': 'East', pages: 7 },
      { title: '=a', 'shelf.name': 'East', pages: 7 },
    ])
    // A format of the same preference wins over the export.
    const page = await user.get('/api/rest/books?_ps=1', { Accept: 'text/csv, application/json' })
    expect(page.body.content).toHaveLength(1)
    expect((await user.get('/api/rest/books?fields=titel', csv)).body.detail).toContain('Did you mean title?')
    // Before the first line is sent.
    const related = await user.get('/api/rest/books?fields=title,shelf.path', csv)
    expect([related.status, related.body.detail]).toEqual([
      400,
      "'shelf.path' cannot be exported: only the label and the pk of related records can.",
    ])
    expect((await user.get('/api/rest/books?_export=doc')).status).toBe(400)
    expect((await service.as('anonymous').get('/api/rest/users', csv)).status).toBe(401)
  })

  test('an export shows what the caller may read, and costs what it reads', async () => {
    await make(staff, 'authors', { name: 'Ann' })
    await make(staff, 'authors', { name: 'Bob', known: false })
    expect((await user.get('/api/rest/authors?fields=name', csv)).text).toBe('name\r\nAnn\r\n')
    expect((await staff.get('/api/rest/authors?fields=name&sort=name', csv)).text).toBe('name\r\nAnn\r\nBob\r\n')
    await make(staff, 'books', { title: 'a', purchasePrice: 3 })
    expect((await user.get('/api/rest/books', csv)).text).not.toContain('purchasePrice')
    expect((await user.get('/api/rest/books?fields=purchasePrice', csv)).status).toBe(400)
    expect((await staff.get('/api/rest/books?fields=purchasePrice', csv)).text).toBe('purchasePrice\r\n3\r\n')
  })

  test('a spreadsheet is imported as it was exported', async () => {
    for (const title of ['=a', "'b", ' c ', '1']) await make(staff, 'books', { title, pages: 5, inPrint: false })
    const path = `${service.url}/api/rest/books?fields=pk,title,pages,inPrint`
    const exported = await fetchRaw(path, { Authorization: `Basic ${btoa('staff:staff')}`, Accept: sheet })
    expect(exported.headers['content-type']).toBe(sheet)
    const again = await send(admin, 'books?key=pk', exported.bytes, sheet)
    expect(again.body).toMatchObject({ created: 0, changed: 0, unchanged: 4, refused: 0 })
    expect((await send(admin, 'books', 'no archive', sheet)).body.detail).toContain('not a spreadsheet')
  })

  test('rows are mapped, matched by a key and reported with line and field', async () => {
    await make(staff, 'shelves', { name: 'North' })
    await make(staff, 'books', { title: 'old', isbn: '1234567890', pages: 7 })
    const file =
      'Title,isbn,Shelf,pages\nnew,1234567890,North,8\nadded,0987654321,,12\n,1111111111,,1\nx,2222222222,Nowhere,1\n'
    const query = 'books?key=isbn&map=Title%3Dtitle&map=Shelf%3Dshelf.name'
    const preview = await send(admin, 'books/preview', file)
    expect(preview.body.columns).toEqual([
      { header: 'Title', field: 'title' },
      { header: 'isbn', field: 'isbn' },
      { header: 'Shelf', field: 'shelf.name' },
      { header: 'pages', field: 'pages' },
    ])
    expect(preview.body.rows[0]).toEqual({ line: 2, cells: ['new', '1234567890', 'North', '8'] })
    const trial = await send(admin, `${query}&dryRun=true`, file)
    expect(trial.body).toMatchObject({ created: 1, changed: 1, refused: 2, dryRun: true, uncheckedBehind: null })
    expect(await titles()).toEqual(['old'])
    const { body } = await send(admin, query, file)
    expect(body).toMatchObject({ created: 1, changed: 1, unchanged: 0, refused: 2, dryRun: false })
    expect(body.rows).toMatchObject([
      { line: 4, errors: [{ member: 'title', column: 'Title', code: 'required' }] },
      { line: 5, errors: [{ member: 'Shelf', column: 'Shelf' }], cells: { Title: 'x', Shelf: 'Nowhere' } },
    ])
    expect(trial.body).toMatchObject({ rows: body.rows, reasons: body.reasons })
    expect(await titles()).toEqual(['added', 'new'])
  })

  test('refused rows are counted by reason, with some of the values', async () => {
    const rows = ['a,Nowhere', 'b,East', ',Elsewhere', 'c,Nowhere', 'd,North', 'e,']
    await make(staff, 'shelves', { name: 'North' })
    const { body } = await send(admin, 'books?dryRun=true', ['title,shelf.name', ...rows].join('\n'))
    expect(body).toMatchObject({ created: 2, refused: 4, uncheckedBehind: null })
    expect(body.reasons).toEqual([
      {
        member: 'shelf.name',
        code: 'no_match',
        message: 'matches no record of shelves',
        params: { resource: 'shelves' },
        count: 4,
        line: 2,
        values: ['Nowhere', 'East', 'Elsewhere'],
      },
    ])
  })

  test('progress comes as lines, and the result in the last one', async () => {
    const { text } = await send(admin, 'books', 'title\na\n""\nb\n', 'text/csv', 'application/x-ndjson')
    const lines = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toMatchObject([{ refused: { line: 3 } }, { result: { created: 2, refused: 1 } }])
  })

  test('all or nothing writes nothing when a row is refused, and takes so many rows', async () => {
    const refused = await send(admin, 'books?allOrNothing=true', 'title\na\n""\n')
    expect(refused.body).toMatchObject({ created: 0, refused: 1 })
    const long = await send(admin, 'books?allOrNothing=true', 'title\na\nb\nc\nd\n')
    expect(long.body.detail).toContain('has 4 rows; an import that is all or nothing takes at most 3')
    expect(await titles()).toEqual([])
    expect((await send(admin, 'books?allOrNothing=true', 'title\na\nb\n')).body.created).toBe(2)
  })

  test('columns of fields that only the service writes are named, and not imported', async () => {
    const sent = await send(admin, 'books', 'title,popularity\nowned,7\n')
    expect(sent.body).toMatchObject({ created: 1, refused: 0, ignoredColumns: ['popularity'] })
    const found = (await staff.get('/api/rest/books?title=owned', json)).body.content
    expect(found).toMatchObject([{ title: 'owned', popularity: 0 }])
  })

  test('imported users sign in with the passwords of the file', async () => {
    const passwordOf = (name: string) => `${name} keeps seven lamps`
    const rows = (...names: string[]) =>
      ['username,password', ...names.map(name => `${name},${passwordOf(name)}`)].join('\n')
    expect((await send(admin, 'users', rows('ines', 'jonas'))).body).toMatchObject({ created: 2, refused: 0 })
    const whole = await send(admin, 'users?allOrNothing=true', rows('karla', 'lev'))
    expect(whole.body).toMatchObject({ created: 2, refused: 0 })
    const short = await send(admin, 'users', `${rows('mona')}\nnils,x\n`)
    expect(short.body).toMatchObject({
      created: 1,
      refused: 1,
      rows: [{ line: 3, errors: [{ member: 'password' }] }],
    })
    const signIn = (name: string, password: string) =>
      service.as('anonymous').post('/api/auth/userDetails', { username: name, password })
    for (const name of ['ines', 'jonas', 'karla', 'lev', 'mona']) {
      expect((await signIn(name, passwordOf(name))).status).toBe(200)
      expect((await signIn(name, 'another password')).status).toBe(401)
    }
  })

  test('all or nothing and dry runs end when the caller leaves, and after a while', async () => {
    const { platform } = service.app
    const file = join(service.folder, 'books.csv')
    await writeFile(file, 'title\na\nb\n')
    const events: ImportEvent[] = []
    const task = {
      ...{ resource: platform.registry.resource('books'), file, format: fileFormatOf('csv', file), key: [] },
      ...({ mode: 'create', mapping: new Map(), isAtomic: true, isDryRun: false } as const),
      report: (event: ImportEvent) => events.push(event),
    }
    const context = contextFor(platform, commandLine)
    await expect(importFile(context, { ...task, signal: AbortSignal.abort() })).rejects.toThrow(/aborted/)
    const isDryRun = true
    await expect(importFile(context, { ...task, isDryRun, signal: AbortSignal.abort() })).rejects.toThrow(/aborted/)
    if (database === 'sqlite')
      await expect(importFile(context, { ...task, maxSecondsAtOnce: 0 })).rejects.toThrow(/took more than 0 seconds/)
    // A check keeps no one waiting, so it may take its time.
    expect(await importFile(context, { ...task, isDryRun, maxSecondsAtOnce: 0 })).toMatchObject({ created: 2 })
    expect(events).toEqual([])
    expect(await titles()).toEqual([])
  })

  test('a stream lists a thousand refused rows, and counts the others', async () => {
    const row = { line: 1, cells: {}, cellsAre: 'text' } as const
    const refused = { kind: 'refused', row, problem: new Problem('invalid'), columnOf: () => null } as const
    const lines: string[] = []
    const stream = createImportLog(false).stream(
      async report => {
        for (let row = 0; row < 1200; row++) report(refused)
        return { created: 0, changed: 0, unchanged: 0, refused: 1200 }
      },
      async () => {},
    )
    for await (const piece of stream) lines.push(...piece.trimEnd().split('\n'))
    expect(lines.length).toBe(1001)
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ result: { refused: 1200 } })
  })

  test('imports are for administrators, and mistakes in them are explained', async () => {
    expect((await send(service.as('anonymous'), 'books', 'title\na\n')).status).toBe(401)
    for (const client of [user, staff]) expect((await send(client, 'books', 'title\na\n')).status).toBe(403)
    expect((await send(admin, 'nothing', 'name\na\n')).status).toBe(404)
    expect((await send(admin, 'books', 'x', 'text/html')).status).toBe(415)
    expect((await send(admin, 'books', `title\n${'x'.repeat(6000)}`)).status).toBe(413)
    expect((await send(admin, 'books?mode=update', 'title\na\n')).body.detail).toContain('needs a key')
    expect((await send(admin, 'books', 'titel\na\n')).body.detail).toContain('Did you mean title?')
  })
})
