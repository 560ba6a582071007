// The HTTP server of a service: the routes, sockets and files of its modules, watched by all that observe.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { apiSettings } from '../core/config/api-settings.ts'
import { appSettings, serverSettings } from '../core/config/service-settings.ts'
import type { Route } from '../core/http/exchange.ts'
import { type HttpServer, readLimits, type ServerOptions } from '../core/http/options.ts'
import { createServer } from '../core/http/server.ts'
import type { StaticFiles } from '../core/http/static-folder.ts'
import { DefinitionError } from '../core/model/definition-error.ts'
import { createResolver } from '../core/model/settings.ts'
import type { Module } from '../core/module.ts'
import { createRequestLog, observeAll } from '../core/observe/requests.ts'
import { createStatementCounts, type StatementCounts } from '../core/observe/statement-counts.ts'
import type { Telemetry } from '../core/observe/telemetry.ts'
import type { ModuleRoutes } from '../core/overview.ts'
import { actionOf } from '../core/rest/action.ts'
import { declaredReports } from '../core/rest/declared-report.ts'
import type { Endpoint } from '../core/rest/endpoint.ts'
import { endpointFormOf } from '../core/rest/endpoint-form.ts'
import { endpointRoutes } from '../core/rest/endpoint-route.ts'
import { methodsByPath, withPreflights } from '../core/rest/origins.ts'
import { createFallbacks } from '../core/rest/problem-response.ts'
import { reportRoutes } from '../core/rest/report-routes.ts'
import { restRoutes } from '../core/rest/routes.ts'
import { settledEndpoint } from '../core/rest/settled-endpoint.ts'
import type { Service } from '../core/service.ts'
import { pageChangesRoute } from './pages/page-changes.ts'
import { type Tracing, tracedServer } from './traced.ts'

export interface AllRoutes {
  readonly generic: readonly Route[]
  readonly added: readonly ModuleRoutes[]
}

export const routesOf = (service: Service, modules: readonly Module[]): AllRoutes => {
  const generic = restRoutes(service)
  const resolve = createResolver(service.config.get)
  const genericMethods = methodsByPath(generic)
  const declared = modules.map(module => {
    const endpoints = endpointsOf(service, module).map(one => settledEndpoint(one, resolve))
    const { registry, access } = service.platform
    const actions = endpoints.flatMap(one => actionOf(one, registry) ?? [])
    for (const { when } of actions) if (when) access.uses(when.rule)
    const forms = endpoints.flatMap(one => endpointFormOf(one, registry) ?? [])
    const reports = declaredReports(service.platform, module.reports ?? [], module.name)
    return {
      module,
      routes: [
        ...endpointRoutes(service, endpoints, module.name),
        ...reportRoutes(service, reports),
        ...(module.routes?.(service) ?? []),
      ],
      actions,
      forms,
      reports,
    }
  })
  const added = withoutReplaced(declared).map(one => ({
    ...one,
    routes: withPreflights(service, one.routes, genericMethods),
  }))
  return { generic, added }
}

/** Removes the routes that give way to others at the same address. */
const withoutReplaced = (all: readonly ModuleRoutes[]): readonly ModuleRoutes[] => {
  const keyOf = ({ method, path }: Route): string => `${method} ${path}`
  const firm = new Set(all.flatMap(({ routes }) => routes.filter(({ givesWay }) => !givesWay).map(keyOf)))
  return all.map(one => ({
    ...one,
    routes: one.routes.filter(route => !route.givesWay || !firm.has(keyOf(route))),
  }))
}

const endpointsOf = (service: Service, { endpoints = [] }: Module): readonly Endpoint[] =>
  typeof endpoints === 'function' ? endpoints(service) : endpoints

export interface ServerParts {
  readonly modules: readonly Module[]
  readonly telemetry: Telemetry | null
  /** The web client, with the pages of modules. */
  readonly client: readonly StaticFiles[]
  /** The folder where relative paths begin. */
  readonly appFolder: string
  readonly isDevelopment: boolean
  /** The folder of the bundled pages of modules. */
  readonly pagesFolder?: string | undefined
  readonly tracing?: Tracing | undefined
}

/** Refuses static files whose folders do not exist, unless there is something to send until they do. */
export const mustHaveFolders = (modules: readonly Module[], appFolder: string): void => {
  const faults = modules.flatMap(({ name, files = [] }) =>
    files
      .filter(({ folder, placeholder }) => !placeholder && !existsSync(resolve(appFolder, folder)))
      .map(({ prefix, folder }) => ({
        module: name,
        message: `the folder of the files at '${prefix}' is missing: ${resolve(appFolder, folder)}`,
      })),
  )
  if (faults.length > 0) throw new DefinitionError(faults)
}

const aroundOf = (
  telemetry: Telemetry | undefined | null,
  counts: StatementCounts | undefined,
): Pick<ServerOptions, 'around'> => {
  if (!counts) return telemetry ? { around: telemetry.around } : {}
  return {
    around: (request, route, run) =>
      counts.around(request, () => (telemetry ? telemetry.around(request, route, run) : run())),
  }
}

export const serverFor = (service: Service, parts: ServerParts): HttpServer => {
  const { modules, telemetry, client, appFolder, isDevelopment, pagesFolder, tracing } = parts
  const { config, logs, observed, platform } = service
  const counts = isDevelopment ? createStatementCounts(() => platform.store.statements) : undefined
  const baseUrl = config.get(appSettings).baseUrl
  const options: ServerOptions = {
    host: config.get(serverSettings).host,
    port: config.get(serverSettings).port,
    ...(baseUrl && { baseUrl }),
    loopbackHostsOnly: config.get(appSettings).demo,
    ...(baseUrl && config.isProduction && { hosts: config.get(serverSettings).hosts }),
    trustedProxies: config.get(serverSettings).trustedProxies,
    maxBodyBytes: config.get(apiSettings).maxBodyBytes,
    limits: readLimits(config),
    maxEventLoopLag: config.get(apiSettings).maxEventLoopLag,
    log: logs.named('http'),
    routes: [
      ...service.overview().routes.map(one => one.route),
      ...(isDevelopment && pagesFolder !== undefined ? [pageChangesRoute(pagesFolder, service.closing)] : []),
    ],
    sockets: modules.flatMap(module => module.sockets?.(service) ?? []),
    staticFiles: [
      ...client,
      ...modules.flatMap(({ files = [] }) => files.map(one => ({ ...one, folder: resolve(appFolder, one.folder) }))),
    ],
    observe: observeAll(
      createRequestLog(logs.named('http'), counts?.countOf),
      observed.meters.observe,
      observed.recent.observe,
      ...(telemetry ? [telemetry.observe] : []),
    ),
    ...aroundOf(telemetry, counts),
    ...createFallbacks(service),
  }
  return createServer(tracing ? tracedServer(options, tracing) : options)
}
