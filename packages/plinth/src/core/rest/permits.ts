// Checks of the caller alone, which an endpoint names so that they come before `Accept`, the body and everything else.

import type { Request } from '../http/exchange.ts'
import type { Operation } from '../model/access-rules.ts'
import { isAdmin } from '../model/caller.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import type { Context } from './context.ts'

/** Throws 401 or 403 for callers who may not use the endpoint at all, whichever record they ask for. */
export type Permit = (context: Context, request: Request) => void

/**
 * Permits signed-in users only, as `access` of an endpoint.
 *
 * @example access: signedIn
 */
export const signedIn: Permit = ({ caller }) => {
  if (caller.pk === null) throw new Problem('unauthorized')
}

/**
 * Permits administrators only, as `access` of an endpoint.
 *
 * @example access: administrator
 */
export const administrator: Permit = (context, request) => {
  signedIn(context, request)
  if (!isAdmin(context.caller)) throw new Problem('forbidden')
}

/** The caller may do this with some records of the resource at least. */
export const allowed =
  (resource: Resource, operation: Operation): Permit =>
  ({ platform, caller }) => {
    platform.access.permit(resource, operation, caller)
  }

/**
 * The same, by the definition of the resource: for endpoints of modules.
 *
 * @example access: mayUse(loans, 'patch')
 */
export const mayUse =
  (definition: ResourceDefinition, operation: Operation): Permit =>
  ({ platform: { registry, access }, caller }) => {
    access.permit(registry.resource(definition), operation, caller)
  }

/**
 * May the caller do this with some records of the resource at least?
 *
 * @example if (!canUse(context, loans, 'create')) throw new Problem('forbidden')
 */
export const canUse = (
  { platform: { registry, access }, caller }: Context,
  definition: ResourceDefinition,
  operation: Operation,
): boolean => access.decide(registry.resource(definition), operation, caller) !== false
