// The client library, for the resources and endpoints that these pages use.

import type { JsonPage } from '@plinth/client'
import { hooksFor } from '@plinth/web'

export interface PersonSummary {
  readonly pk: string
  readonly username: string
  readonly name: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly avatarUrl: string | null
  /** How many connections they have open: whether they are there. */
  readonly stompSessionCount?: number
}

export interface Profile extends PersonSummary {
  readonly description: string | null
  readonly lastVisit: string | null
}

/** The state of a friendship as its owner sees it. */
export type FriendshipState = 'SENT' | 'PENDING' | 'CONFIRMED' | 'BLOCK' | 'BLOCK_INVERSE'

interface FriendsSchema {
  readonly resources: {
    readonly users: {
      readonly values: Profile
      readonly label: 'username'
      readonly one: object
      readonly lists: object
      readonly many: object
      readonly create: object
    }
    readonly friendships: {
      readonly values: { readonly pk: string; readonly status: FriendshipState }
      readonly label: never
      readonly one: { readonly friend: 'users' }
      readonly lists: object
      readonly many: object
      readonly create: { readonly friend: string; readonly status: 'SENT' | 'CONFIRMED' | 'BLOCK' }
    }
  }
  readonly endpoints: {
    readonly listFriends: {
      readonly route: 'GET /api/rest/friends/{friendId}'
      readonly params: { readonly friendId: string }
      readonly query: {
        readonly status: FriendshipState
        readonly page: number
        readonly size: number
        readonly sort: string
      }
      readonly body: undefined
      readonly answer: JsonPage<PersonSummary>
    }
    readonly findByAddress: {
      readonly route: 'GET /api/rest/users/byUserNameOrEmail/{userNameOrEmail}'
      readonly params: { readonly userNameOrEmail: string }
      readonly query: object
      readonly body: undefined
      readonly answer: PersonSummary
    }
  }
}

export const { client } = hooksFor<FriendsSchema>()
