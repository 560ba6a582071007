// Changes of friendships: like those of any record, but with both sides locked first, and with `DELETE` as a status.

import type { Resource } from '../../core/model/resource.ts'
import { inTransaction } from '../../core/records/context.ts'
import { wholePk } from '../../core/records/identify.ts'
import { recordsWithin } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { type Body, readInput } from '../../core/rest/body.ts'
import { defaultFormat } from '../../core/rest/default-format.ts'
import { bodyOf, type Call, defineEndpoint } from '../../core/rest/endpoint.ts'
import { type ItemTask, patch, remove, replace } from '../../core/rest/item.ts'
import { type Inside, mayUse } from '../../core/rest/platform.ts'
import { friendships, lockPair } from './friendships.ts'

const path = '/api/rest/friendships/{pk}'

const replaceFriendship = defineEndpoint({
  method: 'PUT',
  path,
  summary: 'Replace or end a friendship',
  format: defaultFormat(friendships, 'replace'),
  access: mayUse(friendships, 'replace'),
  body: bodyOf(friendships, 'replace'),
  answer: ({ context, request, body, format }) =>
    withPairLocked({ context, request }, (inside, task) =>
      endsIt(body, task.resource) ? remove(inside, task) : replace(inside, { ...task, body, format }),
    ),
})

const patchFriendship = defineEndpoint({
  method: 'PATCH',
  path,
  summary: 'Change or end a friendship',
  format: defaultFormat(friendships, 'patch'),
  access: mayUse(friendships, 'patch'),
  body: bodyOf(friendships, 'patch'),
  answer: ({ context, request, body, format }) =>
    withPairLocked({ context, request }, (inside, task) =>
      endsIt(body, task.resource) ? remove(inside, task) : patch(inside, { ...task, body, format }),
    ),
})

const endFriendship = defineEndpoint({
  method: 'DELETE',
  path,
  summary: 'End a friendship',
  format: defaultFormat(friendships, 'delete'),
  access: mayUse(friendships, 'delete'),
  answer: ({ context, request }) => withPairLocked({ context, request }, remove),
})

export const friendshipEndpoints = [replaceFriendship, patchFriendship, endFriendship]

/** The row is locked after the pair: in the other order the two sides could deadlock. */
const withPairLocked = (
  { context, request }: Pick<Call, 'context' | 'request'>,
  work: (inside: Inside, task: ItemTask) => Promise<Answer>,
): Promise<Answer> =>
  inTransaction(context, async inside => {
    const resource = context.platform.registry.resource(friendships)
    const [owner, friend] = wholePk(resource, request.params.pk ?? '', inside).split('_')
    if (owner && friend) await lockPair(recordsWithin(inside), { owner, friend })
    return work(inside, { resource, request })
  })

const endsIt = (body: Body, resource: Resource): boolean => {
  const { status } = readInput(body, resource).members
  return typeof status === 'string' && status.toUpperCase() === 'DELETE'
}
