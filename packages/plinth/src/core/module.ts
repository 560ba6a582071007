// A module: one feature in one folder, given to the composition as data.

import type { FeatureOf } from './config/features.ts'
import type { Config } from './config/settings.ts'
import type { FaultTable } from './fault.ts'
import type { UncaughtReporter } from './guarded.ts'
import type { Route, SocketRoute } from './http/exchange.ts'
import type { StaticFiles } from './http/static-folder.ts'
import type { Job } from './jobs/job.ts'
import type { Sweep } from './jobs/sweep.ts'
import type { MailDefinition, MailReplacement } from './mail.ts'
import type { CodeContext } from './model/code-context.ts'
import type { ResourceDefinition } from './model/define.ts'
import type { AdditionsOf, ExtendedResource, WithExtensions } from './model/extend.ts'
import type { Json, JsonSchema } from './model/json.ts'
import type { StoredRecord, Values } from './model/record.ts'
import type { TransactionRecords } from './model/records.ts'
import type { Row, RowChanges } from './model/row.ts'
import type { Where } from './model/row-where.ts'
import type { InnerFaults } from './model/rule-faults.ts'
import type { SettingGroup } from './model/settings.ts'
import type { Text, Title } from './model/words.ts'
import { type ProblemTable, problemTypes } from './problem-types.ts'
import type { Endpoint } from './rest/endpoint.ts'
import type { Platform } from './rest/platform.ts'
import type { Report } from './rest/report.ts'
import type { HealthCheck, Service } from './service.ts'
import { markPlace } from './source-place.ts'
import type { WebhookDefinition } from './webhook.ts'

/** What seeds and data migrations work with. */
export interface DataContext extends CodeContext {
  /** The records in the transaction, without permissions. */
  readonly records: TransactionRecords
  /** The time when the transaction began. */
  readonly now: Date
}

/** Data that the module starts with. Each seed runs once in the life of a database, known by its name. */
export interface Seed {
  readonly name: string
  /** Restricts it to demo mode. */
  readonly demo?: boolean
  /** Runs in one transaction, as the service itself. */
  readonly run: (context: DataContext) => Promise<void>
}

interface NamedMigration {
  /** Unique in the application, in kebab-case, such as `split-names`. */
  readonly name: string
  /**
   * `contract` waits for `plinth migrate --contract`: for what would disturb instances of the version before, while both run. All others
   * run at the next start or `plinth migrate`.
   */
  readonly phase?: 'contract'
}

/** One transaction, as the service itself. For little data. */
interface WholeMigration extends NamedMigration {
  readonly run: (context: DataContext) => Promise<void>
}

/** Record by record in batches, each a transaction of its own. One that is cut off goes on where it was. */
interface RecordMigration<D extends ResourceDefinition> extends NamedMigration {
  readonly each: D
  readonly where?: Where<D>
  /**
   * What changes; null changes nothing. It may read other records, in the transaction of the batch. Runs again for a record only if
   * its batch was not committed.
   */
  readonly change: (row: Row<D>, context: DataContext) => RowChanges<D> | null | Promise<RowChanges<D> | null>
}

/** A migration in the terms of the database itself, in one transaction: no hooks, no events, no computed fields. */
interface SqlMigration extends NamedMigration {
  readonly sql: { readonly sqlite: string; readonly postgres: string }
}

/** Changes data once in the life of a database, after its tables have been migrated. Made by `defineMigration`. */
export interface Migration extends NamedMigration {
  readonly run?: WholeMigration['run']
  readonly each?: ResourceDefinition
  readonly where?: object
  readonly change?: (row: StoredRecord, context: DataContext) => Values | null | Promise<Values | null>
  readonly sql?: SqlMigration['sql']
}

/**
 * Declares a change of data that runs once in the life of a database: by code, record by record, or in SQL.
 *
 * @example
 * defineMigration({
 *   name: 'library.trim-titles',
 *   each: books,
 *   change: ({ title }) => (title === title.trim() ? null : { title: title.trim() }),
 * })
 */
export const defineMigration = <const D extends ResourceDefinition>(
  migration: WholeMigration | RecordMigration<D> | SqlMigration,
): Migration => markPlace(migration as Migration, defineMigration)

/** A log is kept and read by others; secrets are for a terminal alone. */
export type GreetingPlace = 'terminal' | 'log'

/** The parameters keep the types of what it declares, for clients that are typed by the application. */
export interface Module<
  Resources extends readonly ResourceDefinition[] = readonly ResourceDefinition[],
  Endpoints extends readonly Endpoint[] = readonly Endpoint[],
  Extensions extends readonly ExtendedResource[] = readonly ExtendedResource[],
