// Records by the client library, on the connection of the web client.

import { createClientOn } from '@plinth/client'
import { client } from './client.ts'

/** A record of any resource. */
export interface Item {
  readonly pk: string
  readonly version?: number
  readonly [field: string]: unknown
}

/** A service whose resources are known by name alone, with records of one interface. */
interface SchemaWith<T> {
  readonly resources: {
    readonly [name: string]: {
      readonly values: T
      readonly label: never
      readonly one: object
      readonly lists: object
      readonly many: Readonly<Record<string, string>>
      readonly create: Readonly<Record<string, unknown>>
    }
  }
  readonly endpoints: Readonly<Record<string, never>>
}

/** The client library: resources and endpoints that are known by name alone. */
export const plinth = createClientOn(client)

/** The calls for a resource whose records are like this. */
export const recordsOf = <T extends Pick<Item, 'pk'> = Item>(resource: string) =>
  createClientOn<SchemaWith<T>>(client).resource(resource)

export const recordPath = (resource: string, pk?: string): string =>
  `/api/rest/${resource}${pk === undefined ? '' : `/${encodeURIComponent(pk)}`}`
