// How well the service is. The checks run at most once a second, however often they are asked for.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appSettings, databaseSettings } from '../../core/config/service-settings.ts'
import type { Json } from '../../core/model/json.ts'
import type { Health, HealthCheck, Service } from '../../core/service.ts'
import { defineManagement } from './management-endpoint.ts'
import * as shapes from './shapes.ts'

/**
 * Checks the database. It is down while writing is blocked too: no transaction can begin, since code of the application
 * holds up those under way.
 */
export const checkDatabase: HealthCheck = async ({ platform: { store }, config }): Promise<Health> => {
  await store.ping()
  const { database, wait } = store
  const patience = config.get(databaseSettings).transactionTimeout * 500
  if (wait === null || wait.ms < patience) return { status: 'UP', database }
  const seconds = Math.floor(wait.ms / 1000)
  const error = `Writing is blocked: ${wait.cause} has kept its transaction waiting for ${seconds} s.`
  return { status: 'DOWN', database, error }
}

/** A service that cannot write is down before the disk is full to the last byte. */
const leastFreeBytes = 10 * 1024 * 1024

export const checkDisk: HealthCheck = async ({ config }) => {
  const { bsize, blocks, bavail } = await statfs(config.get(appSettings).dataDir)
  const free = bavail * bsize
  return { status: free < leastFreeBytes ? 'DOWN' : 'UP', total: blocks * bsize, free, threshold: leastFreeBytes }
}

/** A job that does not run takes no request down: it is named, and the status is unknown. */
export const checkJobs: HealthCheck = async service => {
  const late = (await service.jobs().late()).map(({ name }) => name)
  return { status: late.length > 0 ? 'UNKNOWN' : 'UP', late }
}

export type HealthReport = { readonly status: Health['status'] } & { readonly [part: string]: Json }

const freshMs = 1000
const patienceMs = 3000

export const createHealth = (service: Service): (() => Promise<HealthReport>) => {
  let start = Number.NEGATIVE_INFINITY
  let report: Promise<HealthReport> | undefined
  let last: Health['status'] = 'UP'
  const look = async (): Promise<HealthReport> => {
    const found = await examine(service)
    if (found.status !== last) logChange(service, found)
    last = found.status
    return found
  }
  return () => {
    const now = performance.now()
    if (!report || now - start >= freshMs) {
      start = now
      report = look()
    }
    return report
  }
}

/**
 * Logs a change, since those who ask without credentials see no reason, and while writing is blocked no administrator
 * can sign in.
 */
const logChange = ({ logs }: Service, report: HealthReport): void => {
  const log = logs.named('management')
  if (report.status === 'DOWN') log.warn({ health: report }, 'the service is down')
  else log.info('the service is up again')
}

const examine = async (service: Service): Promise<HealthReport> => {
  const checks = service.overview().modules.flatMap(module => Object.entries(module.health))
  const found = await Promise.all(checks.map(async ([name, check]) => [name, await outcomeOf(check, service)] as const))
  const isDown = found.some(([, { status }]) => status === 'DOWN')
  return { status: isDown ? 'DOWN' : 'UP', ...Object.fromEntries(found) }
}

/** The reason goes to the log: messages of drivers may name hosts and users. */
const outcomeOf = async (check: HealthCheck, service: Service): Promise<Health> => {
  try {
    return await withPatience(check(service))
  } catch (error) {
    service.logs.named('management').warn({ err: error }, 'a health check failed')
    return { status: 'DOWN', error: error instanceof Error ? error.name : 'Error' }
  }
}

const withPatience = (check: Promise<Health>): Promise<Health> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Health>(resolve => {
    timer = setTimeout(() => resolve({ status: 'DOWN', error: `no response within ${patienceMs} ms` }), patienceMs)
  })
  return Promise.race([check, late]).finally(() => clearTimeout(timer))
}

// Which build this is.

const here = fileURLToPath(import.meta.url)

/** The folder of the checkout that the program runs from, if it does. */
const findCheckout = (from: string): string | null => {
  const parent = dirname(from)
  if (existsSync(join(from, '.git', 'HEAD'))) return from
  return parent === from ? null : findCheckout(parent)
}

/** Branch and commit as the files of git tell them (gitrepository-layout(5)); nothing for an installed package. */
const readGit = (): Record<string, Json> => {
  const checkout = findCheckout(dirname(here))
  if (checkout === null) return {}
  const read = (name: string) => readFileSync(join(checkout, '.git', name), 'utf8').trim()
  try {
    const head = read('HEAD')
    const ref = /^ref: (.+)$/.exec(head)?.[1]
    if (ref === undefined) return { git: { commit: { id: head } } }
    const packed = () =>
      read('packed-refs')
        .split('\n')
        .find(line => line.endsWith(` ${ref}`))
        ?.split(' ')[0]
    const id = existsSync(join(checkout, '.git', ref)) ? read(ref) : packed()
    return { git: { branch: ref.replace('refs/heads/', ''), ...(id !== undefined && { commit: { id } }) } }
  } catch {
    return {}
  }
}

/** What everybody may know of the service. */
export const appInfo = (service: Service) => ({ app: { name: 'plinth', version: service.overview().version } }) as const

export const createInfo = (service: Service): (() => Record<string, Json>) => {
  const time = statSync(here).mtime.toISOString()
  const git = readGit()
  return () => {
    const { app } = appInfo(service)
    const build = { version: app.version, time, runtime: `Node ${process.versions.node}` }
    return Object.assign({ app, build, ...git }, ...service.overview().modules.map(module => module.info(service)))
  }
}

export const healthEndpoints = (service: Service) => {
  const health = createHealth(service)
  const info = createInfo(service)
  return [
    defineManagement({
      path: '/health',
      id: 'getHealth',
      summary: 'Check the health of the service',
      shape: shapes.health,
      also: { 503: 'The service is down.' },
      open: true,
      polled: true,
      isEssential: true,
      run: async ({ seesAll }) => {
        const report = await health()
        const status = report.status === 'DOWN' ? 503 : 200
        return { status, value: seesAll ? report : { status: report.status } }
      },
    }),
    defineManagement({
      path: '/health/liveness',
      id: 'getLiveness',
      summary: 'Check whether the process responds',
      description: 'Examines nothing else: restarting the process does not help against a database that is down.',
      shape: shapes.health,
      open: true,
      polled: true,
      isEssential: true,
      run: () => ({ value: { status: 'UP' } }),
    }),
    defineManagement({
      path: '/health/readiness',
      id: 'getReadiness',
      summary: 'Check whether the service can take requests',
      description: 'As `health`; also down while the service stops.',
      shape: shapes.health,
      also: { 503: 'The service is down or stopping.' },
      open: true,
      polled: true,
      isEssential: true,
      run: async () => {
        const isUp = !service.closing.aborted && (await health()).status !== 'DOWN'
        return isUp ? { value: { status: 'UP' } } : { status: 503, value: { status: 'DOWN' } }
      },
    }),
    defineManagement({
      path: '/info',
      id: 'getInfo',
      summary: 'Read the build information',
      shape: shapes.info,
      open: true,
      run: ({ seesAll }) => ({ value: seesAll ? info() : appInfo(service) }),
    }),
  ] as const
}
