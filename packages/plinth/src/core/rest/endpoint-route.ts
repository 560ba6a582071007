// An endpoint → its route: every request to it is negotiated, authenticated, authorised, read and answered the same way.

import { fault } from '../fault.ts'
import { formats, formatsByName } from '../formats/index.ts'
import type { Route } from '../http/exchange.ts'
import { anonymous, type Caller } from '../model/caller.ts'
import type { CodeContext } from '../model/code-context.ts'
import { DefinitionError } from '../model/definition-error.ts'
import type { Records } from '../model/records.ts'
import { compileRule, type Rule } from '../model/rules.ts'
import { ValueFault } from '../model/value-fault.ts'
import type { ShapeFields, ValueField, ValueType } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'
import { type Parameters, readParameters, single } from '../query/parameters.ts'
import { badParameter, note, refuse } from '../query/query-faults.ts'
import { momentOf } from '../records/context.ts'
import { recordsFor } from '../records/records.ts'
import { type Body, invalid, readBody, readMembers } from './body.ts'
import { endpointFaults } from './check-endpoints.ts'
import type { Context } from './context.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { describeEndpoint, isBodyOptional, ownMediaTypes, toResultAnswer } from './endpoint-answers.ts'
import { inTimeOf } from './endpoint-deadline.ts'
import type { FrontDoor } from './front-door.ts'
import { resourceIn } from './origins.ts'
import type { Permit } from './permits.ts'
import { respond } from './pipeline.ts'
import type { DirectWork, PreparedWork, StreamedWork, Task } from './work.ts'

/** Mistakes in all of them are reported together. */
export const endpointRoutes = (
  service: FrontDoor,
  endpoints: readonly Endpoint[],
  module: string,
): readonly Route[] => {
  const faults = endpointFaults(endpoints)
  if (faults.length > 0) throw new DefinitionError(faults)
  return endpoints.map(endpoint => toRoute(service, endpoint, module))
}

