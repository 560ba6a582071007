// The service seen as a whole: its modules, all its routes, and the document that describes them.

import { isDeepStrictEqual } from 'node:util'
import { appSettings, serverSettings } from './config/service-settings.ts'
import type { Config } from './config/settings.ts'
import { type DescribedEndpoint, type JsonObject, toOpenApi } from './describe/openapi.ts'
import { ownFileFormats } from './formats/files/index.ts'
import { formats } from './formats/index.ts'
import type { Route } from './http/exchange.ts'
import type { JsonSchema } from './model/json.ts'
import { inLanguage } from './model/words.ts'
import { type Module, problemsOf } from './module.ts'
import type { Action } from './rest/action.ts'
import type { DeclaredReport } from './rest/declared-report.ts'
import type { EndpointForm } from './rest/endpoint-form.ts'
import type { Platform } from './rest/platform.ts'
import type { Overview } from './service.ts'

export interface ModuleRoutes {
  readonly module: Module
  readonly routes: readonly Route[]
  readonly actions: readonly Action[]
  readonly forms: readonly EndpointForm[]
  readonly reports: readonly DeclaredReport[]
}

export interface Whole {
  readonly platform: Platform
  readonly config: Config
  /** The title of the API description: the name of the application. */
  readonly title: string
  /** The version of the application. */
  readonly version: string
  /** The generic endpoints. */
  readonly generic: readonly Route[]
  readonly added: readonly ModuleRoutes[]
  readonly optional: Overview['optional']
  readonly brand: Overview['brand']
}

export const createOverview = (whole: Whole): Overview => {
  const documents = new Map<string, JsonObject>()
  const generic = new Set(whole.generic.map(keyOf))
  return {
    title: whole.title,
    version: whole.version,
    brand: whole.brand,
    modules: whole.added.map(({ module }) => {
      const { name, title, about, resources, faults = {}, features = [], health = {}, info = () => ({}) } = module
      return { name, title, about, resources: resources.map(resource => resource.name), faults, features, health, info }
    }),
    optional: whole.optional,
    problems: problemsOf(whole.added.map(({ module }) => module)),
    routes: [
      ...withoutOverridden(whole).map(route => ({ module: 'core', route, overrides: false })),
      ...whole.added.flatMap(({ module, routes }) =>
        routes.map(route => ({ module: module.name, route, overrides: generic.has(keyOf(route)) })),
      ),
    ],
    actions: whole.added.flatMap(({ actions }) => actions),
    forms: whole.added.flatMap(({ forms }) => forms),
    reports: whole.added.flatMap(({ reports }) => reports),
    openapi: (language = 'en') => {
      const document = documents.get(language) ?? toDocument(whole, language)
      documents.set(language, document)
      return document
    },
  }
}

const keyOf = ({ method, path }: Route): string => `${method} ${path}`

/** A route of a module with the method and path of a generic endpoint takes its place. */
const withoutOverridden = ({ generic, added }: Whole): readonly Route[] => {
  const own = new Set(added.flatMap(({ routes }) => routes.map(keyOf)))
  return generic.filter(route => !own.has(keyOf(route)))
}

const toDocument = (
  { platform: { registry, access, limits, bodies }, config, title, version, added }: Whole,
  language: string,
): JsonObject =>
  toOpenApi({
    registry,
    formats,
    fileTypes: ownFileFormats.map(({ mediaType }) => mediaType),
    language,
    access,
    info: { title, version, description: 'The same operations for every resource.' },
    problems: problemsOf(added.map(({ module }) => module)),
    problemBodies: bodies.problems,
    firstPage: limits.firstPage,
    maxPageSize: limits.maxPageSize,
    securitySchemes: Object.assign({}, ...added.map(({ module }) => module.securitySchemes)),
    endpoints: added.flatMap(({ module, routes }) => routes.flatMap(route => toEndpoint(module, route))),
    schemas: sharedSchemas(added),
    tags: added.map(({ module }) => ({ name: module.name, description: inLanguage(module.about, language) })),
    baseUrl:
      config.get(appSettings).baseUrl || `http://${config.get(serverSettings).host}:${config.get(serverSettings).port}`,
  })

/** Collects the shapes. Several endpoints may use the same one; two of one name are a mistake. */
const sharedSchemas = (added: readonly ModuleRoutes[]): JsonObject => {
  const schemas: Record<string, JsonSchema> = {}
  const parts = added.flatMap(({ routes }) => routes.flatMap(({ describe }) => describe?.schemas ?? []))
  for (const [name, schema] of parts.flatMap(part => Object.entries(part))) {
    if (schemas[name] && !isDeepStrictEqual(schemas[name], schema))
      throw new Error(`two schemas of the API description are named '${name}'`)
    schemas[name] = schema
  }
  return schemas
}

const toEndpoint = (module: Module, { method, path, describe }: Route): DescribedEndpoint[] =>
  describe ? [{ method, path, description: describe, tag: module.name }] : []
