// Before the service listens: anonymous callers must be refused everywhere. A management endpoint that would let a stranger in stops
// the start, whichever module it comes from.

import type { Request, Response, Route } from '../../core/http/exchange.ts'
import type { Service } from '../../core/rest/service.ts'
import { root } from './management-endpoint.ts'

/** What strangers are shown of the open endpoints. */
const openMembers: Readonly<Record<string, readonly string[]>> = {
  health: ['status'],
  'health/liveness': ['status'],
  'health/readiness': ['status'],
  info: ['app'],
}

export const refusesStrangers = async (service: Service): Promise<void> => {
  // A preflight has no credentials by its nature, and tells methods alone.
  const routes = service.overview().routes.flatMap(({ route }) => (route.method === 'OPTIONS' ? [] : [route]))
  for (const route of routes.filter(({ path }) => path.toLowerCase().startsWith(root))) {
    const response = await route.handler(strangerAt(route))
    if (isRefused(response) || isPreflight(route, response) || showsLittle(route, response)) continue
    throw new Error(`${route.method} ${route.path} answers ${response.status} to a caller without credentials.`)
  }
}

const strangerAt = ({ method, path }: Route): Request => ({
  id: 'self-test',
  method,
  path: path.replaceAll(/\{\w+\}/g, 'probe'),
  route: path,
  promisesValue: false,
  holdsSecrets: false,
  search: '',
  params: { name: 'probe' },
  headers: { host: 'localhost' },
  body: null,
  stream: null,
  remoteAddress: '127.0.0.1',
  base: 'http://localhost',
  signal: new AbortController().signal,
  isEssential: true,
  keyScope: null,
})

const isRefused = ({ status }: Response): boolean => status === 401 || status === 403

/** A preflight has no credentials; the methods of a path are no secret. */
const isPreflight = ({ method }: Route, { body }: Response): boolean => method === 'OPTIONS' && body === undefined

const showsLittle = ({ path }: Route, { body }: Response): boolean => {
  const allowed = openMembers[path.slice(root.length + 1).replace(/\.json$/, '')]
  if (!allowed || typeof body !== 'string') return false
  return Object.keys(JSON.parse(body)).every(member => allowed.includes(member))
}
