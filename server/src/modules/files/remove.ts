// DELETE …/files/{name}.

import { everything, where } from '../../core/model/query.ts'
import { changeStamps } from '../../core/model/stamps.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { Task } from '../../core/rest/respond.ts'
import { files } from './files.ts'
import { dropLoose, noteLoose } from './loose-contents.ts'
import type { Upload } from './upload.ts'

/** The record goes first, and the content after it: a record never speaks of a file that is not there. */
export const removeFile = async (
  { platform, caller }: Context,
  { request }: Task,
  { owner: { resource, pk }, storage, pictures }: Pick<Upload, 'owner' | 'storage' | 'pictures'>,
): Promise<Answer> => {
  const name = request.params.name ?? ''
  const now = platform.clock()
  const removed = await platform.store.transaction(async tx => {
    // Held, so that an upload of the same name comes before or after.
    if (!(await tx.lock(resource, pk))) throw new Problem('not_found')
    const table = tx.resource(files.name)
    const named = where(table, { resource: resource.name, owner: pk, name })
    const [file] = (await tx.find(table, everything(table, named))).records
    if (!file) throw new Problem('not_found')
    await tx.remove(table, file.pk)
    await noteLoose(tx, [file.pk], now.toISOString())
    if (pictures.includes(name))
      await tx.update(resource, pk, { [name]: null, ...changeStamps(resource, { caller, now }) })
    return file.pk
  })
  await dropLoose(platform.store, storage, [removed])
  return { kind: 'nothing', status: 204 }
}