> {
  readonly name: string
  /** The title; by default derived from the name. */
  readonly title?: Title
  readonly about: Text
  readonly resources: Resources
  /** Rules by name, for use inside the rules of its resources. */
  readonly rules?: Readonly<Record<string, string>>
  /** What it adds to resources of other modules, made by `extendResource`. */
  readonly extensions?: Extensions
  /** The settings below `app.<name>`, or another name that is the module's own. */
  readonly settings?: readonly SettingGroup[]
  /** What its settings switch on and off. */
  readonly features?: readonly FeatureOf[]
  /** The codes of its own faults and their messages, made by `defineFaults`. */
  readonly faults?: FaultTable
  /** The problems of the module, made by `defineProblems`. */
  readonly problems?: ProblemTable
  /** The types of the audit events that it records. */
  readonly auditTypes?: readonly string[]
  /**
   * The mails of the module, made by `defineMail`, and texts in place of those of other modules, made by `replaceMail`.
   */
  readonly mails?: readonly (MailDefinition | MailReplacement)[]
  /** Changes of records that are sent to other services, made by `defineWebhook`. */
  readonly webhooks?: readonly WebhookDefinition[]
  /** Names below `/api/rest` at which its own routes answer, and which therefore no resource can have. */
  readonly reservedNames?: readonly string[]
  /** Endpoints beyond the generic ones: a list, or one that is made for each service. */
  readonly endpoints?: Endpoints | ((service: Service) => Endpoints)
  /** Routes that answer by themselves. Use `endpoints` wherever you can. */
  readonly routes?: (service: Service) => readonly Route[]
  /** How callers authenticate, for the OpenAPI document. */
  readonly securitySchemes?: Readonly<Record<string, JsonSchema>>
  /** Addresses that take WebSockets. */
  readonly sockets?: (service: Service) => readonly SocketRoute[]
  /** Groups of records and numbers of each under a name, made by `defineReport`. */
  readonly reports?: readonly Report[]
  readonly seeds?: readonly Seed[]
  /** Changes of data that exists, in order. */
  readonly migrations?: readonly Migration[]
  /** A resource has a new name: for records that hold names of resources. In a transaction, once for each renaming. */
  readonly onRename?: (
    records: TransactionRecords,
    renaming: { readonly from: string; readonly to: string },
  ) => Promise<void>
  /** A caller has deleted a record from the trash for good. In the transaction of the deletion. */
  readonly onPurge?: Platform['reportPurge']
  /**
   * What it adds to the web client: the file with `defineWeb`, such as `./web/index.tsx`, from the folder of the file that declares the
   * module; or the name of a package, such as `@plinth/rental/web`.
   */
  readonly web?: string
  /** Folders of files that browsers fetch. */
  readonly files?: readonly StaticFiles[]
  /** What must be well for the service to be well, by name. */
  readonly health?: Readonly<Record<string, HealthCheck>>
  /** Information about the module for administrators, by name. */
  readonly info?: (service: Service) => Readonly<Record<string, Json>>
  /** Lines printed at the start of the service. */
  readonly greet?: (service: Service, place: GreetingPlace) => Promise<readonly string[]>
  /** Runs before the database is migrated; a failure stops the start and `plinth migrate`. */
  readonly checkBeforeMigration?: (config: Config) => Promise<void>
  /** Runs before the service listens; a failure stops the start. */
  readonly check?: (service: Service) => Promise<void>
  /** What depends on settings or on the other modules, in place of the parts above. */
  readonly configure?: (
    config: Config,
    modules: readonly Module[],
  ) => Partial<Pick<Module, 'resources' | 'endpoints' | 'routes' | 'seeds' | 'check'>>
  /** The commands for the command line. */
  readonly commands?: readonly Command[]
  /** What is deleted when it has expired, hourly and in this order. */
  readonly sweeps?: readonly Sweep[]
  /** Work that runs by a schedule, once for all instances. */
  readonly jobs?: readonly Job[]
  /** Jobs for what the modules of the application declare. */
  readonly jobsFor?: (modules: readonly Module[]) => readonly Job[]
  /** What depends on live state of the module, which is made once for each running service. */
  readonly create?: (service: Service) => Partial<Pick<Module<readonly ResourceDefinition[], Endpoints>, LivePart>>
  /** Starts other work in the background, from the moment the service listens; what it returns ends the work. */
  readonly start?: (service: Service) => Promise<() => Promise<void>>
}

