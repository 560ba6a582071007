// What every answer must be, whatever was asked.

import { allModules } from '@plinth/test-kit/platform'
import { problemsOf } from '../../../src/core/module.ts'
import type { HostileAnswer, RawRequest } from './raw-http.ts'

const problemTypes = problemsOf(allModules)

const statuses = new Set([
  ...[101, 200, 201, 202, 204, 206, 301, 302, 303, 304],
  ...Object.values(problemTypes).map(({ status }) => status),
])
statuses.delete(500)

/** Words of databases, stacks and folders that no generator says. */
const internals =
  /SQLITE_|node_modules|\.[tj]s:\d+|\n {2,}at |no such (?:column|table)|syntax error at or near|UNIQUE constraint|violates|plinth-test-|PostgresError|TypeError|undefined is not|Cannot read prop/

const required = ['x-content-type-options', 'content-security-policy', 'referrer-policy'] as const

/** Everything that is wrong with the answer, in words. */
export const faultsOf = (request: RawRequest, { status, headers, body }: HostileAnswer): string[] => {
  const faults: string[] = []
  const say = (condition: boolean, fault: string) => condition && faults.push(fault)
  const text = body.toString('utf8')
  say(!statuses.has(status), `the status is ${status}: ${text.slice(0, 300)}`)
  for (const name of required) say(!headers.has(name) && status !== 101, `there is no ${name}`)
  // What the parser refuses has not become a request that could have an identifier.
  const isRefused = headers.get('connection') === 'close' && [400, 405, 431].includes(status)
  say(!headers.has('x-request-id') && status !== 101 && !isRefused, 'there is no x-request-id')
  say(headers.has('x-injected'), 'a header was injected')
  // Management shows internals to administrators, and scripts of the web client and the reference name error types.
  const isManagement = request.target.startsWith('/api/management') && status === 200
  const isScript = /^text\/javascript\b/.test(headers.get('content-type') ?? '') && status === 200
  const mayNameInternals = isManagement || isScript
  say(!mayNameInternals && internals.test(text), `the answer shows internals: ${internals.exec(text)?.[0]}`)
  say(internals.test([...headers.values()].join('\n')), 'a header shows internals')
  say(
    status === 401 && !headers.has('www-authenticate') && !isSignIn(request),
    'a 401 does not say how to authenticate',
  )
  say(status === 405 && !headers.has('allow'), 'a 405 does not say what is allowed')
  say(
    headers.get('access-control-allow-origin') === '*' || headers.get('access-control-allow-origin') === 'null',
    'any origin is allowed',
  )
  say(body.length > 0 && !headers.has('content-type'), 'a body has no type')
  if (body.length > 0) faults.push(...faultsOfBody({ status, type: headers.get('content-type') ?? '', text }))
  if (status >= 400 && body.length === 0) say(!mayBeBare(request, status), `a ${status} has no body`)
  return faults
}

const isSignIn = ({ target }: RawRequest): boolean => /^\/api\/?auth/.test(target)

/** 401, 403 and 404 have no body, and no answer to HEAD has one. */
const mayBeBare = ({ method }: RawRequest, status: number): boolean =>
  method === 'HEAD' || status === 401 || status === 403 || status === 404

interface Text {
  readonly status: number
  readonly type: string
  readonly text: string
}

const faultsOfBody = ({ status, type, text }: Text): string[] => {
  if (/xml/.test(type)) return isWellFormed(text) ? [] : [`the XML is not well-formed: ${text.slice(0, 300)}`]
  if (!/json/.test(type)) return status >= 400 ? [`the problem is sent as ${type}`] : []
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return [`the JSON does not parse: ${text.slice(0, 300)}`]
  }
  return status < 400 ? [] : faultsOfProblem(status, json as Record<string, unknown>, type)
}

const faultsOfProblem = (status: number, json: Record<string, unknown>, type: string): string[] => {
  const isJsonApi = type.startsWith('application/vnd.api+json')
  const problems = isJsonApi ? (json.errors as Record<string, unknown>[]) : [json]
  if (!isJsonApi && type !== 'application/problem+json') return [`the problem is sent as ${type}`]
  if (!Array.isArray(problems) || problems.length === 0) return ['the problem has no errors']
  return problems.flatMap(problem => {
    const isStatus = isJsonApi ? problem.status === String(status) : problem.status === status
    const isCode = isJsonApi ? typeof problem.code === 'string' : Object.hasOwn(problemTypes, String(problem.code))
    return isStatus && isCode && typeof problem.title === 'string'
      ? []
      : [`the problem is odd: ${JSON.stringify(problem)}`]
  })
}

/** Tags that open and close in order, and nothing that XML forbids. */
const isWellFormed = (text: string): boolean => {
  const open: string[] = []
  const body = text.replace(/^<\?xml[^>]*\?>\s*/, '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(body)) return false
  for (const [, closing, name = '', attributes = '', selfClosing] of body.matchAll(
    /<(\/?)([^\s<>/]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|</g,
  )) {
    if (!name || !/^[A-Za-z_][\w.:-]*$/.test(name)) return false
    if (closing) {
      if (open.pop() !== name || attributes) return false
    } else if (!selfClosing) open.push(name)
  }
  return open.length === 0
}
