// Endpoints that clients can offer as buttons: `POST` below a record or below the list of a resource. Everything about the button is
// derived from the declaration of the endpoint.

import type { Request } from '../http/exchange.ts'
import { DefinitionError } from '../model/definition-error.ts'
import { among, both, everything, toFilter } from '../model/query.ts'
import type { Registry } from '../model/registry.ts'
import { ruleOf } from '../model/requirement.ts'
import type { Resource } from '../model/resource.ts'
import { usersIn } from '../model/rule-book.ts'
import { RuleFault } from '../model/rule-text.ts'
import { compileRule, type Rule } from '../model/rules.ts'
import type { Text } from '../model/words.ts'
import { Problem } from '../problem.ts'
import type { Context } from './context.ts'
import type { Endpoint } from './endpoint.ts'
import { type EndpointForm, endpointFormOf } from './endpoint-form.ts'

/** The records for which an endpoint can be called, and what to say of the others. */
interface RecordCondition {
  readonly rule: Rule
  readonly message: Text | undefined
}

/** A button of clients, and the endpoint behind it. */
export interface Action extends EndpointForm {
  readonly resource: Resource
  /** Is it for one record, or for the whole list? */
  readonly place: 'record' | 'list'
  readonly confirm: Text | undefined
  /** Is something lost by it? */
  readonly isDestructive: boolean
  /** Is it offered for several selected records at once, too? */
  readonly isBulk: boolean
  /** The condition on the record; null where there is none. */
  readonly when: RecordCondition | null
}

/** The button of the endpoint; null for those that have none. */
export const actionOf = (endpoint: Endpoint, registry: Registry): Action | null => {
  const { method, path, button = {} } = endpoint
  const target = targetOf(path, registry)
  const form = endpointFormOf(endpoint, registry)
  if (method !== 'POST' || button === false || target === null || form === null) return null
  return {
    ...form,
    ...target,
    confirm: button.confirm,
    isDestructive: button.destructive ?? false,
    isBulk: isBulkOf(endpoint, target),
    when: conditionOf(endpoint, registry),
  }
}

/** May the caller of the request call it, for some records at least? */
export const isPermitted = ({ permit }: Action, context: Context, request: Request): boolean => {
  try {
    permit?.(context, request)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

type Target = Pick<Action, 'resource' | 'place'>

/** The generic operations at `/api/rest/{resource}` and `/api/rest/{resource}/{pk}` have buttons of their own. */
const targetOf = (path: string, registry: Registry): Target | null => {
  const [, name = '', pk, rest] = /^\/api\/rest\/(\w+)(\/\{pk\})?\/([\w/-]+)$/.exec(path) ?? []
  const resource = rest === undefined ? null : registry.published(name)
  return resource && { resource, place: pk === undefined ? 'list' : 'record' }
}

const fail = (endpoint: Endpoint, message: string): never => {
  const { method, path } = endpoint
  throw new DefinitionError([{ endpoint: `${method} ${path}`, message, definition: endpoint }])
}

const needsRecord = "needs a path below a record, such as '/api/rest/loans/{pk}/return'"

const isBulkOf = (endpoint: Endpoint, { place }: Target): boolean => {
  const { bulk = false } = endpoint.button || {}
  return bulk && place === 'list' ? fail(endpoint, `button.bulk: ${needsRecord}`) : bulk
}

/** The condition in `when`. */
const conditionOf = (endpoint: Endpoint, registry: Registry): RecordCondition | null => {
  if (endpoint.when === undefined) return null
  const target = targetOf(endpoint.path, registry)
  if (target?.place !== 'record') return fail(endpoint, `when: ${needsRecord}`)
  const { rule, message } = ruleOf(endpoint.when)
  try {
    return { rule: compileRule(rule, target.resource, { users: usersIn(registry) }), message }
  } catch (error) {
    if (error instanceof RuleFault) return fail(endpoint, `when: ${error.message}`)
    throw error
  }
}

const impossible: Text = {
  en: 'The record is in a state in which this cannot be done.',
  de: 'In seinem jetzigen Zustand ist das mit dem Datensatz nicht möglich.',
}

/** Refuses records for which the endpoint cannot be called: 404 for those that the caller cannot see, 409 for others. */
export const createCondition = (
  endpoint: Endpoint,
  registry: Registry,
): ((context: Context, request: Request) => Promise<void>) | null => {
  const when = conditionOf(endpoint, registry)
  const target = targetOf(endpoint.path, registry)
  if (!when || !target) return null
  return async (context, request) => {
    const { resource } = target
    const pk = request.params.pk ?? ''
    const visible = toFilter(context.platform.access.permit(resource, 'read', context.caller))
    const reader = context.tx ?? context.platform.store
    if (!(await reader.get(resource, pk, { visible }))) throw new Problem('not_found')
    if (!(await isPossible(context, { resource, when }, pk))) throw new Problem('conflict', when.message ?? impossible)
  }
}

type Conditional = Pick<Action, 'resource' | 'when'>

/** Does the condition hold for a record that the caller can see? */
export const isPossible = async (context: Context, { resource, when }: Conditional, pk: string): Promise<boolean> => {
  const holds = when?.rule.holds(context.caller) ?? true
  if (typeof holds === 'boolean') return holds
  const readable = context.platform.access.permit(resource, 'read', context.caller)
  const reader = context.tx ?? context.platform.store
  return (await reader.get(resource, pk, { visible: both(toFilter(readable), holds) })) !== null
}

/** Returns those of the records that the caller can see and for which the condition holds. */
export const possibleAmong = async (
  { platform, caller, tx }: Context,
  { resource, when }: Conditional,
  pks: readonly string[],
): Promise<readonly string[]> => {
  const holds = when?.rule.holds(caller) ?? true
  if (holds === false || pks.length === 0) return []
  const readable = platform.access.permit(resource, 'read', caller)
  const filter = both(among(resource, pks), both(toFilter(readable), toFilter(holds)))
  const { records } = await (tx ?? platform.store).find(resource, everything(resource, filter, pks.length))
  return records.map(({ pk }) => pk)
}
