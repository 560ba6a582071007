// What a trace shows: as lines for people, and as JSON for programs.

import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../core/model/caller.ts'
import type { TracedStage } from '../core/observe/request-trace.ts'

export interface TracedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export interface TracedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface TraceReport {
  readonly route?: string
  readonly caller?: Caller
  readonly request: TracedRequest
  readonly response: TracedResponse
  readonly stages: readonly TracedStage[]
}

const totalOf = (stages: readonly TracedStage[]): number => stages.reduce((sum, { ms }) => sum + ms, 0)

const statementsOf = (stages: readonly TracedStage[]): number =>
  stages.reduce((sum, { statements }) => sum + statements.length, 0)

export const toJson = ({ route, caller, request, response, stages }: TraceReport): object => ({
  method: request.method,
  path: request.path,
  route: route ?? null,
  caller: caller?.username ?? null,
  status: response.status,
  contentType: response.headers['content-type'] ?? null,
  bytes: response.body.length,
  ms: Math.round(totalOf(stages) * 1000) / 1000,
  statements: statementsOf(stages),
  stages,
})

const number = (ms: number): string => ms.toFixed(2).padStart(9)

const abouts: Readonly<Record<string, string>> = {
  'http/server': 'bytes → request',
  'rest/pipeline': 'negotiates the format',
  'auth/authenticate': 'credentials → caller',
  'model/access': 'the rule for this caller',
  'query/read-query': 'parameters → query',
  'rest/write-input': 'body → values, preconditions',
  'rest/endpoint': 'code of the endpoint',
  'rest/query-budget': 'the cost of the query',
  'store/sql/read': 'query → records',
  'store/transaction': 'checks, hooks and writes; rolled back',
  'rest/write-answer': 'records → text',
  'http/write': 'text → bytes',
}

const stageLines = ({ stage, at, ms, statements }: TracedStage): string[] => [
  `${number(at)} ${number(ms)}  ${stage.padEnd(18)} ${abouts[stage] ?? ''}`.trimEnd(),
  ...statements.map(({ sql, ms: took, rows }) => {
    const text = sql.replaceAll(/\s+/g, ' ').trim()
    return `${' '.repeat(21)} ${took.toFixed(2)} ms, ${rows} ${rows === 1 ? 'row' : 'rows'}: ${text}`
  }),
]

/** The reason of a refusal: the detail of the problem. */
const reasonOf = ({ status, body }: TracedResponse): string[] =>
  status < 400 ? [] : [body.toString('utf8').slice(0, 2000)]

export const toLines = ({ route, caller, request, response, stages }: TraceReport): string[] => {
  const { status, headers, body } = response
  const count = statementsOf(stages)
  return [
    `${request.method} ${request.path}`,
    `Route:    ${route ?? 'none'}`,
    `Caller:   ${caller?.username ?? 'no credentials'}${caller?.roles.size ? ` (${[...caller.roles].join(', ')})` : ''}`,
    `Response: ${status}, ${headers['content-type'] ?? 'no content'}, ${body.length} bytes`,
    ...reasonOf(response),
    '',
    `    at ms   took ms  stage`,
    ...stages.flatMap(stageLines),
    `          ${number(totalOf(stages))}  in all, ${count} ${count === 1 ? 'statement' : 'statements'}`,
  ]
}
