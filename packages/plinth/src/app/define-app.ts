// defineApp: an application is a name and a list of modules beside the standard ones.

import { list } from '../core/config/fields.ts'
import { type Config, defineSettings } from '../core/config/settings.ts'
import type { SettingsInCode } from '../core/config/sources.ts'
import type { ResourceDefinition } from '../core/model/define.ts'
import { DefinitionError, type DefinitionFault, didYouMean } from '../core/model/definition-error.ts'
import type { AdditionsOf, ExtendedResource, WithExtensions } from '../core/model/extend.ts'
import { choice } from '../core/model/fields.ts'
import type { RelationFaults } from '../core/model/relation-faults.ts'
import type { RuleFaults } from '../core/model/rule-faults.ts'
import type { PublishedName, ResourceSchema } from '../core/model/schema-of.ts'
import { createResolver, type SettingGroup } from '../core/model/settings.ts'
import type { Module } from '../core/module.ts'
import type { Endpoint } from '../core/rest/endpoint.ts'
import type { EndpointName, EndpointSchema } from '../core/rest/endpoint-schema.ts'
import { version as plinthVersion } from '../version.ts'
import { moduleListFaults } from './check-entries.ts'
import { type AppLanguages, clientFaults, type WebClientOptions } from './client-options.ts'
import { type Composition, composeModules, translateModules, translationFaults } from './compose-modules.ts'
import {
  type OptionalStandardModule,
  optionalStandardModules,
  type ResourceEndpoint,
  standardModules,
} from './standard-modules.ts'
import { problemTextFaults } from './translate-problems.ts'

/** What `plinth.config.ts` declares. */
export interface AppOptions<Modules extends readonly Module[] = readonly Module[]> {
  /** The name of the application, for people: it is the title of the API description. */
  readonly name: string
  /** The version of the application, which the API description and `/api/management/info` show: by default that of Plinth. */
  readonly version?: string
  /** The modules of the application, in the order in which they use one another. The standard modules come first. */
  readonly modules?: Modules
  /** Standard modules that the application does without. */
  readonly without?: readonly OptionalStandardModule[]
  /** Logo and colours of the web client, whose name is that of the application. */
  readonly client?: WebClientOptions
  /**
   * Settings that this application has instead of the defaults of Plinth, by their full names. A settings file, the environment
   * and the command line still win. Secrets are refused here.
   */
  readonly settings?: SettingsInCode
  /** Languages that it adds to the service and the web client, by code, such as `fr`. English and German are there. */
  readonly languages?: AppLanguages
}

const moduleSettingsFor = (names: readonly string[]) =>
  defineSettings('app', {
    modules: list(choice(names), { default: names, about: 'The optional modules that are enabled.' }),
  })

/** An application: its modules, and the settings that follow from them. Made by `defineApp`. */
export interface AppDefinition<Modules extends readonly Module[] = readonly Module[]> {
  readonly kind: 'app'
  readonly name: string
  readonly version: string
  /** The standard modules, and after them those of the application. */
  readonly modules: Modules
  /** The standard modules that it does without. */
  readonly leftOut: readonly Module[]
  readonly client: WebClientOptions
  readonly settings: SettingsInCode
  readonly languages: AppLanguages
  /** The modules that the setting `app.modules` can leave out: those of the application. */
  readonly optional: readonly string[]
  readonly moduleSettings: ReturnType<typeof moduleSettingsFor>
}

type ResourcesIn<Modules extends readonly TypedModule[]> = Modules[number]['resources'][number]

type ExtensionsIn<Modules extends readonly TypedModule[]> = NonNullable<Modules[number]['extensions']>[number]

/** All resources of an application, with what its modules add to them. */
type KnownResources<Modules extends readonly TypedModule[]> = WithExtensions<
  ResourcesIn<Modules> | ResourcesIn<typeof standardModules>,
  ExtensionsIn<Modules>
>

/** What the modules declare, whose relations and rules must lead to known resources. */
type Declared<Modules extends readonly Module[]> = ResourcesIn<Modules> | AdditionsOf<ExtensionsIn<Modules>>

type ListFaults<Modules extends readonly Module[], All extends readonly Module[] = Modules> =
  | RelationFaults<Declared<Modules>, KnownResources<All>>
  | RuleFaults<Declared<Modules>, KnownResources<All>>

/** Refuses a module of the list with a sentence, if a relation or a rule refers to what the application does not have. */
type CheckedModules<Modules extends readonly Module[]> = [ListFaults<Modules>] extends [never]
  ? unknown
  : { readonly modules?: { readonly [I in keyof Modules]: CheckedModule<Modules[I], Modules> } }

type CheckedModule<M extends Module, Modules extends readonly Module[]> = [ListFaults<[M], Modules>] extends [never]
  ? M
  : ListFaults<[M], Modules>

