// The management endpoints as the interface lists them.

export const root = '/api/management'
export const actuator = 'application/vnd.app.actuator.v1+json'
export const json = 'application/json'

/** The paths that also exist with `.json`. */
const suffixed = [
  '',
  '/auditevents',
  '/autoconfig',
  '/beans',
  '/configprops',
  '/dump',
  '/info',
  '/mappings',
  '/trace',
  '/env',
  '/health',
  '/health/liveness',
  '/health/readiness',
  '/jobs',
  '/jobs/sweep-core',
  '/loggers',
  '/loggers/http',
  '/metrics',
  '/metrics/uptime',
]

export const jsonPaths: readonly string[] = [
  ...suffixed.flatMap(path => [root + path, `${root}${path}.json`]),
  `${root}/env/app.demo`,
]

/** The paths with forms of their own. */
export const otherPaths: Readonly<Record<string, string>> = {
  [`${root}/prometheus`]: 'text/plain; version=0.0.4; charset=utf-8',
  [`${root}/heapdump`]: 'application/octet-stream',
  [`${root}/heapdump.json`]: 'application/octet-stream',
}

export const isOpen = (path: string): boolean => /\/(health(\/(liveness|readiness))?|info)(\.json)?$/.test(path)
