// The client library, for the resources that these pages show.

import { hooksFor, type Item } from '@plinth/web'

export interface ErrorLog extends Item {
  readonly rootCauseMessage: string | null
  readonly stacktrace: string
  readonly firstOccurred: string | null
  readonly lastOccurred: string | null
  readonly errorCount: number
}

export interface RecordedError extends Item {
  readonly kind: 'client' | 'system'
  readonly message: string
  readonly description: string | null
  readonly state: string | null
  readonly viewUrl: string | null
  readonly requestMethod: string | null
  readonly requestUrl: string | null
  readonly httpStatusCode: number | null
  readonly remoteAddress: string | null
  readonly createdDate: string
  readonly createdBy: { readonly pk: string; readonly username?: string } | null
  readonly userAgent: { readonly pk: string; readonly value?: string } | null
  readonly errorLog: { readonly pk: string } | null
}

export type ManagedResource = keyof ManagementSchema['resources']

export type MailState = 'waiting' | 'sent' | 'failed'

export interface Mail extends Item {
  readonly recipient: string
  readonly subject: string
  readonly state: MailState
  readonly attempts: number
  readonly createdDate: string
  readonly sentDate: string | null
  readonly nextAttempt: string | null
  readonly lastError: string | null
}

export interface LiveSession extends Item {
  readonly user: { readonly pk: string; readonly username?: string } | null
  readonly connectedDate: string | null
  readonly userAgent: string | null
  readonly remoteAddress: string | null
}

interface ResourceOf<T, One = object> {
  readonly values: T
  readonly label: never
  readonly one: One
  readonly lists: object
  readonly many: object
  readonly create: object
}

interface ManagementSchema {
  readonly resources: {
    readonly allErrors: ResourceOf<RecordedError, { readonly userAgent: 'userAgents' }>
    readonly errorLogs: ResourceOf<ErrorLog>
    readonly mails: ResourceOf<Mail>
    readonly stompSessions: ResourceOf<LiveSession>
    readonly userAgents: ResourceOf<{ readonly pk: string; readonly value: string }>
    readonly users: ResourceOf<{ readonly pk: string; readonly username: string }>
  }
  readonly endpoints: object
}

export const { client, useRecord } = hooksFor<ManagementSchema>()
