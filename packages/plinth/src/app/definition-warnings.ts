// What is allowed in definitions, and most likely a mistake: it is logged when the service starts.

import { unattachedHooks } from '../core/model/attached-hooks.ts'
import type { ResourceDefinition } from '../core/model/define.ts'
import type { Registry } from '../core/model/registry.ts'
import type { Service } from '../core/service.ts'

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
