// The client library, for the resources that these pages use.

import { hooksFor, type Item } from '@plinth/web'

/** A key for programs, as the service shows it. */
export interface ApiKey extends Item {
  readonly name: string
  readonly prefix: string
  readonly scopes: readonly string[] | null
  readonly readOnly: boolean
  readonly expirationDate: string | null
  readonly lastUsed: string | null
  /** The key, in the answer to its creation only. */
  readonly key?: string
}

interface ContactDetails extends Item {
  readonly primaryEmail: { readonly value: string; readonly verified: boolean } | null
}

interface User extends Item {
  readonly avatarUrl: string | null
  readonly bannerUrl: string | null
  readonly roles: readonly unknown[]
  readonly username: string
}

interface ResourceOf<T, N = T> {
  readonly values: T
  readonly label: never
  readonly one: object
  readonly lists: object
  readonly many: object
  readonly create: N
}

interface AccountSchema {
  readonly resources: {
    readonly apiKeys: ResourceOf<ApiKey, Pick<ApiKey, 'name' | 'scopes' | 'readOnly' | 'expirationDate'>>
    readonly contactDetails: ResourceOf<ContactDetails>
    readonly users: ResourceOf<User, Pick<User, 'avatarUrl' | 'bannerUrl' | 'roles' | 'username'>>
  }
  readonly endpoints: object
}

export const { client, RecordForm, useRecord } = hooksFor<AccountSchema>()
