// The standard modules, which every application has.

import type { ResourceDefinition } from '../core/model/define.ts'
import type { Module } from '../core/module.ts'
import { apidoc } from '../modules/apidoc/index.ts'
import { createAudit } from '../modules/audit/index.ts'
import { apiKeyCreated, createAccountListener, createAuth, sealingSecrets } from '../modules/auth/index.ts'
import { backupModule } from '../modules/backup/index.ts'
import { doctor } from '../modules/doctor/index.ts'
import { errors } from '../modules/errors/index.ts'
import { exchange } from '../modules/exchange/index.ts'
import { type FileEndpoint, filesModule, readContent } from '../modules/files/index.ts'
import { friends } from '../modules/friends/index.ts'
import { geography } from '../modules/geography/index.ts'
import { type HistoryEndpoint, historyModule } from '../modules/history/index.ts'
import { hostsModule } from '../modules/hosts/index.ts'
import { limits } from '../modules/limits/index.ts'
import { createMail } from '../modules/mail/index.ts'
import { management, metricsScope } from '../modules/management/index.ts'
import { addressChange, confirmation, createPeople } from '../modules/people/index.ts'
import { accountDeleted, accountDeletionRequested, dataExportReady, privacyModule } from '../modules/privacy/index.ts'
import { realtime } from '../modules/realtime/index.ts'
import {
  alreadyRegistered,
  createRegistration,
  invitation,
  passwordReset,
  registerNewcomer,
} from '../modules/registration/index.ts'
import { reportsModule, scheduledReport } from '../modules/reports/index.ts'
import { scim, scimScope } from '../modules/scim/index.ts'
import { searchModule } from '../modules/search/index.ts'
import { type TrashEndpoint, trashModule } from '../modules/trash/index.ts'
import { disableWebhooks, webhookAddress, webhooksModule } from '../modules/webhooks/index.ts'

/** A module may import those above it in this list. What it needs from those below it is passed here. */
export const standardModules = [
  createAudit(sealingSecrets),
  limits,
  createMail(readContent),
  geography,
  createPeople(createAccountListener(disableWebhooks)),
  historyModule,
  trashModule,
  searchModule,
  filesModule,
  createAuth(registerNewcomer, [metricsScope, scimScope]),
  createRegistration(disableWebhooks),
  scim,
  privacyModule,
  hostsModule,
  management,
  apidoc,
  errors,
  friends,
  realtime,
  backupModule,
  webhooksModule,
  reportsModule,
  exchange,
  doctor,
] as const satisfies readonly Module[]

/** Standard modules that no other module needs. */
export type OptionalStandardModule = 'friends' | 'geography' | 'hosts' | 'scim'

export const optionalStandardModules: readonly OptionalStandardModule[] = ['friends', 'geography', 'hosts', 'scim']

/** The endpoints that standard modules make for a resource, by the options of its definition. */
export type ResourceEndpoint<D extends ResourceDefinition> = HistoryEndpoint<D> | TrashEndpoint<D> | FileEndpoint<D>

/** What `replaceMail` can replace by name. */
export const standardMails = {
  accountDeleted,
  accountDeletionRequested,
  addressChange,
  alreadyRegistered,
  apiKeyCreated,
  confirmation,
  dataExportReady,
  invitation,
  passwordReset,
  scheduledReport,
  webhookAddress,
}

/** The mails of the standard modules by name, for `replaceMail`. */
export type StandardMails = typeof standardMails
