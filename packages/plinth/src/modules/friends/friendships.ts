// Friendships: one row for each side, so that each user has an own row with an own pk. Both rows change together.

import { defineResource } from '../../core/model/define.ts'
import { choice, ref } from '../../core/model/fields.ts'
import type { HookName } from '../../core/model/hook-set.ts'
import { ownedBy } from '../../core/model/identifier.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { HookContextOf } from '../../core/model/typed-hooks.ts'
import { Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import { wholePk } from '../../core/records/identify.ts'
import { recordsWithin } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { type Body, readInput } from '../../core/rest/body.ts'
import { patch, replace } from '../../core/rest/change.ts'
import type { TransactionContext } from '../../core/rest/context.ts'
import { bodyOf, type Call, defineEndpoint } from '../../core/rest/endpoint.ts'
import { mayUse } from '../../core/rest/permits.ts'
import { remove } from '../../core/rest/remove.ts'
import { defaultFormat } from '../../core/rest/routes.ts'
import type { ItemTask } from '../../core/rest/written.ts'
import { users } from '../people/index.ts'

/** The statuses as the owner of the row sees the friendship. */
export const statuses = ['SENT', 'PENDING', 'CONFIRMED', 'BLOCK', 'BLOCK_INVERSE'] as const
export type FriendshipStatus = (typeof statuses)[number]

/** What an owner may request; DELETE ends the friendship for both sides. */
type RequestedStatus = FriendshipStatus | 'DELETE'

/** The legal statuses by the present one; `NONE` when there is no friendship. What is not listed is refused. */
const legal: Readonly<Record<FriendshipStatus | 'NONE', readonly RequestedStatus[]>> = {
  NONE: ['SENT', 'BLOCK'],
  SENT: ['DELETE'],
  PENDING: ['CONFIRMED', 'DELETE', 'BLOCK'],
  CONFIRMED: ['DELETE', 'BLOCK'],
  BLOCK: ['DELETE'],
  BLOCK_INVERSE: [],
}

const isLegal = (from: FriendshipStatus | 'NONE', to: RequestedStatus): boolean => legal[from].includes(to)

const inverses: Readonly<Record<FriendshipStatus, FriendshipStatus>> = {
  SENT: 'PENDING',
  PENDING: 'SENT',
  CONFIRMED: 'CONFIRMED',
  BLOCK: 'BLOCK_INVERSE',
  BLOCK_INVERSE: 'BLOCK',
}

/** The status of the same friendship for the other side. */
const inverseOf = (status: FriendshipStatus): FriendshipStatus => inverses[status]

const isOwner = 'record.owner.pk == caller.pk'

export const friendships = defineResource('friendships', {
  title: { de: 'Freundschaften' },
  singularTitle: { de: 'Freundschaft' },
  about: {
    en: 'Friendships, friend requests and blocked users.',
    de: 'Freundschaften, Anfragen und blockierte Personen.',
  },
  identifier: ownedBy('owner', 'friend'),
  history: true,
  fields: {
    owner: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Eigentümer' } }),
    friend: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Freund' } }),
    status: choice(statuses, {
      required: true,
      default: 'SENT',
      indexed: true,
      title: { de: 'Status' },
      labels: {
        SENT: { de: 'angefragt' },
        PENDING: { de: 'ausstehend' },
        CONFIRMED: { de: 'bestätigt' },
        BLOCK: { de: 'blockiert' },
        BLOCK_INVERSE: { de: 'durch die andere Person blockiert' },
      },
    }),
  },
  eventFields: ['owner', 'friend', 'status'],
  families: { create: 'jsonApi', search: 'jsonApi', delete: 'jsonApi' },
  access: { read: isOwner, write: isOwner },
  hooks: {
    beforeCreate: async context => {
      await checkChange(context, context.values.status)
    },
    beforeUpdate: async context => {
      await checkChange(context, context.values.status)
    },
    beforeDelete: async context => {
      await checkChange(context, 'DELETE')
    },
    afterCreate: async context => {
      await writeOtherSide(context)
    },
    afterUpdate: async context => {
      await writeOtherSide(context)
    },
    afterDelete: async ({ pk, records: { asService } }) => {
      const { owner, friend } = pairOf(pk)
      await asService.removeMany(friendships, { where: { pk: `${friend}_${owner}` } })
    },
  },
})

type FriendshipContext<Name extends HookName> = HookContextOf<typeof friendships, Name>

const checkChange = async (
  change: FriendshipContext<'beforeCreate' | 'beforeUpdate' | 'beforeDelete'>,
  to: RequestedStatus | undefined,
): Promise<void> => {
  const pair = pairOf(change.pk)
  if (pair.owner === pair.friend)
    throw new Problem('unprocessable', {
      en: 'You cannot be your own friend.',
      de: 'Sie können nicht mit sich selbst befreundet sein.',
    })
  await lockPair(change.records, pair)
  // The service writes the row of the other side.
  if (change.isService) return
  // The row may have changed while the lock was awaited.
  const stored = await change.records.asService.first(friendships, { where: { pk: change.pk } })
  const from = stored?.status ?? 'NONE'
  if (to !== undefined && !isLegal(from, to))
    throw new Problem('conflict', `A friendship cannot change from ${from} to ${to}.`)
}

/** Writes the other side. Its own hook finds nothing to change, and ends there. */
const writeOtherSide = async ({
  pk,
  values: { status },
  records: { asService },
}: FriendshipContext<'afterCreate' | 'afterUpdate'>): Promise<void> => {
  const { owner, friend } = pairOf(pk)
  if (status !== undefined)
    await asService.upsert(friendships, { owner: friend, friend: owner, status: inverseOf(status) })
}

interface FriendPair {
  readonly owner: string
  readonly friend: string
}

const pairOf = (pk: string): FriendPair => {
  const [owner = '', friend = ''] = pk.split('_')
  return { owner, friend }
}

/**
 * Neither row may exist yet, so the lock is on a user: always the one with the lower pk. New rows then refer to the higher one,
 * so transactions do not deadlock.
 */
export const lockPair = async ({ asService }: TransactionRecords, { owner, friend }: FriendPair): Promise<void> => {
  await asService.lock(users, owner < friend ? owner : friend)
}

// Changes of friendships: like those of any record, but with both sides locked first, and with `DELETE` as a status.

const path = '/api/rest/friendships/{pk}'

const replaceFriendship = defineEndpoint({
  method: 'PUT',
  path,
  summary: 'Replace or end a friendship',
  format: defaultFormat(friendships, 'replace'),
  access: mayUse(friendships, 'replace'),
  body: bodyOf(friendships, 'replace'),
  answer: ({ context, request, body, format }) =>
    withPairLocked({ context, request }, (transaction, task) =>
      endsIt(body, task.resource) ? remove(transaction, task) : replace(transaction, { ...task, body, format }),
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
    withPairLocked({ context, request }, (transaction, task) =>
      endsIt(body, task.resource) ? remove(transaction, task) : patch(transaction, { ...task, body, format }),
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
  work: (transaction: TransactionContext, task: ItemTask) => Promise<Answer>,
): Promise<Answer> =>
  inTransaction(context, async transaction => {
    const resource = context.platform.registry.resource(friendships)
    const [owner, friend] = wholePk(resource, request.params.pk ?? '', transaction).split('_')
    if (owner && friend) await lockPair(recordsWithin(transaction), { owner, friend })
    return work(transaction, { resource, request })
  })

const endsIt = (body: Body, resource: Resource): boolean => {
  const { status } = readInput(body, resource).fields
  return typeof status === 'string' && status.toUpperCase() === 'DELETE'
}
