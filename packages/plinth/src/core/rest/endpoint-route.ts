// An endpoint → its route: every request to it is negotiated, authenticated, authorised, read and answered the same way.

import { formats, formatsByName } from '../formats/index.ts'
import type { Route } from '../http/exchange.ts'
import { anonymous, type Caller } from '../model/caller.ts'
import { DefinitionError } from '../model/definition-error.ts'
import { compileRule, type Rule } from '../model/rules.ts'
import { Problem } from '../problem.ts'
import { momentOf } from '../records/context.ts'
import { recordsFor } from '../records/records.ts'
import { readBody } from './body.ts'
import { endpointFaults } from './check-endpoints.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { describeEndpoint, isBodyOptional, ownMediaTypes, toResultAnswer } from './endpoint-answers.ts'
import { readEndpointBody, readQuery } from './endpoint-input.ts'
import { mustBeOwnSite, resourceIn } from './origins.ts'
import { type DirectWork, type PreparedWork, respond, type StreamedWork, type Task } from './pipeline.ts'
import type { Context, Permit } from './platform.ts'
import type { FrontDoor } from './service.ts'

/** Mistakes in all of them are reported together. */
export const endpointRoutes = (service: FrontDoor, endpoints: readonly Endpoint[]): readonly Route[] => {
  const faults = endpointFaults(endpoints)
  if (faults.length > 0) throw new DefinitionError(faults)
  return endpoints.map(endpoint => toRoute(service, endpoint))
}

const toRoute = (service: FrontDoor, endpoint: Endpoint): Route => {
  const { method, path, id, body } = endpoint
  const { permit, isOpen } = accessOf(endpoint)
  return {
    method,
    path,
    handler: respond(service, {
      resource: resourceIn(path, service.platform.registry),
      format: endpoint.format ?? formatsByName.json,
      takesBody: body !== undefined && body.kind !== 'content' && !isBodyOptional(endpoint),
      ...producesOf(endpoint),
      ...(endpoint.problemFormat && { problemFormat: endpoint.problemFormat }),
      ...(endpoint.forgiving && { forgiving: true }),
      ...(endpoint.permitsInRun && { permitsInRun: true }),
      permit,
      ...stepsOf(service, endpoint),
    }),
    ...(endpoint.receive && { streams: true }),
    ...(endpoint.holdsSecrets && { holdsSecrets: true }),
    ...(endpoint.isEssential && { isEssential: true }),
    ...(endpoint.keyScope !== undefined && { keyScope: endpoint.keyScope }),
    ...(id !== undefined && { describe: describeEndpoint(endpoint, id, isOpen) }),
  }
}

const mediaTypes = formats.map(({ mediaType }) => mediaType)

const producesOf = (endpoint: Endpoint): Pick<DirectWork, 'produces'> => {
  const produces = [endpoint.produces ?? ownMediaTypes(endpoint, mediaTypes)].flat()
  return produces.length > 0 ? { produces } : {}
}

const accessOf = (endpoint: Endpoint): { readonly permit: Permit; readonly isOpen: boolean } => {
  const { access, open = false } = endpoint
  if (typeof access !== 'string') return { permit: access, isOpen: open }
  const rule = compileRule(access, null)
  return { permit: ({ caller }) => mustPass(rule, caller), isOpen: rule.decide(anonymous) === true }
}

const mustPass = (rule: Rule, caller: Caller): void => {
  if (rule.decide(caller) !== true) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
}

type Steps = Pick<DirectWork, 'run'> | Pick<PreparedWork, 'prepare'> | Pick<StreamedWork, 'receive'>

const stepsOf = (service: FrontDoor, endpoint: Endpoint): Steps => {
  const { run, answer, prepare, receive } = endpoint
  const callOf = async (context: Context, task: Task): Promise<Call> => {
    if (endpoint.ownSite) await mustBeOwnSite(service, task.request)
    return toCall(endpoint, context, task)
  }
  if (receive) return { receive: async (context, task) => receive(await callOf(context, task)) }
  if (prepare) return { prepare: async (context, task) => prepare(await callOf(context, task)) }
  if (answer) return { run: async (context, task) => answer(await callOf(context, task)) }
  const toAnswer = toResultAnswer(endpoint)
  return { run: async (context, task) => toAnswer(context, await run?.(await callOf(context, task))) }
}

const toCall = (endpoint: Endpoint, context: Context, task: Task): Call => {
  const { request, format } = task
  const isSentLater = isBodyOptional(endpoint) && request.body !== null
  const body = isSentLater ? readBody(request, endpoint.format ?? formatsByName.json) : task.body
  return {
    context,
    caller: context.caller,
    request,
    format,
    params: request.params,
    query: readQuery(endpoint, request.search) as Call['query'],
    body: readEndpointBody(endpoint, body) as Call['body'],
    records: recordsFor(context),
    now: momentOf(context),
  }
}
