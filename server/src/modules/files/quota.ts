// How many bytes of files one user may have uploaded, to whichever records.

import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import { defineProblems, type Problem } from '../../core/problem.ts'
import { users } from '../people/index.ts'
import { files } from './files.ts'

export const fileProblem = defineProblems({
  quota_exceeded: {
    status: 409,
    title: 'Quota exceeded',
    meaning: 'The user has uploaded as many bytes of files as one user may; delete files first.',
  },
})

export interface FileQuota {
  /** The user's pk. */
  readonly uploader: string
  /** 0 sets no limit. */
  readonly maxBytes: number
}

const usedBy = async (records: RecordReader, uploader: string): Promise<number> => {
  let bytes = 0
  for await (const batch of records.stream(files, { where: { uploader } })) for (const { size } of batch) bytes += size
  return bytes
}

const exceeded = (maxBytes: number): Problem =>
  fileProblem('quota_exceeded', `A user may upload at most ${maxBytes} bytes of files in all.`)

/** Spares the service a body that could not be kept. */
export const mustHaveQuotaLeft = async (records: RecordReader, { uploader, maxBytes }: FileQuota): Promise<void> => {
  if (maxBytes > 0 && (await usedBy(records, uploader)) >= maxBytes) throw exceeded(maxBytes)
}

/** Asked when the files of an upload are noted. Uploads of one user are noted one after the other. */
export const mustBeWithinQuota = async (
  records: TransactionRecords,
  { uploader, maxBytes }: FileQuota,
): Promise<void> => {
  if (maxBytes === 0) return
  await records.asService.lock(users, uploader)
  if ((await usedBy(records, uploader)) > maxBytes) throw exceeded(maxBytes)
}
