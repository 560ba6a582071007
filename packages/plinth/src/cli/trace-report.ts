// What a trace shows: as lines for people, and as JSON for programs, which has the statements whole.

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
  /** Is it the first request of the process? */
  readonly isCold: boolean
  readonly stages: readonly TracedStage[]
}

const totalOf = (stages: readonly TracedStage[]): number => stages.reduce((sum, { ms }) => sum + ms, 0)

const statementsOf = (stages: readonly TracedStage[]): number =>
  stages.reduce((sum, { statements }) => sum + statements.length, 0)

export const toJson = ({ route, caller, request, response, isCold, stages }: TraceReport): object => ({
  method: request.method,
  path: request.path,
  route: route ?? null,
  caller: caller?.username ?? null,
  status: response.status,
  contentType: response.headers['content-type'] ?? null,
  bytes: response.body.length,
  ms: Math.round(totalOf(stages) * 1000) / 1000,
  statements: statementsOf(stages),
  cold: isCold,
  stages,
})

const number = (ms: number): string => ms.toFixed(2).padStart(9)

const abouts: Readonly<Record<string, string>> = {
  'http/server': 'bytes → request',
  'rest/pipeline': 'chooses formats, calls the stages',
  'auth/authenticate': 'credentials → caller',
  'model/access': 'the rule for this caller',
  'query/read-query': 'parameters → query',
  'rest/write-input': 'body → values, preconditions',
  'rest/endpoint': 'code of the endpoint itself',
  'rest/query-budget': 'the cost of the query',
  'store/sql/read': 'query → records',
  'store/transaction': 'checks, hooks and writes; rolled back',
  'rest/write-answer': 'records or problem → text',
  'http/write': 'text → bytes',
}

/** The longest list of columns and values; longer ones are cut, for what matters is the tables and the conditions. */
const longestList = 60

const cut = (list: string): string => {
  if (list.length <= longestList) return list
  const end = list.lastIndexOf(', ', longestList)
  return end < 0 ? '…' : `${list.slice(0, end)}, …`
}

/** The list of columns of the outermost SELECT: what is between SELECT and FROM in no parentheses. */
const columnsIn = (sql: string): readonly [from: number, to: number] => {
  let depth = 0
  let from = -1
  for (const { 0: found, index } of sql.matchAll(/[()]|\bSELECT | FROM /g)) {
    if (found === '(' || found === ')') depth += found === '(' ? 1 : -1
    else if (depth === 0 && found === 'SELECT ') from = index + found.length
    else if (depth === 0 && from >= 0) return [from, index]
  }
  return [0, 0]
}

/** A statement on one line. */
const shorten = (sql: string): string => {
  const line = sql
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/(INSERT INTO \S+|VALUES) \(([^()]*)\)/g, (_, before, list) => `${before} (${cut(list)})`)
  const [from, to] = columnsIn(line)
  return line.slice(0, from) + cut(line.slice(from, to)) + line.slice(to)
}

const stageLines = ({ stage, at, ms, statements }: TracedStage): string[] => [
  `${number(at)} ${number(ms)}  ${stage.padEnd(18)} ${abouts[stage] ?? ''}`.trimEnd(),
  ...statements.map(({ sql, ms: took, rows }) => {
    return `${' '.repeat(21)} ${took.toFixed(2)} ms, ${rows} ${rows === 1 ? 'row' : 'rows'}: ${shorten(sql)}`
  }),
]

interface ProblemBody {
  readonly code?: unknown
  readonly detail?: unknown
  readonly title?: unknown
}

/** Why the request was refused, in any of the JSON formats. Bodies of other types can be pages. */
const reasonOf = ({ status, headers, body }: TracedResponse): string[] => {
  if (status < 400 || body.length === 0 || !headers['content-type']?.includes('json')) return []
  const document: ProblemBody & { readonly errors?: readonly ProblemBody[] } = JSON.parse(body.toString('utf8'))
  // JSON:API has errors and nothing above them.
  const problems = document.code === undefined ? (document.errors ?? []) : [document]
  return problems.map(({ code, detail, title }) => `Problem:  ${code}: ${detail ?? title}`)
}

export const toLines = ({ route, caller, request, response, isCold, stages }: TraceReport): string[] => {
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
    ...(isCold ? ['', 'This was the first request of its process: later ones take a fraction of the time.'] : []),
  ]
}