const toRoute = (service: FrontDoor, endpoint: Endpoint, module: string): Route => {
  const { method, path, id, body } = endpoint
  const { permit, isOpen, roles } = accessOf(endpoint)
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

interface EndpointAccess {
  readonly permit: Permit
  readonly isOpen: boolean
  readonly roles: readonly string[]
}

const accessOf = (endpoint: Endpoint): EndpointAccess => {
  const { access, open = false } = endpoint
  if (typeof access !== 'string') return { permit: access, isOpen: open, roles: [] }
  const rule = compileRule(access, null)
  return {
    permit: ({ caller }) => mustPass(rule, caller),
    isOpen: rule.decide(anonymous) === true,
    roles: rule.roles,
  }
}

const mustPass = (rule: Rule, caller: Caller): void => {
  if (rule.decide(caller) !== true) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
}

type Steps = Pick<DirectWork, 'run'> | Pick<PreparedWork, 'prepare'> | Pick<StreamedWork, 'receive'>

const stepsOf = (service: FrontDoor, endpoint: Endpoint, code: CodeContext): Steps => {
  const { run, answer, prepare, receive } = endpoint
  const callOf = async (context: Context, task: Task): Promise<Call> => {
    if (endpoint.ownSite) await service.mustBeOwnSite(task.request)
    return new EndpointCall({ endpoint, code }, context, task)
  }
  const timed = inTimeOf(endpoint)
  if (receive) return { receive: (context, task) => timed(context, async own => receive(await callOf(own, task))) }
  if (prepare)
    return {
      prepare: async (context, task) => {
        const last = await timed(context, async own => prepare(await callOf(own, task)))
        return inside => timed(inside, last)
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
}

class EndpointCall implements Call {
  readonly context: Context
  readonly caller: Caller
  readonly request: Task['request']
  readonly format: Task['format']
  readonly params: Call['params']
  readonly query: Call['query']
  readonly body: Call['body']
  readonly records: Records
  readonly now: Date
  readonly settings: Call['settings']
  readonly #code: CodeContext

  constructor({ endpoint, code }: CalledEndpoint, context: Context, task: Task) {
    const { request, format } = task
    const isSentLater = isBodyOptional(endpoint) && request.body !== null
    const body = isSentLater ? readBody(request, endpoint.format ?? formatsByName.json) : task.body
    this.context = context
    this.caller = context.caller
    this.request = request
    this.format = format
    this.params = request.params
    this.query = readQuery(endpoint, request.search) as Call['query']
    this.body = readEndpointBody(endpoint, body) as Call['body']
    this.records = recordsFor(context)
    this.now = momentOf(context)
    this.settings = code.settings
    this.#code = code
  }

  /** Made when it is first used. */
  get log(): Call['log'] {
    return this.#code.log
  }
}

// The query and the body of a request to an endpoint, read by the fields that it declares; all faults are reported together.

type Input = Readonly<Record<string, unknown>>

const none: Input = {}

export const readQuery = ({ query, refusesOtherParameters }: Endpoint, search: string): Input => {
  if (!query) return none
  const parameters = readParameters(search)
  const faults: Fault[] = []
  if (refusesOtherParameters) refuseOthers(parameters, Object.keys(query), faults)
  const values = Object.fromEntries(
    Object.entries(query).map(([name, field]) => [name, readParameter(field, { name, parameters, faults })]),
  )
  if (faults.length > 0) refuse(faults)
  return values
}

const refuseOthers = (parameters: Parameters, known: readonly string[], faults: Fault[]): void => {
  for (const parameter of parameters.keys())
    if (!known.includes(parameter)) note(faults, { parameter, ...fault('unknown_parameter', { parameter, known }) })
}

interface Place {
  readonly name: string
  readonly parameters: Parameters
  readonly faults: Fault[]
}

const readParameter = ({ type, options }: ValueField, { name, parameters, faults }: Place): unknown => {
  const isList = type.schema.type === 'array'
  const text = isList ? undefined : single(parameters, name, faults)
  const texts = isList ? textsOf(type, parameters.get(name) ?? []) : text === undefined ? [] : [text]
  if (texts.length === 0) {
    if (options.required) note(faults, { parameter: name, ...fault('required') })
    return options.default ?? null
  }
  const { maxItems } = type.schema
  if (typeof maxItems === 'number' && texts.length > maxItems)
    note(faults, { parameter: name, ...fault('max_entries', { max: maxItems }) })
  const of = type.items?.type ?? type
  const values = texts.map(one => {
    try {
      const value = of.readText(one)
      // Searches may ask for values that no record can have, so `readText` alone minds no limits.
      return of.show ? value : of.read(value)
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      for (const reason of error.faults) note(faults, badParameter(name, one, reason))
      return null
    }
  })
  return isList ? values : values[0]
}

/** A list is a repeated parameter. One of fixed words may also be separated by commas. */
const textsOf = ({ items }: ValueType, values: readonly string[]): readonly string[] => {
  if (items?.type.schema.enum === undefined) return values
  const words = values.flatMap(value => value.split(',')).map(word => word.trim())
  return words.filter(word => word !== '')
}

export const readEndpointBody = (endpoint: Endpoint, body: Body): unknown => {
  const { body: declared, check, refusesRecordFormats } = endpoint
  if (!declared || isKind(declared, 'content')) return null
  if (refusesRecordFormats && !body.format.value) throw new Problem('unsupported_media_type', 'Send application/json.')
  if (isKind(declared, 'record') || isKind(declared, 'json')) return body
  if (isKind(declared, 'one or many')) {
    if (body.json === undefined) return null
    return readOneOrMany(body, declared.of.fields)
  }
  if (body.json === undefined && endpoint.bodyIsOptional) return readEndpointBody(endpoint, { ...body, json: {} })
  const further = check as ((readable: object) => readonly Fault[]) | undefined
  if (!isKind(declared, 'shape')) return readMembers(body, declared, further)
  return readMembers(body, declared.fields, readable => [
    ...missingOf(declared.needsOneOf, readable),
    ...(further?.(readable) ?? []),
  ])
}

type Declared = NonNullable<Endpoint['body']>
type Kind = Extract<Declared['kind'], string>

const isKind = <K extends Kind>(declared: Declared, kind: K): declared is Extract<Declared, { readonly kind: K }> =>
  declared.kind === kind

const missingOf = (names: readonly string[], readable: Input): readonly Fault[] => {
  const [first] = names
  // What was sent and could not be read has a fault of its own.
  if (first === undefined || names.some(name => readable[name] !== null)) return []
  return [{ pointer: `/${first}`, member: first, ...fault('required') }]
}

const readOneOrMany = ({ json, ...body }: Body, fields: ShapeFields) => {
  const isList = Array.isArray(json)
  if (!isList) return { isList, entries: [readMembers({ ...body, json }, fields)] }
  if (json.length === 0) throw new Problem('bad_request', 'The list is empty.')
  const faults: Fault[] = []
  const entries = json.map((entry: unknown, at) => {
    try {
      return readMembers({ ...body, json: entry }, fields)
    } catch (error) {
      if (!(error instanceof Problem) || !error.details.errors) throw error
      faults.push(...error.details.errors.map(one => ({ ...one, pointer: `/${at}${one.pointer ?? ''}` })))
      return {}
    }
  })
  if (faults.length > 0) throw invalid(faults)
  return { isList, entries }
}
