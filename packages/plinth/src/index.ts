// The public API: what applications and packages import from `plinth`. Everything else is internal.

// Applications and modules

export type {
  AppLanguages,
  FieldTexts,
  LanguageTexts,
  ResourceTexts,
  WebClientColors,
  WebClientOptions,
  WebClientText,
} from './app/client-options.ts'
export { type AppDefinition, type AppOptions, defineApp, type OptionalStandardModule } from './app/define-app.ts'
export { replaceMail } from './app/replace-mail.ts'
export type { StandardMails } from './app/standard-modules.ts'
export { every, type Guard, type UncaughtReporter } from './core/guarded.ts'
export { defineJob, type Job, type JobContext } from './core/jobs/job.ts'
export { expires, removeInBatches, type Sweep, type SweepContext } from './core/jobs/sweep.ts'
export { lazy } from './core/lazy.ts'
export {
  type AccountPages,
  type ClientPages,
  defineMail,
  type MailDefinition,
  type MailMessage,
  type MailOptions,
  type MailReplacement,
  type MailTexts,
} from './core/mail.ts'
export type { Command, CommandContext, CommandPassword, Stoppable } from './core/module.ts'
export {
  type DataContext,
  defineMigration,
  defineModule,
  type Migration,
  type Module,
  type Seed,
} from './core/module.ts'
export type { Health, HealthCheck, Service } from './core/service.ts'
export { version } from './version.ts'

// Resources: definitions, identifiers, hooks

export type { AccessRules, Operation } from './core/model/access-rules.ts'
export { anonymous, type Caller, isAdmin } from './core/model/caller.ts'
export {
  defineResource,
  type ResourceDefinition,
  type ResourceOptions,
  type ResourceTraits,
} from './core/model/define.ts'
export type { ModelOptions, ResourceModel, Stamps } from './core/model/definition.ts'
export { type ExtendedResource, extendResource, type ResourceAdditions } from './core/model/extend.ts'
export type { HookName } from './core/model/hook-set.ts'
export type { HookContext, Hooks } from './core/model/hooks.ts'
export { assigned, composedOf, hashOf, ownedBy, sharedWith, unguessable } from './core/model/identifier.ts'
export { treeFields, treeHooks } from './core/model/tree.ts'
export type { HookContextOf, HooksOf } from './core/model/typed-hooks.ts'

// Field types

export type { CountField, Field, InverseField, LinkField, ToOneField } from './core/model/field.ts'
export type { FieldOptions } from './core/model/field-options.ts'
export { readJsonValue } from './core/model/fields/collection.ts'
export type { SentReference } from './core/model/fields/relation.ts'
export { refPart } from './core/model/fields/structure.ts'
export {
  boolean,
  choice,
  computed,
  counted,
  date,
  decimal,
  hasOne,
  input,
  integer,
  issued,
  json,
  links,
  longText,
  many,
  map,
  money,
  ref,
  secret,
  text,
  textList,
  timestamp,
  webLink,
} from './core/model/fields.ts'
export { ValueFault } from './core/model/value-fault.ts'
export type { ValueField, ValueType } from './core/model/value-field.ts'

// Records

export type { SchemaOf } from './app/define-app.ts'
export type { Link } from './core/model/record.ts'
export type { RecordReader, Records, TransactionRecords } from './core/model/records.ts'
export type { GivenValues, NewRow, Row, RowChanges } from './core/model/row.ts'
export type { RowQuery, StreamQuery } from './core/model/row-query.ts'
export type { RowOf } from './core/model/row-view.ts'
export type { Where } from './core/model/row-where.ts'
export type { RemoveOptions, Transaction } from './core/model/transaction.ts'
export { inTransaction } from './core/records/context.ts'
export { recordsFor, recordsWithin } from './core/records/records.ts'

// Endpoints

export { referenceSchema } from './core/describe/json-schema.ts'
export { chooseMediaType } from './core/formats/choose-media-type.ts'
export { valueFormats } from './core/formats/index.ts'
export type { Request, Route } from './core/http/exchange.ts'
export { readCookie } from './core/http/incoming.ts'
export type { Json, JsonMembers, JsonSchema } from './core/model/json.ts'
export { parseJson } from './core/model/json-text.ts'
export {
  defineShape,
  type InputOf,
  type ListShape,
  list,
  manyOf,
  mapOf,
  number,
  object,
  optional,
  type ShapeValue,
  showShape,
} from './core/model/shape.ts'
export type { Shape } from './core/model/value-field.ts'
export type { Answer } from './core/rest/answer.ts'
export { type Context, contextFor, type TransactionContext as Inside } from './core/rest/context.ts'
export {
  aliasOf,
  bodyOf,
  type Call,
  contentBody,
  type DeclaredEndpoint,
  defineEndpoint,
  type Endpoint,
  jsonBody,
  oneOrMany,
  type WithoutBody,
} from './core/rest/endpoint.ts'
export { toStreamAnswer, toValueAnswer } from './core/rest/endpoint-answers.ts'
export { changeFromFields, createFromFields } from './core/rest/from-fields.ts'
export { answerRecord, answerSearch, replaceByBody } from './core/rest/generic-answers.ts'
export { administrator, canUse, mayUse, type Permit, signedIn } from './core/rest/permits.ts'
export type { Platform } from './core/rest/platform.ts'
export { showRecord } from './core/rest/show-record.ts'

// Problems and faults

export { defineFaults, type FaultMaker, type FaultReason, fault } from './core/fault.ts'
export {
  defineProblems,
  errorCode,
  errorMessage,
  type Fault,
  isProblemCode,
  Problem,
  type ProblemCode,
  type ProblemDetails,
} from './core/problem.ts'

// Settings

export { apiSettings } from './core/config/api-settings.ts'
export { givenBy, switchedBy } from './core/config/features.ts'
export { defineTextType, hostName, list as settingList, network, origin, webAddress } from './core/config/fields.ts'
export { ConfigError } from './core/config/load.ts'
export { appSettings, databaseSettings, logSettings, serverSettings } from './core/config/service-settings.ts'
export { type Config, defineSettings, type NamedSettingsOf } from './core/config/settings.ts'
export type { ConfigFault } from './core/config/sources.ts'
export type { CodeContext } from './core/model/code-context.ts'
export { decimalsOf } from './core/model/fields/number.ts'
export type { Setting } from './core/model/setting.ts'
export { type ReadSettings, type SettingGroup, type SettingsOf, setting } from './core/model/settings.ts'

// Standard modules: resources to refer to, and what they offer to others

export { type AuditEvent, defineAudit } from './modules/audit/index.ts'
export {
  type AllowedType,
  type DetectedType,
  type FileOptions,
  type FileReference,
  file,
  type ImageOptions,
  image,
  type SentFile,
  type ShownFile,
  type StoredFile,
} from './modules/files/index.ts'
export { continents, countries, localities, postalCodes } from './modules/geography/index.ts'
export { type NewMail, queueMail } from './modules/mail/index.ts'
export {
  type AddressValues,
  contactDetails,
  createUser,
  type MailRecipient,
  mailRecipientOf,
  type PersonNames,
  type PreparedPassword,
  personalDetails,
  roles,
  type User,
  users,
} from './modules/people/index.ts'

// A second service in a process of its own

export {
  createSideService,
  type OpenRecords,
  openRecords,
  type RecordPlace,
  type SideAddress,
  type SideService,
  type SideServiceOptions,
} from './app/side-service.ts'
export { createFile, createFolder } from './core/durable-files.ts'
export { isLoopback } from './core/http/caller-address.ts'
export type { Tls } from './core/http/options.ts'
