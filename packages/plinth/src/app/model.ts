// The model of all modules: resources and rules. Every error in a definition is found before anything else happens.

import type { Config } from '../core/config/settings.ts'
import { appliedMigrations } from '../core/data-migrations/apply.ts'
import { jobRuns, jobStates } from '../core/jobs/runs.ts'
import { type Access, createAccess } from '../core/model/access.ts'
import type { ReservedNames } from '../core/model/check-definition.ts'
import type { CodeContexts } from '../core/model/code-context.ts'
import { type Declaration, DefinitionError, type DefinitionFault } from '../core/model/definition-error.ts'
import { draftRegistry, type Registry } from '../core/model/registry.ts'
import type { Module } from '../core/module.ts'
import { sequenceCounters } from '../core/records/numbers.ts'
import { historyStarts } from '../core/rest/history.ts'
import { idempotencyKeys } from '../core/rest/idempotency-keys.ts'
import { appliedSeeds } from '../core/seeds.ts'
import { tablesOf } from '../core/store/migrate/tables.ts'
import { readAccessOverrides } from './access-overrides.ts'
import { moduleFaults } from './check-module.ts'
import { compositionFaults } from './compose-modules.ts'

export interface Model {
  readonly registry: Registry
  readonly access: Access
}

interface ModelParts {
  readonly config: Config
  readonly clock: () => Date
  readonly codeContexts: CodeContexts
}

export const createModel = (modules: readonly Module[], { config, clock, codeContexts }: ModelParts): Model => {
  const moduleOf = new Map(modules.flatMap(({ name, resources = [] }) => resources.map(one => [one, name] as const)))
  const definitions = [
    ...modules.flatMap(({ resources = [] }) => resources),
    ...[idempotencyKeys, historyStarts, jobStates, jobRuns, appliedSeeds, appliedMigrations, sequenceCounters],
  ]
  const { registry, faults, isResolved } = draftRegistry(definitions, {
    reserved: reservedNames(modules),
    codeOf: (definition, module = moduleOf.get(definition) ?? 'core') => codeContexts(`${module}.${definition.name}`),
  })
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

/** The declarations by resource. One that several modules declare has the names of all. */
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
  /** Is undefined when there are faults. */
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
