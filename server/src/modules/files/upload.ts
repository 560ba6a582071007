// POST …/files: every file of the body is kept under the name of its form field, or none is.

import { readFiles } from '../../core/http/multipart.ts'
import { everything, where } from '../../core/model/query.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { addressOf } from '../../core/rest/item.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { Task } from '../../core/rest/respond.ts'
import { type FileRecord, files } from './files.ts'
import { readFileName } from './names.ts'
import { type Owner, toShown } from './owner.ts'
import { discard, type Staged, stage, stagingOf } from './staging.ts'
import type { Storage } from './storage.ts'

const maxFiles = 10
const maxFilesOfOwner = 100

export interface Upload {
  readonly owner: Owner
  readonly storage: Storage
  readonly dataDir: string
  readonly maxBytes: number
}

export const upload = async (context: Context, { request }: Task, upload: Upload): Promise<Answer> => {
  const staging: Promise<Staged>[] = []
  try {
    await readFiles(request, { maxBytes: upload.maxBytes, maxFiles }, async (field, content, signal) => {
      const one = stage(stagingOf(upload.dataDir), { name: readFileName(field), content, signal })
      staging.push(one)
      await one
    })
    const staged = await Promise.all(staging)
    mustBeGood(staged)
    return await keep(context, upload, staged)
  } finally {
    // A refusal in the middle of the body leaves a file half staged: it is waited for, and then discarded with the rest.
    const ended = await Promise.allSettled(staging)
    await Promise.all(ended.map(one => (one.status === 'fulfilled' ? discard(one.value.path) : null)))
  }
}

const mustBeGood = (staged: readonly Staged[]): void => {
  if (staged.length === 0) throw new Problem('bad_request', 'The body holds no file.')
  if (new Set(staged.map(({ name }) => name)).size < staged.length)
    throw new Problem('unprocessable', 'Two files have the same name.')
}

/** The content goes first: a record never speaks of a file that is not there. */
const keep = async (context: Context, { owner, storage }: Upload, staged: readonly Staged[]): Promise<Answer> => {
  const put: string[] = []
  // What cannot be removed now is no reason to refuse: nobody can reach it any more.
  const remove = (keys: readonly string[]) => Promise.allSettled(keys.map(key => storage.remove(key)))
  const now = context.platform.clock().toISOString()
  let replaced: readonly FileRecord[]
  try {
    for (const { key, path } of staged) {
      put.push(key)
      await storage.put(key, path)
    }
    replaced = await context.platform.store.transaction(tx =>
      note(tx, { owner, staged, now, uploader: context.caller.pk }),
    )
  } catch (error) {
    await remove(put)
    throw error
  }
  await remove(replaced.map(({ pk }) => pk))
  return {
    kind: 'value',
    status: replaced.length < staged.length ? 201 : 200,
    name: 'files',
    value: { files: staged.map(({ key, ...one }) => toShown({ pk: key, uploaded: now, ...one }, owner)) },
  }
}

interface Noting {
  readonly owner: Owner
  readonly staged: readonly Staged[]
  readonly now: string
  readonly uploader: string | null
}

/** Gives the files that had these names before. */
const note = async (tx: Transaction, { owner, staged, now, uploader }: Noting): Promise<readonly FileRecord[]> => {
  const { resource, pk } = owner
  // Held, so that two uploads of one name come one after the other, and none comes after the record is gone.
  if (!(await tx.lock(resource, pk))) throw new Problem('not_found')
  const table = tx.resource(files.name)
  const { records } = await tx.find(table, everything(table, where(table, { resource: resource.name, owner: pk })))
  const names = new Set(staged.map(({ name }) => name))
  const replaced = (records as unknown as readonly FileRecord[]).filter(({ name }) => names.has(name))
  if (records.length - replaced.length + staged.length > maxFilesOfOwner)
    throw new Problem('conflict', `A record has at most ${maxFilesOfOwner} files.`)
  for (const old of replaced) await tx.remove(table, old.pk)
  for (const { key, name, mediaType, size, sha256 } of staged) {
    const file = { resource: resource.name, owner: pk, name, mediaType, size, sha256 }
    await tx.insert(table, key, { ...file, uploaded: now, uploader })
  }
  const urls = urlMembers(owner, staged)
  if (Object.keys(urls).length > 0) await tx.update(resource, pk, { ...urls, lastModifiedDate: now })
  return replaced
}

/** `avatarUrl` and its like are members as well: they point to the file of their name, anew with each content. */
const urlMembers = ({ resource, pk }: Owner, staged: readonly Staged[]): Record<string, string> =>
  Object.fromEntries(
    staged
      .filter(({ name }) => name.endsWith('Url') && resource.members.has(name))
      .map(({ name, sha256 }) => [name, `${addressOf(resource, pk)}/files/${name}?v=${sha256.slice(0, 12)}`]),
  )
