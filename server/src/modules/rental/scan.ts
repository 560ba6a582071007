// What was scanned at the counter: the card of a client, or a copy. Both share the address of copies.

import { toFilter } from '../../core/model/query.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { find } from '../../core/rest/item.ts'
import { answerWith, type ItemTask } from '../../core/rest/item-answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { Client } from './clients.ts'
import { memberEquals } from './conditions.ts'
import { type Counter, findCopy, mayServe, readCode } from './counter.ts'
import { findFirst } from './reading.ts'

/** A user by pk or card, for those who serve at the counter; else the copy by pk or barcode; else 404. */
export const scan = async (context: Context, counter: Counter, task: ItemTask): Promise<Answer> => {
  const { platform, caller } = context
  const code = readCode(task.request.params.pk ?? '')
  const reader = context.tx ?? platform.store
  if (mayServe(context, counter, caller)) {
    const { users, clients } = counter
    const card = (await findFirst(reader, clients, memberEquals(clients, 'cardBarcode', code))) as Client | null
    const seen = platform.access.decide(users, 'read', caller)
    const record = seen && (await reader.get(users, card?.user.pk ?? code, { visible: toFilter(seen) }))
    if (record) return answerWith(context, { ...task, resource: users }, { record, status: 200 })
  }
  const copy = await findCopy(reader, counter, code)
  const params = { ...task.request.params, pk: copy?.pk ?? code }
  return find(context, { resource: counter.copies, request: { ...task.request, params } })
}
