// Hooks, forms and calls that are typed by the schema of an application or a module.

import {
  createClientOn,
  type EndpointRoute,
  type PlinthClient,
  type ResourceName,
  type ServiceSchema,
  type UntypedSchema,
} from '@plinth/client'
import { createHooks, type PlinthHooks } from '@plinth/client/react'
import type { ReactNode } from 'react'
import { client as connection } from '../api/client.ts'
import { AnyEndpointForm, AnyRecordForm, type EndpointFormProps, type RecordFormProps } from './forms.tsx'

/** What `hooksFor` gives. */
export interface WebHooks<S extends ServiceSchema> extends Omit<PlinthHooks<S>, 'useSession'> {
  /** The client library, as the user who is signed in. */
  readonly client: PlinthClient<S>
  /**
   * A form for a new record, or for the change of one: inputs, checks and problems as on the pages of the web client.
   *
   * @example
   * <RecordForm resource="loans" fields={['book', 'borrower']} onSaved={({ pk }) => navigate(`/resources/loans/${pk}`)} />
   */
  readonly RecordForm: <R extends ResourceName<S>>(props: RecordFormProps<S, R>) => ReactNode
  /**
   * A form for the body of an endpoint, whether or not it has a button.
   *
   * @example
   * <EndpointForm route="POST /api/rest/loans/{pk}/return" params={{ pk }} onDone={({ fee }) => notify(`Fee: ${fee}`)} />
   */
  readonly EndpointForm: <Route extends EndpointRoute<S>>(props: EndpointFormProps<S, Route>) => ReactNode
}

/**
 * Returns hooks, forms and calls for the resources and endpoints of a schema; without one, for all that the service has, untyped. Records
 * stay current while a component shows them.
 *
 * @example
 * export const { client, useRecords, useEndpoint, RecordForm } = hooksFor<SchemaOf<typeof app>>()
 */
export const hooksFor = <S extends ServiceSchema = UntypedSchema>(): WebHooks<S> => {
  const client = createClientOn<S>(connection)
  const forms = { RecordForm: AnyRecordForm, EndpointForm: AnyEndpointForm }
  // The types follow from the schema, which does not exist at run time.
  return { client, ...createHooks<S>(client), ...(forms as unknown as Pick<WebHooks<S>, keyof typeof forms>) }
}
