// The files of a multipart body: staged, checked and put into the storage, all of them or none.

import type { Readable } from 'node:stream'
import { toDiskProblem } from '../../core/durable-files.ts'
import type { Request } from '../../core/http/exchange.ts'
import { type FilePart, readFiles } from '../../core/http/multipart.ts'
import type { Records } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import { dropLoose, noteLoose } from './files.ts'
import { discard, type Staged, stage, stagingOf } from './staging.ts'
import type { Storage } from './storage.ts'

/** A file with the name of its form field. */
export interface FormFile extends Staged {
  readonly field: string
}

export interface Staging {
  readonly dataDir: string
  readonly maxBytes: number
  readonly maxFiles: number
  /** The name under which a file is kept; throws for one that may not come. */
  readonly nameOf: (part: FilePart) => Promise<string> | string
  /** The most bytes of a file that are of use; of a larger one, only its size is found out. All of them unless given. */
  readonly usefulBytesOf?: (part: FilePart) => number
  /** Takes the other parts of the body, where it may have any. */
  readonly others?: OtherParts
}

export interface OtherParts {
  readonly most: number
  /** Says whether the part is one of them, whether or not it comes as a file. */
  readonly has: (part: FilePart) => boolean
  /** The most bytes of each. */
  readonly maxBytes: number
  readonly take: (part: FilePart, content: Readable, signal: AbortSignal) => Promise<void>
}

/** Stages the files of a body for the work that is done with them, and discards what is left of them afterwards. */
export const stageFiles = async <T>(
  request: Request,
  { dataDir, maxBytes, maxFiles, nameOf, usefulBytesOf, others }: Staging,
  work: (staged: readonly FormFile[]) => Promise<T>,
): Promise<T> => {
  const stageField = async (part: FilePart, content: Readable, signal: AbortSignal): Promise<FormFile> => {
    const name = await nameOf(part)
    const limits = { maxBytes, usefulBytes: usefulBytesOf?.(part) }
    return {
      ...(await stage(stagingOf(dataDir), { name, field: part.field, content, signal, ...limits })),
      field: part.field,
    }
  }
  const staging: Promise<FormFile>[] = []
  try {
    const largest = Math.max(maxBytes, others?.maxBytes ?? 0)
    const limits = { maxBytes: largest, maxFiles, maxOthers: others?.most ?? 0 }
    await readFiles(request, limits, async (part, content, signal) => {
      if (others?.has(part)) return others.take(part, content, signal)
      const one = stageField(part, content, signal)
      staging.push(one)
      await one
    })
    return await work(await Promise.all(staging))
  } catch (error) {
    throw toDiskProblem(error)
  } finally {
    // A refusal in the middle of the body leaves a file half staged: it is waited for, and then discarded with the rest.
    const ended = await Promise.allSettled(staging)
    await Promise.all(ended.map(one => (one.status === 'fulfilled' ? discard(one.value.path) : null)))
  }
}

export interface Receiving extends Staging {
  readonly records: Records
  readonly storage: Storage
  /** Throws when one of the files may not be stored. */
  readonly check: (files: readonly FormFile[]) => Promise<void>
}

/** The content is loose until a record of a file refers to it. */
export const storeFiles = (request: Request, receiving: Receiving): Promise<readonly FormFile[]> =>
  stageFiles(request, receiving, async staged => {
    if (staged.length === 0)
      throw new Problem('bad_request', {
        en: 'The body does not contain a file.',
        de: 'Die Anfrage enthält keine Datei.',
      })
    await receiving.check(staged)
    await putLoose(receiving, staged)
    return staged
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
