// What can be wrong with the declaration of an endpoint. The start reports all of it together.

import { timeoutFaults } from '../deadline.ts'
import { type DefinitionFault, didYouMean } from '../model/definition-error.ts'
import type { OptionNames } from '../model/field-options.ts'
import { RuleFault } from '../model/rule-text.ts'
import { compileRule } from '../model/rules.ts'
import type { AnswerDeclaration, Endpoint, EndpointDefinition } from './endpoint.ts'

const optionNames: OptionNames<EndpointDefinition> = {
  method: true,
  path: true,
  id: true,
  summary: true,
  description: true,
  tag: true,
  deprecated: true,
  family: true,
  headers: true,
  problems: true,
  params: true,
  access: true,
  requires: true,
  when: true,
  button: true,
  open: true,
  query: true,
  refusesOtherParameters: true,
  body: true,
  refusesRecordFormats: true,
  check: true,
  answers: true,
  bodyIsOptional: true,
  ownSite: true,
  forgiving: true,
  format: true,
  problemFormat: true,
  produces: true,
  permitsInRun: true,
  holdsSecrets: true,
  isEssential: true,
  anyHost: true,
  keyScope: true,
  timeout: true,
  run: true,
  answer: true,
  prepare: true,
  receive: true,
}

const known = Object.keys(optionNames)
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const handlers = ['run', 'answer', 'prepare', 'receive'] as const

type CompileRule = (expression: string) => unknown

export const endpointFaults = (
  endpoints: readonly Endpoint[],
  compile: CompileRule = expression => compileRule(expression, null),
): readonly DefinitionFault[] => [
  ...endpoints.flatMap(endpoint => messagesAbout(endpoint, compile).map(message => at(endpoint, message))),
  ...repeated(endpoints, ({ method, path }) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`).map(endpoint =>
    at(endpoint, 'another endpoint has the same method and path; change one of them'),
  ),
  ...repeated(endpoints, ({ id }) => id).map(endpoint =>
    at(endpoint, `another endpoint has the id '${endpoint.id}'; ids are unique in the service`),
  ),
]

const at = (endpoint: Endpoint, message: string): DefinitionFault => ({
  endpoint: `${endpoint.method} ${endpoint.path}`,
  message,
  definition: endpoint,
})

const repeated = (endpoints: readonly Endpoint[], keyOf: (endpoint: Endpoint) => string | undefined): Endpoint[] => {
  const seen = new Set<string>()
  return endpoints.filter(endpoint => {
    const key = keyOf(endpoint)
    if (key === undefined || !seen.has(key)) {
      if (key !== undefined) seen.add(key)
      return false
    }
    return true
  })
}

const messagesAbout = (endpoint: Endpoint, compile: CompileRule): string[] => [
  ...Object.keys(endpoint)
    .filter(name => !known.includes(name))
    .map(name => `unknown option '${name}'${didYouMean(known, name)}`),
  ...methodFaults(endpoint),
  ...pathFaults(endpoint),
  ...accessFaults(endpoint, compile),
  ...(handlers.filter(name => endpoint[name]).length === 1
    ? []
    : ["needs one of 'run', 'answer', 'prepare' and 'receive'"]),
  ...statusFaults(endpoint),
  ...timeoutFaults(endpoint),
]

const methodFaults = ({ method, body }: Endpoint): string[] => {
  if (!methods.includes(method))
    return [`the method must be one of ${methods.join(', ')}${didYouMean(methods, method)}`]
  return body && ['GET', 'HEAD'].includes(method) ? [`${method} requests have no body; use 'query', or POST`] : []
}

const pathFaults = ({ path, params = {} }: Endpoint): string[] => {
  if (!path.startsWith('/')) return ["the path must start with '/'"]
  if (/\/:[A-Za-z]/.test(path))
    return [`named parts of a path stand in braces: '${path.replace(/\/:(\w+)/g, '/{$1}')}'`]
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
  return [
    ...(new Set(names).size < names.length ? ['two parts of the path have the same name'] : []),
    ...(/[?#\s]/.test(path) ? ["the path must not have '?', '#' or spaces; declare parameters in 'query'"] : []),
    ...Object.keys(params)
      .filter(name => !names.includes(name))
      .map(name => `params: the path has no part '${name}'${didYouMean(names, name)}`),
  ]
}

const accessFaults = ({ access }: Endpoint, compile: CompileRule): string[] => {
  if (access === undefined) return ["needs 'access': a rule such as 'caller.signedIn', or 'true' for everyone"]
  if (typeof access !== 'string') return []
  try {
    compile(access)
    return []
  } catch (error) {
    if (error instanceof RuleFault) return [`access: ${error.message}`]
    throw error
  }
}

const hasManyTypes = (answer: AnswerDeclaration): boolean =>
  typeof answer === 'object' && 'content' in answer && Object.keys(answer.content ?? {}).length > 1

const statusFaults = ({ answers, run }: Endpoint): string[] => {
  const statuses = Object.keys(answers ?? {}).map(Number)
  return [
    ...statuses
      .filter(status => !Number.isInteger(status) || status < 100 || status > 599)
      .map(status => `answers: ${status} is not a status of a response`),
    ...(run && answers && !statuses.some(status => status >= 200 && status < 300)
      ? ["answers: 'run' needs a successful answer, such as 200 or 204"]
      : []),
    ...(run && Object.values(answers ?? {}).some(hasManyTypes)
      ? ["answers: 'run' returns the text of one media type; use 'answer' for several"]
      : []),
  ]
}
