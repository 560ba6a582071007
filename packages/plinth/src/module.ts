// What authors of packages import from `plinth/module`, beside `plinth`: parts of the platform that applications seldom need, and the
// types that those of `plinth` are made of.

// Modules and the running service

export type {
  AppLanguages,
  FieldTexts,
  LanguageTexts,
  ResourceTexts,
  WebClientColors,
  WebClientOptions,
  WebClientText,
} from './app/client-options.ts'
export type { AppDefinition, AppOptions } from './app/define-app.ts'
export type { OptionalStandardModule, StandardMails } from './app/standard-modules.ts'
export { every, type Guard, type UncaughtReporter } from './core/guarded.ts'
export type { Html, HtmlValue } from './core/html.ts'
export { removeInBatches, type Sweep, type SweepContext } from './core/jobs/sweep.ts'
export { lazy } from './core/lazy.ts'
export type { Logger, LogMethod } from './core/log/logger.ts'
export type {
  AccountPages,
  AttachedFile,
  ClientPages,
  MailAttachment,
  MailContext,
  MailDefinition,
  MailMessage,
  MailOptions,
  MailReplacement,
  MailTexts,
} from './core/mail.ts'
export type { CommandContext, CommandPassword, DataContext, Migration, Stoppable } from './core/module.ts'
export type { Health, HealthCheck } from './core/service.ts'
export type { WebhookDefinition } from './core/webhook.ts'
export { version } from './version.ts'

// Parts of definitions

export type { Operation } from './core/model/access-rules.ts'
export { anonymous } from './core/model/caller.ts'
export type { CodeContext } from './core/model/code-context.ts'
export type { ResourceOptions, ResourceTraits } from './core/model/define.ts'
export type { ViewDeclaration } from './core/model/define-view.ts'
export type { ModelOptions, ResourceModel, Stamps } from './core/model/definition.ts'
export type { ExtendedResource, ResourceAdditions } from './core/model/extend.ts'
export type { CountField, Field, InverseField, LinkField, ToOneField } from './core/model/field.ts'
export type { FieldOptions } from './core/model/field-options.ts'
export { readJsonValue } from './core/model/fields/collection.ts'
export { decimalsOf } from './core/model/fields/number.ts'
export type { SentReference } from './core/model/fields/relation.ts'
export { refPart, type SentParts, type ShownParts, type StoredParts } from './core/model/fields/structure.ts'
export { input, issued } from './core/model/fields.ts'
export type { HookName } from './core/model/hook-set.ts'
export type { HookContext, Hooks } from './core/model/hooks.ts'
export type { AssignedIdentifier, Identifier } from './core/model/identifier.ts'
export { treeFields, treeHooks } from './core/model/tree.ts'
export type { HooksOf } from './core/model/typed-hooks.ts'
export { ValueFault } from './core/model/value-fault.ts'
export type { Shape, ValueField, ValueType } from './core/model/value-field.ts'

// Records outside of a call

export type { GivenValues } from './core/model/row.ts'
export type { AggregateQuery, GroupRow } from './core/model/row-aggregate.ts'
export type { StreamQuery } from './core/model/row-query.ts'
export type { RowOf } from './core/model/row-view.ts'
export type { SqlFragment, SqlPart, SqlTemplate } from './core/model/sql.ts'
export type { RemoveOptions, Transaction } from './core/model/transaction.ts'
export { inTransaction } from './core/records/context.ts'
export { recordsFor, recordsWithin } from './core/records/records.ts'

// Requests and answers

export { referenceSchema } from './core/describe/json-schema.ts'
export { chooseMediaType } from './core/formats/choose-media-type.ts'
export { valueFormats } from './core/formats/index.ts'
export type { Request, Route } from './core/http/exchange.ts'
export { readCookie } from './core/http/incoming.ts'
export type { JsonMembers, JsonSchema } from './core/model/json.ts'
export { parseJson } from './core/model/json-text.ts'
export { type ListShape, mapOf, showShape } from './core/model/shape.ts'
export { aliasOf } from './core/rest/alias.ts'
export type { Answer } from './core/rest/answer.ts'
export { type Context, contextFor, type TransactionContext } from './core/rest/context.ts'
export {
  type AnswerDeclaration,
  type AnswerOptions,
  type BodyDeclaration,
  bodyOf,
  type ContentBody,
  contentBody,
  type DeclaredEndpoint,
  type Endpoint,
  type JsonBody,
  jsonBody,
  type OneOrManyBody,
  oneOrMany,
  type RecordBody,
  type WithoutBody,
} from './core/rest/endpoint.ts'
export { toStreamAnswer, toValueAnswer } from './core/rest/endpoint-answers.ts'
export { changeFromFields, createFromFields } from './core/rest/from-fields.ts'
export { answerRecord, answerSearch, replaceByBody } from './core/rest/generic-answers.ts'
export { administrator, canUse, mayUse, type Permit, signedIn } from './core/rest/permits.ts'
export type { Platform } from './core/rest/platform.ts'
export type { Report, ReportOptions } from './core/rest/report.ts'
export { showRecord } from './core/rest/show-record.ts'

// Faults, problems and settings of the platform

export { apiSettings } from './core/config/api-settings.ts'
export { givenBy, switchedBy } from './core/config/features.ts'
export { defineTextType, hostName, network, origin } from './core/config/fields.ts'
export { ConfigError } from './core/config/load.ts'
export { appSettings, databaseSettings, logSettings, serverSettings } from './core/config/service-settings.ts'
export type { Config, NamedSettingsOf } from './core/config/settings.ts'
export type { ConfigFault } from './core/config/sources.ts'
export type { FaultMaker, FaultReason } from './core/fault.ts'
export type { Setting } from './core/model/setting.ts'
export type { ReadSettings, SettingGroup } from './core/model/settings.ts'
export { errorCode, errorMessage, type ProblemDetails } from './core/problem.ts'
export type { ProblemTranslation } from './core/problem-texts.ts'
export { isProblemCode, type ProblemCode } from './core/problem-types.ts'
export type { Text } from './core/text.ts'

// Standard modules

export { type AuditEvent, defineAudit } from './modules/audit/index.ts'
export type {
  AllowedType,
  DetectedType,
  FileContext,
  FileOptions,
  FileReference,
  ImageOptions,
  NewFile,
  SentFile,
  ShownFile,
  StoredFile,
} from './modules/files/index.ts'
export type { NewMail } from './modules/mail/index.ts'
export type { ManagementEndpoint } from './modules/management/management-endpoint.ts'
export type { AddressValues, MailRecipient, PersonNames, PreparedPassword, User } from './modules/people/index.ts'

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
