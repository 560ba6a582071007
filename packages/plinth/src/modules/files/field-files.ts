// Files for fields of a resource, as they have arrived: what is wrong with them, and how they are recorded until a record has them.

import { type FaultReason, fault } from '../../core/fault.ts'
import { isAllowedType } from '../../core/formats/allowed-type.ts'
import type { FileField } from '../../core/model/file-fields.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { FileLimits } from '../../core/model/value-field.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/context.ts'
import { detectType } from './detect-type.ts'
import { looseContents } from './files.ts'
import { fileFault } from './problems.ts'
import { isPicture, maxMegapixels } from './serve.ts'
import type { FormFile } from './store-files.ts'

type FileFields = ReadonlyMap<string, FileField>

/** A file for a field. */
export interface FieldFile extends FormFile {
  readonly target: FileField
  /** Detected more closely than that of files under names of their own. */
  readonly type: string
}

/** The most files of one request. */
export const maxFiles = 20

/** Throws unless the resource has the field of files, and the caller may write it. */
export const mustBeField = ({ platform, caller }: Context, name: string, fields: FileFields): void => {
  const target = fields.get(name)
  if (!target) {
    const shortName = name.slice(0, 100)
    const reason = fileFault('file_field', { fields: [...fields.keys()].join(', ') })
    throw refusal([{ pointer: `/${shortName}`, member: shortName, ...reason }])
  }
  if (!platform.access.mayWrite(target.field, caller)) throw new Problem('forbidden')
}

export const toFieldFiles = (files: readonly FormFile[], fields: FileFields): readonly FieldFile[] =>
  files.flatMap(file => {
    const target = fields.get(file.field)
    return target ? [{ ...file, target, type: detectType(file.head) }] : []
  })

/** What is wrong with a file, and its place among those of its field. */
interface FileFault {
  readonly field: string
  readonly isList: boolean
  readonly at: number
  readonly reason: FaultReason
}

/** All faults of all files together. */
export const faultsOfFiles = async (files: readonly FieldFile[]): Promise<readonly FileFault[]> => {
  const faults: FileFault[] = []
  const counts = new Map<string, number>()
  for (const file of files) {
    const { field } = file
    const { limits } = file.target
    const at = counts.get(field) ?? 0
    counts.set(field, at + 1)
    const reason = await faultOfFile({ ...file, limits }, at)
    if (reason) faults.push({ field, isList: limits.most !== null, at, reason })
  }
  return faults
}

export const refusal = (errors: readonly Fault[]): Problem => {
  const [first] = errors
  const detail = errors.length === 1 ? `${first?.member} ${first?.message}.` : `${errors.length} files are refused.`
  return new Problem('unprocessable', { detail, errors })
}

/** A file that has arrived, with the limits of its field. */
interface LimitedFile extends Pick<FormFile, 'size' | 'path'> {
  readonly limits: FileLimits
  readonly type: string
}

/** What is wrong with a file at this place of its field; null if nothing is. */
export const faultOfFile = async (
  { limits, size, type, path }: LimitedFile,
  at: number,
): Promise<FaultReason | null> => {
  const { most, maxBytes, mediaTypes, areImages } = limits
  if (most === null && at > 0) return fileFault('one_file')
  if (most !== null && at === most) return fault('max_entries', { max: most })
  if (maxBytes !== null && size > maxBytes) return fileFault('file_size', { max: maxBytes })
  if (mediaTypes && !isAllowedType(type, mediaTypes)) return fileFault('file_type', { types: mediaTypes.join(', ') })
  return areImages && !(await isPicture(path, type)) ? fileFault('picture', { max: maxMegapixels }) : null
}

/** Records what the files are for, so that a record of the caller can take them. */
export const recordUploads = async (
  records: TransactionRecords,
  resource: string,
  files: readonly FieldFile[],
): Promise<void> => {
  for (const { key, field, name, type, size, sha256 } of files) {
    const known = { resource, field, name, mediaType: type, size, sha256 }
    await records.update(looseContents, key, { ...known, uploader: records.caller.pk })
  }
}
