// One record by its identifier: as it is, as it was, or from the trash.

import { linkFiltersOf } from '../model/link-filters.ts'
import { toFilter } from '../model/query.ts'
import { Problem } from '../problem.ts'
import { readParameters } from '../query/parameters.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { readAsOf, stillVisible } from './history.ts'
import { findDeleted, requestsTrash } from './trash.ts'
import { answerWith, type ItemTask, pkOf } from './written.ts'

export const find = async (context: Context, task: ItemTask): Promise<Answer> => {
  const { resource } = task
  const pk = pkOf(context, task)
  if (requestsTrash(resource, task.request.search)) return findDeleted(context, task)
  const reader = context.tx ?? context.platform.store
  const linkFilters = linkFiltersOf(context.visibility.view(resource), context.visibility)
  const visible = toFilter(context.platform.access.permit(resource, 'read', context.caller))
  const asOf = task.request.search.includes('asOf')
  const source = asOf ? await readAsOf(context, resource, readParameters(task.request.search)) : undefined
  const record = await reader.get(resource, pk, { visible, linkFilters, source, requester: context.requester })
  if (!record || (source && (await stillVisible(context, resource, [record])).length === 0))
    throw new Problem('not_found')
  return answerWith(context, task, { record, status: 200 })
}
