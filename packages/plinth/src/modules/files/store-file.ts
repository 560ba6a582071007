// Files that code makes, such as the PDF of an invoice: into the storage, for a field of a record that is written afterwards.

import { Readable } from 'node:stream'
import { appSettings } from '../../core/config/service-settings.ts'
import { toDiskProblem } from '../../core/durable-files.ts'
import type { FaultReason } from '../../core/fault.ts'
import type { ResourceDefinition } from '../../core/model/define.ts'
import type { Field } from '../../core/model/field.ts'
import type { Records } from '../../core/model/records.ts'
import type { ReadSettings } from '../../core/model/settings.ts'
import type { FileLimits, ValueField } from '../../core/model/value-field.ts'
import type { Problem } from '../../core/problem.ts'
import { detectType } from './detect-type.ts'
import { faultOfFile, refusal } from './field-files.ts'
import { toFileName } from './file-types.ts'
import { dropLoose, looseContents } from './files.ts'
import { storageFor } from './open-storage.ts'
import { fileFault } from './problems.ts'
import { discard, stage, stagingOf } from './staging.ts'
import type { Storage } from './storage.ts'
import { fileSettings } from './storage-settings.ts'
import { putLoose } from './store-files.ts'
import type { FileReference, StoredFile } from './stored-file.ts'

/** The names of the fields of files. */
type FileFieldName<Fields> = {
  [K in keyof Fields & string]: Fields[K] extends ValueField<infer Read>
    ? [NonNullable<Read>] extends [StoredFile | readonly StoredFile[]]
      ? K
      : never
    : never
}[keyof Fields & string]

/** A file that code makes, for a field of a resource. */
export interface NewFile<Name extends string = string> {
  /** The field that will have it. Its limits hold. */
  readonly field: Name
  /** What people see and save it under, such as `invoice-12.pdf`. */
  readonly name: string
  readonly content: Uint8Array | string | AsyncIterable<Uint8Array>
}

/** The part of a context that files need: that of an endpoint, a job or a command. In a transaction, files cannot be stored. */
export interface FileContext {
  readonly records: Pick<Records, 'asService'>
  readonly settings: ReadSettings
}

/** One storage for each running service. */
const storages = new WeakMap<ReadSettings, () => Promise<Storage>>()

const storageOf = ({ settings }: FileContext): Promise<Storage> => {
  const known = storages.get(settings) ?? storageFor({ get: settings })
  storages.set(settings, known)
  return known()
}

/**
 * Stores a file that code makes. Write the result into the field of a record within a day; what no record has by then is deleted. A file that
 * the field does not allow is refused with 422.
 *
 * @example
 * const pdf = await storeFile(context, invoices, { field: 'pdf', name: `${invoice.number}.pdf`, content: bytes })
 * await context.records.update(invoices, invoice.pk, { pdf })
 */
export const storeFile = async <D extends ResourceDefinition>(
  context: FileContext,
  definition: D,
  file: NewFile<FileFieldName<D['fields']>>,
): Promise<FileReference> => {
  const { maxBytes } = limitsOf(definition, file.field)
  const most = context.settings(fileSettings).maxBytes
  return storeFileUpTo(Math.min(maxBytes ?? most, most), context, { definition, file })
}

/** Stores a file that the setting `app.files.maxBytes` does not limit: one that the service makes for itself. */
export const storeFileUpTo = async (
  max: number,
  context: FileContext,
  { definition, file }: { readonly definition: ResourceDefinition; readonly file: NewFile },
): Promise<FileReference> => {
  const { settings } = context
  const records = context.records.asService
  const limits = limitsOf(definition, file.field)
  const name = toFileName(file.name, file.field)
  const content = Readable.from(within(max, file), { objectMode: false })
  try {
    const staged = await stage(stagingOf(settings(appSettings).dataDir), { name, content, signal: never.signal })
    try {
      const mediaType = detectType(staged.head)
      const reason = await faultOfFile({ ...staged, limits, type: mediaType }, 0)
      if (reason) throw refused(file, reason)
      const storage = await storageOf(context)
      await putLoose({ records, storage }, [staged])
      const { key, size, sha256 } = staged
      try {
        await records.update(looseContents, key, { name, mediaType, size, sha256 })
      } catch (error) {
        await dropLoose(records, storage, [key])
        throw error
      }
      return { pk: key }
    } finally {
      await discard(staged.path)
    }
  } catch (error) {
    throw toDiskProblem(error)
  }
}

const never = new AbortController()

const limitsOf = ({ name, fields }: ResourceDefinition, field: string): FileLimits => {
  const declared: Field | undefined = fields[field]
  const limits = declared?.role === 'value' ? declared.type.file : undefined
  if (!limits) throw new Error(`${name}.${field} is not a field of files`)
  return limits
}

const refused = ({ field }: NewFile, reason: FaultReason): Problem =>
  refusal([{ pointer: `/${field}`, member: field, ...reason }])

/** The content in pieces, which ends with a refusal when it is too large. */
async function* within(max: number, file: NewFile): AsyncGenerator<Uint8Array> {
  const { content } = file
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    if (size > max) throw refused(file, fileFault('file_size', { max }))
    yield piece
  }
}
