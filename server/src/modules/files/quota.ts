// How many bytes of files one user may have uploaded, to whichever records.

import { everything, where } from '../../core/model/query.ts'
import type { Reader, Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { files } from './files.ts'

export interface FileQuota {
  /** The user's pk. */
  readonly uploader: string
  /** 0 sets no limit. */
  readonly maxBytes: number
}

const usedBy = async (reader: Reader, uploader: string): Promise<number> => {
  const table = reader.resource(files.name)
  let bytes = 0
  for await (const batch of reader.stream(table, everything(table, where(table, { uploader }))))
    for (const { size } of batch) bytes += Number(size)
  return bytes
}

const exceeded = (maxBytes: number): Problem =>
  new Problem('quota_exceeded', `A user may upload at most ${maxBytes} bytes of files in all.`)

/** Spares the service a body that could not be kept. */
export const mustHaveQuotaLeft = async (reader: Reader, { uploader, maxBytes }: FileQuota): Promise<void> => {
  if (maxBytes > 0 && (await usedBy(reader, uploader)) >= maxBytes) throw exceeded(maxBytes)
}

/** Asked when the files of an upload are noted. Uploads of one user are noted one after the other. */
export const mustBeWithinQuota = async (tx: Transaction, { uploader, maxBytes }: FileQuota): Promise<void> => {
  if (maxBytes === 0) return
  await tx.lock(tx.resource('users'), uploader)
  if ((await usedBy(tx, uploader)) > maxBytes) throw exceeded(maxBytes)
}
