// DELETE …/files/{name}.

import { Problem } from '../../core/problem.ts'
import { recordsFor } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { Task } from '../../core/rest/respond.ts'
import { files } from './files.ts'
import { dropLoose, noteLoose } from './loose-contents.ts'
import type { Upload } from './upload.ts'

/** The record goes first, and the content after it: a record never speaks of a file that is not there. */
export const removeFile = async (
  context: Context,
  { request }: Task,
  { owner: { resource, pk }, storage, pictures }: Pick<Upload, 'owner' | 'storage' | 'pictures'>,
): Promise<Answer> => {
  const name = request.params.name ?? ''
  const { asService } = recordsFor(context)
  const removed = await asService.transaction(async records => {
    // Held, so that an upload of the same name comes before or after.
    if (!(await records.lock(resource.definition, pk))) throw new Problem('not_found')
    const file = await records.first(files, { resource: resource.name, owner: pk, name })
    if (!file) throw new Problem('not_found')
    await records.remove(files, file.pk)
    await noteLoose(records, [file.pk], records.now.toISOString())
    if (pictures.includes(name)) await records.update(resource.definition, pk, { [name]: null })
    return file.pk
  })
  await dropLoose(context.platform.records, storage, [removed])
  return { kind: 'nothing', status: 204 }
}
