// What fields of files do when records are written. A value that is sent is the pk of an upload: before the write it is replaced by what
// is known of the file, and after it the file belongs to the record. All of it is in the transaction of the write.

import { type FaultReason, fault } from '../../core/fault.ts'
import type { AnyHookContexts } from '../../core/model/hooks.ts'
import type { FieldHooks, FileLimits } from '../../core/model/value-field.ts'
import { Problem } from '../../core/problem.ts'
import { files, looseContents, releaseFiles, uploadLifeMs } from './files.ts'
import { fileFault } from './problems.ts'
import { type FileReference, filesIn, type StoredFile } from './stored-file.ts'

type Before = AnyHookContexts['beforeCreate'] | AnyHookContexts['beforeUpdate']
type After = AnyHookContexts['afterCreate'] | AnyHookContexts['afterUpdate']

interface HookOptions extends Pick<FileLimits, 'most'> {
  readonly required: boolean
}

export const fileHooks = (field: string, options: HookOptions): FieldHooks => {
  const complete = (context: Before) => completeFiles(context, field, options)
  const keep = (context: After) => keepFiles(context, field)
  return {
    first: { beforeCreate: complete, beforeUpdate: complete, batched: true },
    last: {
      afterCreate: keep,
      afterUpdate: keep,
      afterDelete: (context: AnyHookContexts['afterDelete']) => releaseDeleted(context, field),
      batched: true,
    },
  }
}

const refused = (field: string, reason: FaultReason): Problem =>
  new Problem('unprocessable', {
    detail: `${field} ${reason.message}.`,
    errors: [{ pointer: `/${field}`, member: field, ...reason }],
  })

const completeFiles = async (context: Before, field: string, { most, required }: HookOptions): Promise<void> => {
  const { values, before, pk } = context
  const sent = filesIn(values[field])
  if (sent.length === 0) {
    if (most === null || (before !== null && values[field] === undefined)) return
    if (required) throw refused(field, fault('required'))
    values[field] = []
    return
  }
  const filesBefore = new Map(filesIn(before?.[field]).map(file => [file.pk, file]))
  const whole: StoredFile[] = []
  for (const one of sent)
    whole.push(filesBefore.get(one.pk) ?? { ...(await uploadOf(context, field, one)), record: pk })
  values[field] = most === null ? whole[0] : whole
}

/** An upload is for one field, and for the caller who made it. What code has stored is for any. */
const uploadOf = async (
  { records, resource, caller, isService, now }: Before,
  field: string,
  { pk }: FileReference,
): Promise<Omit<StoredFile, 'record'>> => {
  const upload = await records.asService.first(looseContents, { where: { pk } })
  const isFit =
    upload !== null &&
    upload.name !== null &&
    !upload.discarded &&
    now.getTime() - Date.parse(upload.since) < uploadLifeMs &&
    (upload.resource === null || (upload.resource === resource.name && upload.field === field)) &&
    (isService || upload.resource === null || (upload.uploader?.pk ?? null) === caller.pk)
  if (!isFit) throw refused(field, fileFault('file_unknown'))
  const { name, mediaType, size } = upload
  return { pk, name: name ?? '', mediaType: mediaType ?? '', size: size ?? 0 }
}

const keepFiles = async ({ before, record, records, resource, now }: After, field: string): Promise<void> => {
  const past = filesIn(before?.[field])
  const present = filesIn(record[field])
  const added = present.filter(({ pk }) => !past.some(one => one.pk === pk))
  const dropped = past.filter(({ pk }) => !present.some(one => one.pk === pk))
  const own = records.asService
  for (const { pk } of added) {
    // Held, so that no other record can have the same file.
    const upload = await own.lock(looseContents, pk)
    if (!upload || upload.discarded) throw refused(field, fileFault('file_unknown'))
    const { name, mediaType, size, sha256, uploader } = upload
    await own.create(files, {
      pk,
      ...{ resource: resource.name, owner: record.pk, field, name: pk, title: name },
      ...{ mediaType: mediaType ?? '', size: size ?? 0, sha256: sha256 ?? '' },
      uploaded: now.toISOString(),
      uploader: uploader?.pk ?? null,
    })
    await own.remove(looseContents, pk)
  }
  await releaseFiles(
    own,
    dropped.map(({ pk }) => pk),
  )
}

/** The files of records in the trash stay. */
const releaseDeleted = async (
  { before, records, resource }: AnyHookContexts['afterDelete'],
  field: string,
): Promise<void> => {
  if (resource.definition.trash) return
  await releaseFiles(
    records.asService,
    filesIn(before[field]).map(({ pk }) => pk),
  )
}
