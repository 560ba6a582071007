// What an application imports from `plinth`. Authors of packages find more in `module.ts`, tests in `testing.ts`; all else is internal.

// Applications and modules

export { defineApp, type SchemaOf } from './app/define-app.ts'
export { replaceMail } from './app/replace-mail.ts'
export { html } from './core/html.ts'
export { defineJob, type Job, type JobContext } from './core/jobs/job.ts'
export { expires } from './core/jobs/sweep.ts'
export { defineMail } from './core/mail.ts'
export { type Command, defineMigration, defineModule, type Module, type Seed } from './core/module.ts'
export type { Service } from './core/service.ts'
export { defineWebhook } from './core/webhook.ts'

// Resources: definitions, identifiers, hooks

export type { AccessRules } from './core/model/access-rules.ts'
export { type Caller, isAdmin } from './core/model/caller.ts'
export { defineResource, type ResourceDefinition } from './core/model/define.ts'
export { defineView } from './core/model/define-view.ts'
export { extendResource } from './core/model/extend.ts'
export { followingRows } from './core/model/following-rows.ts'
export { assigned, composedOf, hashOf, ownedBy, sharedWith, unguessable } from './core/model/identifier.ts'
export type { HookContextOf } from './core/model/typed-hooks.ts'

// Field types

export {
  boolean,
  choice,
  computed,
  counted,
  date,
  decimal,
  duration,
  email,
  geo,
  hasOne,
  integer,
  json,
  links,
  longText,
  many,
  map,
  money,
  phone,
  ref,
  secret,
  sequence,
  summed,
  text,
  textList,
  timestamp,
  url,
  vector,
  webLink,
} from './core/model/fields.ts'

// Records

export type { Link } from './core/model/record.ts'
export type { RecordReader, Records, TransactionRecords } from './core/model/records.ts'
export type { NewRow, Row, RowChanges } from './core/model/row.ts'
export type { RowQuery } from './core/model/row-query.ts'
export type { Where } from './core/model/row-where.ts'
export { sql } from './core/model/sql.ts'

// Endpoints

export type { Json } from './core/model/json.ts'
export {
  defineShape,
  type InputOf,
  list,
  manyOf,
  number,
  object,
  optional,
  type ShapeValue,
} from './core/model/shape.ts'
export { type Call, defineEndpoint } from './core/rest/endpoint.ts'
export { defineReport } from './core/rest/report.ts'

// Problems and faults

export { defineFaults, fault } from './core/fault.ts'
export { defineProblems, type Fault, Problem } from './core/problem.ts'

// Settings

export { list as settingList, webAddress } from './core/config/fields.ts'
export { defineSettings } from './core/config/settings.ts'
export { cents, minorUnits } from './core/model/fields/number.ts'
export { type SettingsOf, setting } from './core/model/settings.ts'

// Standard modules: resources to refer to, and what they offer to others

export { file, image, storeFile } from './modules/files/index.ts'
export { continents, countries, localities, postalCodes } from './modules/geography/index.ts'
export { queueMail } from './modules/mail/index.ts'
export { contactDetails, createUser, mailRecipientOf, personalDetails, roles, users } from './modules/people/index.ts'
