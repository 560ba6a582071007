// Forms that pages place themselves. They arrive when they are shown: their inputs are many.

import { Skeleton } from '@mantine/core'
import type { EndpointAt, EndpointRoute, NewValues, RecordOf, ResourceName, ServiceSchema } from '@plinth/client'
import { lazy, Suspense } from 'react'

interface FormOptions {
  /** The words on the button; those of the web client unless given. */
  readonly submit?: string
  /** Shows a button that leaves the form without sending it. */
  readonly onCancel?: () => void
}

/** What a form for records takes. */
export interface RecordFormProps<S extends ServiceSchema, R extends ResourceName<S>> extends FormOptions {
  readonly resource: R
  /** The record to change; without it, a new one is created. */
  readonly pk?: string
  /** The fields in this order; all that the user may write unless given. */
  readonly fields?: readonly (keyof NewValues<S, R> & string)[]
  /** Fields that the form leaves out. */
  readonly except?: readonly (keyof NewValues<S, R> & string)[]
  /** Keeps unsaved input in this tab under this name until the user signs out, so that it survives a reload and another page. */
  readonly draft?: string
  /** Values that are sent besides what the user enters. */
  readonly values?: Partial<NewValues<S, R>>
  readonly onSaved: (record: RecordOf<S, R>) => Promise<void> | void
}

/** What a form for an endpoint takes. */
export interface EndpointFormProps<S extends ServiceSchema, Route extends EndpointRoute<S>> extends FormOptions {
  /** The method and the path, such as `POST /api/rest/loans/{pk}/return`. */
  readonly route: Route
  /** The named parts of the path. */
  readonly params?: EndpointAt<S, Route>['params']
  /** Values of the body that the user does not enter; for `GET`, of the parameters. */
  readonly values?: Partial<EndpointAt<S, Route>[Route extends `GET ${string}` ? 'query' : 'body']>
  readonly onDone: (answer: EndpointAt<S, Route>['answer']) => void
}

/** The props without their types, which do not exist at run time. */
export interface AnyRecordFormProps extends FormOptions {
  readonly resource: string
  readonly pk?: string
  readonly fields?: readonly string[]
  readonly except?: readonly string[]
  readonly draft?: string
  readonly values?: object
  readonly onSaved: (record: unknown) => Promise<void> | void
}

export interface AnyEndpointFormProps extends FormOptions {
  readonly route: string
  readonly params?: Readonly<Record<string, string>>
  readonly values?: object
  readonly onDone: (answer: unknown) => void
}

const RecordFormLater = lazy(() => import('./record-form.tsx'))
const EndpointFormLater = lazy(() => import('./endpoint-form.tsx'))

export const AnyRecordForm = (props: AnyRecordFormProps) => (
  <Suspense fallback={<Skeleton height={240} />}>
    <RecordFormLater {...props} />
  </Suspense>
)

export const AnyEndpointForm = (props: AnyEndpointFormProps) => (
  <Suspense fallback={<Skeleton height={120} />}>
    <EndpointFormLater {...props} />
  </Suspense>
)
