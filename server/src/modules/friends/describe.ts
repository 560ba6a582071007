// What callers are told of the lists of friends.

import type { Description } from '../../core/model/description.ts'
import { statuses } from './states.ts'

export const describeFriends = (path: string, maxPageSize: number): Description => {
  const isMine = path.endsWith('/my')
  return {
    id: isMine ? 'listMyFriends' : 'listFriends',
    summary: isMine ? 'List my friends' : "List a friend's friends",
    description: isMine
      ? 'Those whose friendship is confirmed, unless other states are asked for.'
      : 'For confirmed friends, administrators and site operators.',
    tag: 'friendships',
    family: 'X',
    ...(!isMine && { path: { friendId: 'Whose friends.' } }),
    query: {
      page: { says: 'Counted from 0.', schema: { type: 'integer', minimum: 0, default: 0 } },
      size: { says: 'How many to a page.', schema: { type: 'integer', minimum: 1, maximum: maxPageSize, default: 10 } },
      sort: { says: 'Members of users, separated by commas; a minus is descending.' },
      status: {
        says: 'States of the friendship; several are alternatives.',
        schema: { type: 'array', items: { type: 'string', enum: [...statuses] }, default: ['CONFIRMED'] },
      },
    },
    answers: { 200: { says: 'The friends, as compact users.', page: 'users' } },
  }
}
