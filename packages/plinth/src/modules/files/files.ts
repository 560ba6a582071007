// What is stored about files, content that no file refers to, and how many bytes one user may have.
//
// Content is loose on its way in, and when it was replaced or deleted. It is recorded as loose before it is stored and until it
// is deleted, so that nothing is left behind when the process ends.

import { hourMs } from '../../core/jobs/job.ts'
import { defineResource } from '../../core/model/define.ts'
import { boolean, integer, ref, text, timestamp } from '../../core/model/fields.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { RecordReader, Records, TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { Problem } from '../../core/problem.ts'
import { users } from '../people/index.ts'
import { fileProblem } from './problems.ts'
import type { Storage } from './storage.ts'

/** What is known of each file. The pk is also the key of its content: no name that a caller chose becomes a path. */
export const files = defineResource('files', {
  about: 'Files that belong to records.',
  internal: true,
  stamps: 'none',
  fields: {
    resource: text({ required: true, max: 100 }),
    owner: text({ required: true, max: 255 }),
    /** The name in the address. */
    name: text({ required: true, max: 100 }),
    /** The field that has the file, and what its sender calls it; null for files under names of their own. */
    field: text({ max: 100 }),
    title: text({ max: 255 }),
    mediaType: text({ required: true, max: 100 }),
    size: integer({ required: true }),
    sha256: text({ required: true, max: 64 }),
    uploaded: timestamp({ required: true }),
    uploader: ref('users', { onDelete: 'clear' }),
  },
  uniqueTogether: [['resource', 'owner', 'name']],
  access: {},
})

export type FileRecord = Pick<
  Row<typeof files>,
  'pk' | 'name' | 'field' | 'title' | 'mediaType' | 'size' | 'sha256' | 'uploaded'
>

export const createdOf = ({ createdDate }: StoredRecord): string | null =>
  typeof createdDate === 'string' ? createdDate : null

/** Returns false for a file of an earlier record that had the same pk. */
export const isYoungerThan = (created: string | null, { uploaded }: Pick<FileRecord, 'uploaded'>): boolean =>
  created === null || uploaded >= created

/** The pk is the key of the content. What is known of a file is there once the upload for a field is complete. */
export const looseContents = defineResource('looseContents', {
  about: 'Stored content without a file record.',
  internal: true,
  stamps: 'none',
  fields: {
    since: timestamp({ required: true, indexed: true }),
    /** No record will have it: it is deleted as soon as possible. */
    discarded: boolean({ indexed: true }),
    /** What the file was uploaded for; null for content that code has stored. */
    resource: text({ max: 100 }),
    field: text({ max: 100 }),
    name: text({ max: 255 }),
    mediaType: text({ max: 100 }),
    size: integer(),
    sha256: text({ max: 64 }),
    uploader: ref('users', { onDelete: 'clear' }),
  },
  access: {},
})

/** How long records can take an upload as their value. */
export const uploadLifeMs = 23 * hourMs

/** The life of loose files, longer than that and than any request: what is younger may be on its way in, at this instance or another. */
export const looseLifeMs = 24 * hourMs

/** Releases files, in the transaction that takes them from their records. */
export const releaseFiles = async (records: TransactionRecords, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return
  await records.removeMany(files, { where: { pk: { in: keys } } })
  const since = records.now.toISOString()
  await records.createMany(
    looseContents,
    keys.map(pk => ({ pk, since, discarded: true })),
  )
}

export const noteLoose = (records: TransactionRecords, keys: readonly string[], since: string): Promise<void> =>
  records.createMany(
    looseContents,
    keys.map(pk => ({ pk, since })),
  )

/** Files refer to it from now on; or it is gone. */
export const forgetLoose = async (records: Records, keys: readonly string[]): Promise<void> => {
  await records.removeMany(looseContents, { where: { pk: { in: keys } } })
}

/** Removes what is loose of this, as far as it can be done now; the rest is swept up later. */
export const dropLoose = async (records: Records, storage: Storage, keys: readonly string[]): Promise<void> => {
  try {
    const loose = await records.find(looseContents, { where: { pk: { in: keys } } })
    for (const { pk } of loose) await removeLoose(records, storage, pk)
  } catch {
    // It cannot be reached any more, so it is no reason to refuse anything.
  }
}

export const removeLoose = async (records: Records, storage: Storage, key: string): Promise<void> => {
  await storage.remove(key)
  await forgetLoose(records, [key])
}

export interface FileQuota {
  /** The user's pk; null for anonymous callers, whose uploads are counted until a record has them. */
  readonly uploader: string | null
  /** 0 sets no limit. */
  readonly maxBytes: number
}

const usedBy = async (records: RecordReader, uploader: string | null): Promise<number> => {
  let bytes = 0
  if (uploader !== null)
    for await (const batch of records.stream(files, { where: { uploader } }))
      for (const { size } of batch) bytes += size
  return bytes + (await waitingOf(records, uploader))
}

/** Returns the bytes of uploads that no record has yet. All that anonymous callers upload counts together. */
const waitingOf = async (records: RecordReader, uploader: string | null): Promise<number> => {
  let bytes = 0
  const where = { uploader, discarded: null, resource: { ne: null } }
  for await (const batch of records.stream(looseContents, { where })) for (const { size } of batch) bytes += size ?? 0
  return bytes
}

const exceeded = (maxBytes: number): Problem =>
  fileProblem('quota_exceeded', {
    en: `A user can store at most ${maxBytes} bytes of files.`,
    de: `Eine Person kann höchstens ${maxBytes} Bytes an Dateien speichern.`,
  })

/** Refuses a body early that could not be stored. */
export const mustHaveQuotaLeft = async (records: RecordReader, { uploader, maxBytes }: FileQuota): Promise<void> => {
  if (maxBytes > 0 && (await usedBy(records, uploader)) >= maxBytes) throw exceeded(maxBytes)
}

/**
 * Uploads of one user are recorded one after the other. The user is locked before a record refers to them: that takes a weaker lock, and
 * two transactions that have it would wait for each other.
 */
export const holdQuota = async (records: TransactionRecords, { uploader, maxBytes }: FileQuota): Promise<void> => {
  if (maxBytes > 0 && uploader !== null) await records.asService.lock(users, uploader)
}

/** Refuses files beyond the quota, when those of an upload are recorded, after `holdQuota`. */
export const mustBeWithinQuota = async (
  records: TransactionRecords,
  { uploader, maxBytes }: FileQuota,
): Promise<void> => {
  if (maxBytes === 0) return
  if ((await usedBy(records, uploader)) > maxBytes) throw exceeded(maxBytes)
}
