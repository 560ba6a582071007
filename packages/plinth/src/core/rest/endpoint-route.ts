// An endpoint → its route: every request to it is negotiated, authenticated, authorised, read and answered the same way.

import { formats, formatsByName } from '../formats/index.ts'
import type { Route } from '../http/exchange.ts'
import type { Caller } from '../model/caller.ts'
import type { CodeContext } from '../model/code-context.ts'
import { DefinitionError } from '../model/definition-error.ts'
import type { Records } from '../model/records.ts'
import { asService, momentOf } from '../records/context.ts'
import { recordsFor } from '../records/records.ts'
import { createCondition } from './action.ts'
import { readBody } from './body.ts'
import { endpointFaults } from './check-endpoints.ts'
import type { Context } from './context.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { permitOf } from './endpoint-access.ts'
import { isBodyOptional, ownMediaTypes, toResultAnswer } from './endpoint-answers.ts'
import { inTimeOf } from './endpoint-deadline.ts'
import { readEndpointBody, readQuery } from './endpoint-input.ts'
import type { FrontDoor } from './front-door.ts'
import { resourceIn } from './origins.ts'
import { respond } from './pipeline.ts'
import type { DirectWork, PreparedWork, StreamedWork, Task } from './work.ts'

/** Mistakes in all of them are reported together. */
export const endpointRoutes = (
  service: FrontDoor,
  endpoints: readonly Endpoint[],
  module: string,
): readonly Route[] => {
  const { access } = service.platform
  const faults = endpointFaults(endpoints, access.compile)
  if (faults.length > 0) throw new DefinitionError(faults)
  return endpoints.map(endpoint => toRoute(service, endpoint, module))
}

const toRoute = (service: FrontDoor, endpoint: Endpoint, module: string): Route => {
  const { method, path, id, body } = endpoint
  const { isOpen, roles, ...access } = permitOf(endpoint, service.platform.access.compile)
  return {
    method,
    path,
    handler: respond(service, {
      resource: resourceIn(path, service.platform.registry),
      format: endpoint.format ?? formatsByName.json,
      takesBody: !endpoint.receive && body !== undefined && body.kind !== 'content' && !isBodyOptional(endpoint),
      ...producesOf(endpoint),
      ...(endpoint.problemFormat && { problemFormat: endpoint.problemFormat }),
      ...(endpoint.forgiving && { forgiving: true }),
      ...(endpoint.permitsInRun && { permitsInRun: true }),
      ...access,
      ...stepsOf(service, endpoint, service.platform.codeContexts(`${module}.${id ?? `${method} ${path}`}`)),
    }),
    ...(endpoint.receive && { streams: true }),
    ...(endpoint.holdsSecrets && { holdsSecrets: true }),
    ...(endpoint.isEssential && { isEssential: true }),
    ...(endpoint.anyHost && { anyHost: true }),
    ...(endpoint.keyScope !== undefined && { keyScope: endpoint.keyScope }),
    ...(roles.length > 0 && { roles }),
    ...(id !== undefined && { describe: describeEndpoint(endpoint, id, isOpen) }),
  }
}

const mediaTypes = formats.map(({ mediaType }) => mediaType)

const producesOf = (endpoint: Endpoint): Pick<DirectWork, 'produces'> => {
  const produces = [endpoint.produces ?? ownMediaTypes(endpoint, mediaTypes)].flat()
  return produces.length > 0 ? { produces } : {}
}

type Steps = Pick<DirectWork, 'run'> | Pick<PreparedWork, 'prepare'> | Pick<StreamedWork, 'receive'>

const stepsOf = (service: FrontDoor, endpoint: Endpoint, code: CodeContext): Steps => {
  const { run, answer, prepare, receive } = endpoint
  const mustBePossible = createCondition(endpoint, service.platform.registry)
  const called: CalledEndpoint = { endpoint, code, mayLackBody: isBodyOptional(endpoint) }
  const callOf = async (context: Context, task: Task): Promise<Call> => {
    if (endpoint.ownSite) await service.mustBeOwnSite(task.request)
    await mustBePossible?.(context, task.request)
    const { requires } = endpoint
    if (!requires) return new EndpointCall(called, context, task)
    await context.platform.mustBeRecent(recordsFor(asService(context)), context.caller, momentOf(context))
    return new EndpointCall(called, { ...context, requires }, task)
  }
  const timed = inTimeOf(endpoint)
  if (receive) return { receive: (context, task) => timed(context, async own => receive(await callOf(own, task))) }
  if (prepare)
    return {
      prepare: async (context, task) => {
        const last = await timed(context, async own => prepare(await callOf(own, task)))
        return stepContext => timed(stepContext, last)
      },
    }
  if (answer) return { run: (context, task) => timed(context, async own => answer(await callOf(own, task))) }
  const toAnswer = toResultAnswer(endpoint)
  return {
    run: async (context, task) => toAnswer(context, await timed(context, async own => run?.(await callOf(own, task)))),
  }
}

interface CalledEndpoint {
  readonly endpoint: Endpoint
  readonly code: CodeContext
  readonly mayLackBody: boolean
}

class EndpointCall implements Call {
  readonly context: Context
  readonly caller: Caller
  readonly request: Task['request']
  readonly format: Task['format']
  readonly params: Call['params']
  readonly query: Call['query']
  readonly body: Call['body']
  readonly now: Date
  readonly settings: Call['settings']
  readonly #code: CodeContext
  #records: Records | undefined

  constructor({ endpoint, code, mayLackBody }: CalledEndpoint, context: Context, task: Task) {
    const { request, format } = task
    const isSent = mayLackBody && request.body !== null
    const body = isSent
      ? readBody(request, { fallback: endpoint.format ?? formatsByName.json, isStrict: context.platform.bodies.strict })
      : task.body
    this.context = context
    this.caller = context.caller
    this.request = request
    this.format = format
    this.params = request.params
    this.query = readQuery(endpoint, request.search) as Call['query']
    this.body = readEndpointBody(endpoint, body, code) as Call['body']
    this.now = momentOf(context)
    this.settings = code.settings
    this.#code = code
  }

  /** The records of the caller. Made when they are first used, as the log is: many endpoints act as the service. */
  get records(): Records {
    this.#records ??= recordsFor(this.context)
    return this.#records
  }

  /** The log, made when it is first used. */
  get log(): Call['log'] {
    return this.#code.log
  }
}
