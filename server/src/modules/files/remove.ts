// DELETE …/files/{name}.

import { Problem } from '../../core/problem.ts'
import type { Call } from '../../core/rest/endpoint.ts'
import { files } from './files.ts'
import { dropLoose, noteLoose } from './loose-contents.ts'
import type { Upload } from './upload.ts'

/** The record goes first, and the content after it: a record never speaks of a file that is not there. */
export const removeFile = async (
  { context, request, records: { asService } }: Pick<Call, 'context' | 'request' | 'records'>,
  { owner: { resource, pk }, storage, pictures }: Pick<Upload, 'owner' | 'storage' | 'pictures'>,
): Promise<void> => {
  const name = request.params.name ?? ''
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
}
