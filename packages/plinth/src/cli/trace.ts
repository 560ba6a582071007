// `plinth trace GET /api/…`: one request on the configured database, with its stages, their times and their statements. Nothing is
// written: every transaction is rolled back.

import { readFile } from 'node:fs/promises'
import { Agent, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { Tracing } from '../app/traced.ts'
import type { App } from '../app.ts'
import { appSettings } from '../core/config/service-settings.ts'
import type { Caller } from '../core/model/caller.ts'
import { RequestTrace } from '../core/observe/request-trace.ts'
import { CommandError } from './explain.ts'
import { type TracedRequest, type TracedResponse, toJson, toLines } from './trace-report.ts'

interface TraceOptions {
  /** A user, without their password. */
  readonly as?: string
  readonly user?: string
  readonly token?: string
  readonly header?: readonly string[]
  readonly data?: string
  readonly rollback?: true
  readonly cold?: true
  readonly json?: true
}

interface TraceTask {
  readonly method: string
  readonly path: string
  readonly options: TraceOptions
}

interface ReadTask extends Pick<TraceTask, 'options'> {
  readonly request: TracedRequest
}

const readingMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']
const methods: readonly string[] = [...readingMethods, 'POST', 'PUT', 'PATCH', 'DELETE']

/** A service is slow until its code is compiled and its statements are prepared. */
const warmingRequests = 5

const readHeader = (line: string): readonly [string, string] => {
  const [, name, value] = /^([^\s:]+):(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined)
    throw new CommandError(`'${line}' is not a header, such as 'Accept: text/csv'.`)
  return [name.toLowerCase(), value.trim()]
}

const credentials = ({ user, token }: TraceOptions): Readonly<Record<string, string>> => {
  if (user !== undefined) return { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

const readRequest = async ({ method: word, path, options }: TraceTask): Promise<TracedRequest> => {
  const method = word.toUpperCase()
  if (!methods.includes(method)) throw new CommandError(`'${word}' is none of the methods ${methods.join(', ')}.`)
  if (!path.startsWith('/')) throw new CommandError(`'${path}' is not a path, such as /api/rest/users?limit=5.`)
  if (!readingMethods.includes(method) && !options.rollback)
    throw new CommandError(
      `${method} may change something. With --rollback it runs, and what it writes to the database is rolled back. Effects elsewhere, such as files and calls of other services, remain.`,
    )
  const { data } = options
  const body = data?.startsWith('@') ? await readFile(data.slice(1)) : data && Buffer.from(data)
  const headers = {
    accept: '*/*',
    ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...credentials(options),
    ...Object.fromEntries((options.header ?? []).map(readHeader)),
  }
  return { method, path, headers, body: body || undefined }
}

type Ask = (request: TracedRequest) => Promise<TracedResponse>

/** Requests share a connection, as those of most clients do: only the first one opens it. */
const createAsk =
  (address: string, agent: Agent): Ask =>
  ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const outgoing = send(`${address}${path}`, { method, headers, agent }, incoming => {
        buffer(incoming).then(
          content => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: content }),
          reject,
        )
      })
      outgoing.once('error', reject)
      outgoing.end(body)
    })

interface ExplainedCaller {
  readonly user?: {
    readonly pk: string
    readonly username: string
    readonly roles: readonly string[]
    readonly active: boolean
  }
}

interface CallerSearch {
  readonly tracing: Tracing
  /** The name of the user, or their e-mail address. */
  readonly name: string
}

/** The caller of the command itself, when it asks who a user is. */
const commandLine: Caller = { pk: 'command line', username: 'command line', roles: new Set(['ROLE_ADMIN']) }

const readCaller = async (app: App, ask: Ask, { tracing, name }: CallerSearch): Promise<Caller> => {
  const path = `/api/rest/explain?resource=users&operation=read&user=${encodeURIComponent(name)}`
  tracing.caller = commandLine
  const { status, body } = await ask(withHost({ ...asJson, path }, app))
  const { user }: ExplainedCaller = status === 200 ? JSON.parse(body.toString('utf8')) : {}
  if (!user) throw new CommandError(`There is no user '${name}'.`)
  if (!user.active) throw new CommandError(`The user '${name}' is not active, and cannot sign in.`)
  return { pk: user.pk, username: user.username, roles: new Set(user.roles) }
}

const asJson = { method: 'GET', headers: { accept: 'application/json' }, body: undefined } as const

const withHost = (request: TracedRequest, { service }: App): TracedRequest => {
  const { baseUrl } = service.config.get(appSettings)
  return baseUrl === '' || 'host' in request.headers
    ? request
    : { ...request, headers: { ...request.headers, host: new URL(baseUrl).host } }
}

/** Gives the lines to print. The application is one that was created with the tracing. */
const traceRequest = async (app: App, tracing: Tracing, task: ReadTask): Promise<string[]> => {
  const { as, cold, json } = task.options
  const request = withHost(task.request, app)
  if ((await app.platform.store.plan()).steps.length > 0)
    throw new CommandError('The database differs from the model. Run `plinth migrate` first.')
  const agent = new Agent({ keepAlive: true })
  const ask = createAsk(await app.serve(), agent)
  if (as !== undefined) tracing.caller = await readCaller(app, ask, { tracing, name: as })
  const isCold = cold ?? !readingMethods.includes(request.method)
  for (let at = 0; !isCold && at < warmingRequests; at += 1) await ask(request)
  tracing.trace.begin('http/server')
  const response = await ask(request)
  const stages = tracing.trace.end()
  agent.destroy()
  const report = { ...tracing.found, request, response, isCold, stages }
  return json ? [JSON.stringify(toJson(report), null, 2)] : toLines(report)
}

const collect = (line: string, before: readonly string[] = []): readonly string[] => [...before, line]

export interface TraceSurroundings {
  readonly print: (...lines: readonly string[]) => void
  readonly withApp: (work: (app: App) => Promise<void>, tracing: Tracing) => Promise<void>
}

export const addTraceCommand = (program: Command, { print, withApp }: TraceSurroundings): void => {
  program
    .command('trace')
    .description('run one request, and print its stages with times and statements; writes nothing to the database')
    .argument('<method>', 'such as GET')
    .argument('<path>', "such as '/api/rest/users?limit=5'")
    .option('--as <user>', 'as this user, by name or e-mail address, without their password')
    .option('--user <name:password>', 'with these credentials')
    .option('--token <token>', 'with this access token or API key')
    .option('--header <header>', "with this header, such as 'Accept: text/csv'; can be repeated", collect)
    .option('--data <text>', 'with this body; @file reads it from a file')
    .option(
      '--rollback',
      'also methods that may change something: what they write to the database is rolled back; effects elsewhere, such as files and calls of other services, remain',
    )
    .option('--cold', 'without the requests before it that warm up the service')
    .option('--json', 'print JSON')
    .action(async (method: string, path: string, options: TraceOptions) => {
      const tracing: Tracing = { trace: new RequestTrace(), found: {} }
      const request = await readRequest({ method, path, options })
      await withApp(async app => print(...(await traceRequest(app, tracing, { request, options }))), tracing)
    })
}
