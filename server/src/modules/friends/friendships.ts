// Friendships: one row for each side, so that each sees their own and finds it by their own pk.

import { type Change, defineResource, type Hooks, ownedBy } from '../../core/model/define.ts'
import { choice, ref } from '../../core/model/fields.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import { users } from '../people/index.ts'
import { inverseOf, isLegal, type Status, statuses, type Wish } from './states.ts'

const mine = 'record.owner.pk == caller.pk'

interface Pair {
  readonly owner: string
  readonly friend: string
}

/** The pk is made of the two. */
const pairOf = ({ pk }: Change): Pair => {
  const [owner = '', friend = ''] = pk.split('_')
  return { owner, friend }
}

/**
 * Both rows change together, and neither may be there yet: so the users themselves are what is held. Everybody holds
 * the one with the lower pk, and adds rows that refer to the higher one: nobody waits in a circle.
 */
export const holdPair = async ({ asService }: TransactionRecords, { owner, friend }: Pair): Promise<void> => {
  await asService.lock(users, owner < friend ? owner : friend)
}

const mustBeLegal = (from: Status | 'NONE', to: Wish): void => {
  if (isLegal(from, to)) return
  throw new Problem('conflict', `A friendship that is ${from} cannot become ${to}.`)
}

const before: Hooks['before'] = async change => {
  const pair = pairOf(change)
  if (pair.owner === pair.friend) throw new Problem('unprocessable', 'Nobody is their own friend.')
  await holdPair(change.records, pair)
  // The states are what each side may do; the service follows them for the other side.
  if (change.isService) return
  // What the caller was shown may have changed while the pair was waited for.
  const standing = await change.records.asService.first(friendships, { pk: change.pk })
  const from = standing?.status ?? 'NONE'
  if (change.kind === 'delete') mustBeLegal(from, 'DELETE')
  else if (change.values.status !== undefined) mustBeLegal(from, change.values.status as Wish)
}

/** The other side follows. What follows from that is as it is already: it ends there. */
const after: Hooks['after'] = async change => {
  const { owner, friend } = pairOf(change)
  const { asService } = change.records
  if (change.kind === 'delete') {
    await asService.removeWhere(friendships, { pk: `${friend}_${owner}` })
  } else if (change.values.status !== undefined) {
    const status = inverseOf(change.values.status as Status)
    await asService.put(friendships, { owner: friend, friend: owner, status })
  }
}

export const friendships = defineResource('friendships', {
  title: { de: 'Freundschaften' },
  singularTitle: { de: 'Freundschaft' },
  about: {
    en: 'Who is whose friend, asks to be, or wants nothing to do with them.',
    de: 'Wer mit wem befreundet ist, angefragt hat oder blockiert ist.',
  },
  identifier: ownedBy('owner', 'friend'),
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
  announces: ['owner', 'friend', 'status'],
  hooks: { before, after },
  families: { create: 'A', search: 'A', delete: 'A' },
  access: { read: mine, write: mine },
})
