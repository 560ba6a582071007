// Deletes a record, or purges it from the trash.

import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { purge, requestsTrash } from './trash.ts'
import { removeIfMatching } from './write-input.ts'
import { type ItemTask, pkOf } from './written.ts'

export const remove = async (context: Context, task: ItemTask): Promise<Answer> => {
  const { resource, request } = task
  const pk = pkOf(context, task)
  if (requestsTrash(resource, request.search)) await purge(context, task)
  else await removeIfMatching(context, { resource, pk, preconditions: request.headers })
  return { kind: 'nothing', status: 204 }
}
