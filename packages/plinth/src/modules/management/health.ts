// How well the service is. The checks run at most once a second, however often they are asked for.

import { statfs } from 'node:fs/promises'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Json } from '../../core/model/json.ts'
import type { Health, HealthCheck, Service } from '../../core/rest/service.ts'

export const checkDatabase: HealthCheck = async ({ platform: { store } }) => {
  await store.ping()
  return { status: 'UP', database: store.database }
}

/** A service that cannot write is down before the disk is full to the last byte. */
const leastFreeBytes = 10 * 1024 * 1024

export const checkDisk: HealthCheck = async ({ config }) => {
  const { bsize, blocks, bavail } = await statfs(config.get(appSettings).dataDir)
  const free = bavail * bsize
  return { status: free < leastFreeBytes ? 'DOWN' : 'UP', total: blocks * bsize, free, threshold: leastFreeBytes }
}

export type HealthReport = { readonly status: Health['status'] } & { readonly [part: string]: Json }

const freshMs = 1000
const patienceMs = 3000

export const createHealth = (service: Service): (() => Promise<HealthReport>) => {
  let begun = Number.NEGATIVE_INFINITY
  let report: Promise<HealthReport> | undefined
  return () => {
    const now = performance.now()
    if (!report || now - begun >= freshMs) {
      begun = now
      report = examine(service)
    }
    return report
  }
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
