// The files of a multipart body: staged, checked and put into the storage, all of them or none.

import { toDiskProblem } from '../../core/durable-files.ts'
import type { Request } from '../../core/http/exchange.ts'
import { type FilePart, readFiles } from '../../core/http/multipart.ts'
import type { Records } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import { dropLoose, noteLoose } from './files.ts'
import { type Arriving, discard, type Staged, stage, stagingOf } from './staging.ts'
import type { Storage } from './storage.ts'

/** A file with the name of its form field. */
export interface FormFile extends Staged {
  readonly field: string
}

export interface Receiving {
  readonly records: Records
  readonly storage: Storage
  readonly dataDir: string
  readonly maxBytes: number
  readonly maxFiles: number
  /** The name under which a file is kept; throws for one that may not come. */
  readonly nameOf: (part: FilePart) => string
  /** Throws when one of the files may not be stored. */
  readonly check: (files: readonly FormFile[]) => Promise<void>
}

/** The content is loose until a record of a file refers to it. */
export const storeFiles = async (request: Request, receiving: Receiving): Promise<readonly FormFile[]> => {
  const { dataDir, maxBytes, maxFiles, nameOf, check } = receiving
  const staging: Promise<FormFile>[] = []
  try {
    await readFiles(request, { maxBytes, maxFiles }, async (part, content, signal) => {
      const one = stageField(part, { name: nameOf(part), content, signal }, dataDir)
      staging.push(one)
      await one
    })
    const staged = await Promise.all(staging)
    if (staged.length === 0)
      throw new Problem('bad_request', {
        en: 'The body does not contain a file.',
        de: 'Die Anfrage enthält keine Datei.',
      })
    await check(staged)
    await putLoose(receiving, staged)
    return staged
  } catch (error) {
    throw toDiskProblem(error)
  } finally {
    // A refusal in the middle of the body leaves a file half staged: it is waited for, and then discarded with the rest.
    const ended = await Promise.allSettled(staging)
    await Promise.all(ended.map(one => (one.status === 'fulfilled' ? discard(one.value.path) : null)))
  }
}

const stageField = async ({ field }: FilePart, arriving: Arriving, dataDir: string): Promise<FormFile> => ({
  ...(await stage(stagingOf(dataDir), arriving)),
  field,
})

export const keysOf = (staged: readonly Staged[]): string[] => staged.map(({ key }) => key)

/** Into the storage, recorded as loose before: nothing is left behind when the process ends. */
export const putLoose = async (
  { records, storage }: Pick<Receiving, 'records' | 'storage'>,
  staged: readonly Staged[],
): Promise<void> => {
  await records.transaction(own => noteLoose(own, keysOf(staged), own.now.toISOString()))
  try {
    for (const { key, path } of staged) await storage.put(key, path)
  } catch (error) {
    await dropLoose(records, storage, keysOf(staged))
    throw error
  }
}
