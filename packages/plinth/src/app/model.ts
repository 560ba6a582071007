// The model of all modules: resources and rules. Every error in a definition is found before anything else happens.

import { accessSettings } from '../core/config/api-settings.ts'
import { ConfigError } from '../core/config/load.ts'
import type { Config } from '../core/config/settings.ts'
import type { ConfigFault } from '../core/config/sources.ts'
import { appliedMigrations } from '../core/data-migrations.ts'
import { jobRuns, jobStates } from '../core/jobs/runs.ts'
import { type Access, createAccess } from '../core/model/access.ts'
import { ruleNames } from '../core/model/access-rules.ts'
import { unattachedHooks } from '../core/model/attached-hooks.ts'
import type { ReservedNames } from '../core/model/check-definition.ts'
import type { ResourceDefinition } from '../core/model/define.ts'
import { type Declaration, DefinitionError, type DefinitionFault } from '../core/model/definition-error.ts'
import { draftRegistry, type Registry } from '../core/model/registry.ts'
import { compileRule, RuleFault } from '../core/model/rules.ts'
import type { Module } from '../core/module.ts'
import { historyStarts } from '../core/rest/history.ts'
import { idempotencyKeys } from '../core/rest/idempotency-keys.ts'
import { appliedSeeds } from '../core/seeds.ts'
import type { Service } from '../core/service.ts'
import { tablesOf } from '../core/store/migrate/tables.ts'
import { moduleFaults } from './check-module.ts'
import { compositionFaults } from './compose-modules.ts'

export interface Model {
  readonly registry: Registry
  readonly access: Access
}

export const createModel = (modules: readonly Module[], config: Config, clock: () => Date): Model => {
  const definitions = [
    ...modules.flatMap(({ resources = [] }) => resources),
    ...[idempotencyKeys, historyStarts, jobStates, jobRuns, appliedSeeds, appliedMigrations],
  ]
  const { registry, faults, isResolved } = draftRegistry(definitions, reservedNames(modules))
  const found = [...moduleFaults(modules), ...compositionFaults(modules), ...faults]
  // Rules and tables follow relations, so the relations come first.
  const access = isResolved ? check(() => createAccess(registry, noOverrides, clock)) : nothing
  const tables = isResolved ? check(() => tablesOf(registry)) : nothing
  found.push(...access.faults, ...tables.faults)
  if (found.length > 0) throw new DefinitionError(found, declarationsIn(modules))
  const overrides = readAccessOverrides(config, registry)
  const isOverridden = access.made === undefined || overrides.size > 0
  return { registry, access: isOverridden ? createAccess(registry, overrides, clock) : access.made }
}

const noOverrides: ReadonlyMap<string, string> = new Map()

const reservedNames = (modules: readonly Module[]): ReservedNames =>
  new Map([
    ['operations', 'the service'],
    ...modules.flatMap(({ name, reservedNames = [] }) =>
      reservedNames.map(reserved => [reserved, `the module ${name}`] as const),
    ),
  ])

/** By resource. One that several modules declare has the names of all. */
const declarationsIn = (modules: readonly Module[]): ReadonlyMap<string, Declaration> => {
  const found = new Map<string, Declaration>()
  for (const { name, resources = [] } of modules)
    for (const definition of resources) {
      const before = found.get(definition.name)
      found.set(
        definition.name,
        before ? { ...before, modules: `${before.modules} and ${name}` } : { modules: name, definition },
      )
    }
  return found
}

interface Checked<T> {
  /** Undefined when there are faults. */
  readonly made?: T
  readonly faults: readonly DefinitionFault[]
}

const nothing: Checked<never> = { faults: [] }

const check = <T>(make: () => T): Checked<T> => {
  try {
    return { made: make(), faults: [] }
  } catch (error) {
    if (error instanceof DefinitionError) return { faults: error.faults }
    throw error
  }
}

// Access rules from settings, which replace those of the definitions. All errors are reported together.

/** By `<resource>.<operation>`. Variables of the environment do not tell the case of names, so it does not count. */
export const readAccessOverrides = (config: Config, registry: Registry): ReadonlyMap<string, string> => {
  const faults: ConfigFault[] = []
  const rules = new Map<string, string>()
  for (const { parts, values, faultAt } of config.named(accessSettings)) {
    const rule = values['<operation>'] ?? ''
    const refuse = (message: string) => void faults.push(faultAt('<operation>', message))
    const resource = registry.resources.find(
      one => !one.definition.internal && one.name.toLowerCase() === parts.resource.toLowerCase(),
    )
    const operation = ruleNames.find(one => one === parts.operation.toLowerCase())
    if (!resource) refuse('there is no such resource')
    if (!operation) refuse(`unknown operation; use one of ${ruleNames.join(', ')}`)
    if (!resource || !operation) continue
    try {
      compileRule(rule, resource)
      rules.set(`${resource.name}.${operation}`, rule)
    } catch (error) {
      if (!(error instanceof RuleFault)) throw error
      refuse(error.message)
    }
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return rules
}

// What is allowed in definitions, and most likely a mistake: it is logged when the service starts.

export const warnOfDefinitions = (service: Service): void => {
  const log = service.logs.named('app')
  for (const hooks of unattachedHooks(definition => isUsed(service.platform.registry, definition)))
    log.warn(
      `the hooks of ${hooks} are attached to no resource, so they never run; give them to 'hooks' of its definition`,
    )
  for (const resource of unusableResources(service))
    log.warn(`${resource}: no operation has a rule, so every request is denied; see 'access' in its definition`)
  for (const { module, method, path } of undescribedRoutes(service))
    log.warn(`${method} ${path} (module ${module}) is missing from the OpenAPI document; give the endpoint an 'id'`)
}

const isUsed = (registry: Registry, definition: ResourceDefinition): boolean => {
  if (!registry.has(definition.name)) return false
  const { definition: used } = registry.resource(definition.name)
  return used === definition || used.variantOf === definition
}

const operations = ['read', 'create', 'replace', 'patch', 'delete'] as const

const unusableResources = ({ platform: { registry, access } }: Service): string[] =>
  registry.resources
    .filter(resource => !resource.definition.internal)
    .filter(resource => operations.every(operation => access.rule(resource, operation).from === 'nowhere'))
    .map(resource => resource.name)

/** An overriding route is described by the model, and a preflight needs no description. Pages outside of `/api/` have none. */
const undescribedRoutes = (service: Service) =>
  service.overview().routes.flatMap(({ module, route: { method, path, describe }, overrides }) => {
    const needsOne = module !== 'core' && !overrides && method !== 'OPTIONS' && path.startsWith('/api/')
    return needsOne && !describe ? [{ module, method, path }] : []
  })