/** The parts of a module that may depend on its live state. */
type LivePart = 'endpoints' | 'routes' | 'sockets' | 'health' | 'info' | 'check' | 'jobs' | 'start'

/** Refuses a resource of the list with a sentence, if one of its relations or rules names a field that a resource does not have. */
type CheckedResources<Resources extends readonly ResourceDefinition[]> = [InnerFaults<Resources[number]>] extends [
  never,
]
  ? unknown
  : { readonly resources: { readonly [I in keyof Resources]: CheckedResource<Resources[I], Resources[number]> } }

type CheckedResource<D extends ResourceDefinition, All extends ResourceDefinition> = [InnerFaults<D, All>] extends [
  never,
]
  ? D
  : InnerFaults<D, All>

/** The extensions and resources of a list, each extension with what all of them add. */
type Listed<X extends ExtendedResource, D extends ResourceDefinition> = D | WithExtensions<X, X>

/** The same for what extensions add. */
type CheckedExtensions<
  Extensions extends readonly ExtendedResource[],
  Resources extends readonly ResourceDefinition[],
> = [InnerFaults<AdditionsOf<Extensions[number]>, Listed<Extensions[number], Resources[number]>>] extends [never]
  ? unknown
  : {
      readonly extensions: {
        readonly [I in keyof Extensions]: CheckedExtension<Extensions[I], Listed<Extensions[number], Resources[number]>>
      }
    }

type CheckedExtension<X extends ExtendedResource, All extends ResourceDefinition> = [
  InnerFaults<AdditionsOf<X>, All>,
] extends [never]
  ? X
  : InnerFaults<AdditionsOf<X>, All>

/**
 * Declares a module: a feature with its resources, endpoints, settings, commands, jobs and seeds.
 *
 * @example
 * export const library = defineModule({
 *   name: 'library',
 *   about: 'Books, authors and loans.',
 *   resources: [authors, books, loans],
 *   endpoints: [returnLoan],
 * })
 */
export const defineModule = <
  const Resources extends readonly ResourceDefinition[],
  const Endpoints extends readonly Endpoint[] = readonly Endpoint[],
  const Extensions extends readonly ExtendedResource[] = readonly [],
>(
  module: Module<Resources, Endpoints, Extensions> &
    CheckedResources<Resources> &
    CheckedExtensions<Extensions, Resources>,
): Module<Resources, Endpoints, Extensions> => markPlace(module, defineModule)

/** The problems of the platform and of these modules. */
export const problemsOf = (modules: readonly Module[]): ProblemTable =>
  Object.assign({}, problemTypes, ...modules.map(module => module.problems))

// Commands of the command line that modules declare.

/** A command of the command line, declared in the `commands` of a module. */
export interface Command {
  /** The words to type, such as `admin create`. The first of several may be a command too, or a group that has no `run`. */
  readonly name: string
  readonly about: string
  /** The arguments, each as `<username>`, or `[name]` where it may be left out. */
  readonly arguments?: readonly { readonly name: string; readonly about?: string }[]
  /** The options, each as `--verify`, or `--keep <number>` with a value. */
  readonly options?: readonly { readonly name: string; readonly about: string }[]
  /** A problem that it throws is its failure, reported by its message. */
  readonly run?: (context: CommandContext, ...args: readonly (string | undefined)[]) => Promise<void>
}

/** What a command works with. */
export interface CommandContext extends CodeContext {
  readonly config: Config
  /** The options that were given, by name in camelCase; true for those without a value. */
  readonly options: Readonly<Record<string, string | true>>
  /** Standard output. */
  print(...lines: readonly string[]): void
  /** Standard error, for progress. */
  printProgress(line: string): void
  /** Runs work on the migrated database of the service, without listening. */
  withPlatform(work: (platform: Platform) => Promise<void>): Promise<void>
  /** The same on the database as it is: it may be empty, or of another version. */
  withPlatformAsIs(work: (platform: Platform, service: Service) => Promise<void>): Promise<void>
  /** Asks for a password, typed without an echo or read from a pipe; it is generated when it is empty. */
  askPassword(): Promise<CommandPassword>
  /** Runs until a signal or an uncaught error ends the process. */
  runUntilStopped(running: Stoppable): void
}

/** A password that the user has typed, or that was generated. */
export interface CommandPassword {
  readonly password: string
  /** Says that the value was generated and has to be shown. */
  readonly isGenerated: boolean
}

/** Something that runs until the process ends, such as a service. */
export interface Stoppable extends UncaughtReporter {
  close(): Promise<void>
}
