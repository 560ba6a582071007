// Hooks and calls that are typed by the schema of an application or a module.

import { createClientOn, type PlinthClient, type ServiceSchema } from '@plinth/client'
import { createHooks, type PlinthHooks } from '@plinth/client/react'
import { client as connection } from '../api/client.ts'

/** What `hooksFor` gives. */
export interface WebHooks<S extends ServiceSchema> extends Omit<PlinthHooks<S>, 'useSession'> {
  /** The client library, as the user who is signed in. */
  readonly client: PlinthClient<S>
}

/**
 * Returns hooks and calls for the resources and endpoints of a schema. Records stay current while a component shows them.
 *
 * @example
 * export const { client, useRecords } = hooksFor<SchemaOf<typeof app>>()
 */
export const hooksFor = <S extends ServiceSchema>(): WebHooks<S> => {
  const client = createClientOn<S>(connection)
  return { client, ...createHooks<S>(client) }
}
