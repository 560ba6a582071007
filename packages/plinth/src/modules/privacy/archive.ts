// The archive with everything about a user: records as the user may read them, files, devices and the audit log.

import { resourceTitle } from '../../core/describe/names.ts'
import { toWritten } from '../../core/formats/files/columns.ts'
import type { CellRows, FileFormat } from '../../core/formats/files/file-format.ts'
import { fileFormatNamed } from '../../core/formats/files/index.ts'
import type { Records } from '../../core/model/records.ts'
import type { Context } from '../../core/rest/context.ts'
import { rowsOf } from '../../core/rest/export.ts'
import { type AddEntry, zipOf } from '../../core/zip.ts'
import { auditEvents } from '../audit/index.ts'
import { sessions } from '../auth/index.ts'
import { files, type Storage, toFileName } from '../files/index.ts'
import { type User, users } from '../people/index.ts'
import { type OwnRecords, ownRecords } from './own-records.ts'
import { readMe } from './read-me.ts'

export interface Archived {
  /** The context of the user, whose permissions hold. */
  readonly context: Context
  readonly user: Pick<User, 'pk' | 'username' | 'locale'>
  readonly storage: Storage
  readonly now: Date
  readonly signal: AbortSignal
}

export const archiveOf = (archived: Archived): AsyncGenerator<Buffer> =>
  zipOf(async add => {
    const { context, user, now, signal } = archived
    await add('README.txt', only(readMe(user, now)))
    for (const own of ownRecords(context, user.pk)) {
      signal.throwIfAborted()
      await addRecords(add, context, own)
    }
    await addFiles(add, archived)
    const { records } = context.platform
    await add('devices.json', only(toJson(await devicesOf(records, user.pk))))
    await add('audit.json', linesOf(auditOf(records, user.username)))
  })

async function* only(text: string): AsyncGenerator<string> {
  yield text
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const json: FileFormat = fileFormatNamed('json')

/** A resource without a record of the user has no file. */
const addRecords = async (add: AddEntry, context: Context, own: OwnRecords): Promise<void> => {
  const rows = rowsOf(context, own)[Symbol.asyncIterator]()
  const first = await rows.next()
  if (first.done || first.value.length === 0) return
  const all: CellRows = (async function* () {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => rows }
  })()
  const title = resourceTitle(own.resource, 'en')
  await add(`records/${own.resource.name}.json`, json.write({ title, columns: own.columns.map(toWritten), rows: all }))
}

/** Files that the user has sent, and those of the user's own record. */
const addFiles = async (add: AddEntry, { context, user, storage, signal }: Archived): Promise<void> => {
  const { records } = context.platform
  const where = { or: [{ uploader: user.pk }, { resource: users.name, owner: user.pk }] }
  const paths = new Set<string>()
  for await (const batch of records.stream(files, { where }))
    for (const { pk, resource, owner, name, title } of batch) {
      signal.throwIfAborted()
      const folder = `files/${resource}/${encodeURIComponent(owner)}`
      const path = `${folder}/${toFileName(title ?? name, pk)}`
      const free = paths.has(path) ? `${folder}/${pk}` : path
      paths.add(free)
      // What was deleted in the meantime is not there any more.
      const content = await storage.read(pk).catch(() => null)
      if (content) await add(free, content, { compress: false })
    }
}

const devicesOf = async (records: Records, user: string): Promise<readonly object[]> =>
  (await records.find(sessions, { where: { user }, sort: 'created' })).map(
    ({ created, lastUsed, until, userAgent, address }) => ({ created, lastUsed, until, userAgent, address }),
  )

async function* auditOf(records: Records, username: string): AsyncGenerator<object> {
  for await (const batch of records.stream(auditEvents, { where: { principal: username } }))
    for (const { timestamp, type, data } of batch) yield { timestamp, type, data }
}

/** A list as it arrives. */
async function* linesOf(values: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const value of values) {
    yield separator + JSON.stringify(value)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