/**
 * Declares an application. Export it as the default of `plinth.config.ts`; every command of the command line reads it.
 *
 * @example
 * export default defineApp({ name: 'City library', modules: [library] })
 */
export const defineApp = <const Modules extends readonly Module[] = readonly []>({
  name,
  version = plinthVersion,
  modules,
  without = [],
  client = {},
  settings = {},
  languages = {},
}: AppOptions<Modules> & CheckedModules<Modules>): AppDefinition<readonly [...typeof standardModules, ...Modules]> => {
  const faults = [...moduleListFaults(modules), ...withoutFaults(without), ...clientFaults(client, languages)]
  if (faults.length > 0) throw new DefinitionError(faults)
  const added: readonly Module[] = modules ?? []
  const optional = added.map(module => module.name)
  const isLeftOut = (module: Module): boolean => without.some(one => one === module.name)
  return {
    kind: 'app',
    name,
    version,
    modules: [...standardModules.filter(module => !isLeftOut(module)), ...added] as unknown as readonly [
      ...typeof standardModules,
      ...Modules,
    ],
    leftOut: standardModules.filter(isLeftOut),
    client,
    settings,
    languages,
    optional,
    moduleSettings: moduleSettingsFor(optional),
  }
}

/** The compiler checks it too, but not in JavaScript. */
const withoutFaults = (without: readonly string[]): readonly DefinitionFault[] => {
  const names: readonly string[] = optionalStandardModules
  return without
    .filter(name => !names.includes(name))
    .map(name => {
      const hint = didYouMean(names, name) || `; these are ${names.join(', ')}`
      return { message: `'${name}' in \`without\` is not an optional standard module${hint}` }
    })
}

/** The settings of the application itself. One without modules of its own has nothing to leave out. */
export const ownSettings = ({ optional, moduleSettings }: AppDefinition): readonly SettingGroup[] =>
  optional.length > 0 ? [moduleSettings] : []

const chosenIn = ({ optional, moduleSettings }: AppDefinition, config: Config): readonly string[] =>
  optional.length > 0 ? config.get(moduleSettings).modules : []

/** The modules as these settings make them, with their extensions applied. */
export const composedModules = (
  modules: readonly Module[],
  config: Config,
  composition: Composition = { leftOut: [], optional: [] },
): readonly Module[] => {
  const faults = moduleListFaults(modules)
  if (faults.length > 0) throw new DefinitionError(faults)
  return composeModules(
    modules.map(module => ({ ...module, ...module.configure?.(config, modules) })),
    { ...composition, resolve: createResolver(config.get) },
  )
}

/** The modules of a deployment, as its settings make them. */
export const modulesFor = (app: AppDefinition, config: Config): readonly Module[] => {
  const chosen = chosenIn(app, config)
  const standard = app.modules.filter(module => !app.optional.includes(module.name))
  const optional = chosen.flatMap(name => app.modules.filter(module => module.name === name))
  const composed = composedModules([...standard, ...optional], config, app)
  const faults = [...translationFaults(app, composed), ...problemTextFaults(app)]
  if (faults.length > 0) throw new DefinitionError(faults)
  return translateModules(composed, app.languages)
}

export const optionalIn = (
  app: AppDefinition,
  config: Config,
): readonly { readonly name: string; readonly isChosen: boolean }[] => {
  const chosen = chosenIn(app, config)
  return app.optional.map(name => ({ name, isChosen: chosen.includes(name) }))
}

// The types of an application, for clients in the same repository. `plinth types` writes the same for others.

interface TypedModule {
  readonly resources: readonly ResourceDefinition[]
  readonly extensions?: readonly ExtendedResource[]
  readonly endpoints?: unknown
}

type ListedEndpoint<M extends TypedModule> = M extends { readonly endpoints?: infer E }
  ? Extract<E, readonly Endpoint[]>[number]
  : never

/** Internal resources have no endpoints. */
type PublishedEndpoint<D extends ResourceDefinition> = D extends unknown
  ? [PublishedName<D>] extends [never]
    ? never
    : ResourceEndpoint<D>
  : never

/** The types of an application, for `createClient<SchemaOf<typeof app>>()`. */
export type SchemaOf<App extends { readonly modules: readonly TypedModule[] }> = SchemaOfParts<
  WithExtensions<ResourcesIn<App['modules']>, ExtensionsIn<App['modules']>>,
  ListedEndpoint<App['modules'][number]>
>

interface SchemaOfParts<D extends ResourceDefinition, E> {
  readonly resources: { readonly [One in D as PublishedName<One>]: ResourceSchema<One> }
  readonly endpoints: {
    readonly [One in E | PublishedEndpoint<D> as EndpointName<One>]: EndpointSchema<One>
  }
}
