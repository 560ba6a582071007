// What was scanned at the counter: the card of a client, or a copy. Both share the address of copies.

import { toFilter } from '../../core/model/query.ts'
import { recordsFor } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { find } from '../../core/rest/item.ts'
import { answerWith, type ItemTask } from '../../core/rest/item-answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import { users } from '../people/index.ts'
import { clients } from './clients.ts'
import { findCopy, mayServe, readCode } from './counter.ts'

/** A user by pk or card, for those who serve at the counter; else the copy by pk or barcode; else 404. */
export const scan = async (context: Context, task: ItemTask): Promise<Answer> => {
  const { platform, caller } = context
  const code = readCode(task.request.params.pk ?? '')
  const { asService } = recordsFor(context)
  if (mayServe(context)) {
    const card = await asService.first(clients, { cardBarcode: code })
    const people = platform.registry.resource(users)
    const seen = platform.access.decide(people, 'read', caller)
    const record = seen && (await platform.store.get(people, card?.user.pk ?? code, { visible: toFilter(seen) }))
    if (record) return answerWith(context, { ...task, resource: people }, { record, status: 200 })
  }
  const copy = await findCopy(asService, code)
  const params = { ...task.request.params, pk: copy?.pk ?? code }
  return find(context, { ...task, request: { ...task.request, params } })
}
