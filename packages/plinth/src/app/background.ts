// What runs in the background, from the moment the service listens until it ends.

import { jobSettings } from '../core/config/service-settings.ts'
import { type Job, jobFaults } from '../core/jobs/job.ts'
import { jobRuns } from '../core/jobs/runs.ts'
import { JobScheduler, type ModuleJob } from '../core/jobs/scheduler.ts'
import { expires, type Sweep, sweeper } from '../core/jobs/sweep.ts'
import { DefinitionError, type DefinitionFault } from '../core/model/definition-error.ts'
import type { Module } from '../core/module.ts'
import { idempotencyKeys } from '../core/rest/idempotency-keys.ts'
import type { Service } from '../core/service.ts'

export interface Background {
  readonly jobs: JobScheduler
  start(): Promise<void>
  /** The last to be started is the first to be stopped. */
  stop(): Promise<void>
}

export const createBackground = (service: Service, modules: readonly Module[]): Background => {
  // Those that a module creates for this service are not known before.
  const faults = jobFaultsOf(modules)
  if (faults.length > 0) throw new DefinitionError(faults)
  const jobs = new JobScheduler(service, jobsOf(modules))
  const stops: (() => Promise<void>)[] = []
  return {
    jobs,
    start: async () => {
      for (const module of modules) if (module.start) stops.push(await module.start(service))
      await jobs.start()
      stops.push(() => jobs.stop())
    },
    stop: async () => {
      for (const stop of stops.reverse()) await stop()
    },
  }
}

const idempotencySweep = expires(idempotencyKeys, ({ now }) => ({ expires: { le: now } }))

const jobRunSweep = expires(jobRuns, ({ config, daysAgo }) => {
  const { keepDays } = config.get(jobSettings)
  return keepDays === 0 ? null : { started: { le: daysAgo(keepDays) } }
})

const databaseSweep: Sweep = {
  name: 'tidying the database',
  run: ({ platform }, { signal }) => platform.store.tidy(signal),
}

const coreSweeper: Job = {
  ...sweeper('core', [idempotencySweep, jobRunSweep, databaseSweep]),
  about: {
    en: 'Deletes expired records of the service, and merges fragmented text indexes.',
    de: 'Löscht abgelaufene Datensätze des Dienstes und führt fragmentierte Textindizes zusammen.',
  },
}

/** The jobs of the service, and for each module its sweeper and its own. */
const jobsOf = (modules: readonly Module[]): readonly ModuleJob[] => [
  { module: 'core', job: coreSweeper },
  ...modules.flatMap(({ name: module, sweeps, jobs = [], jobsFor }) => [
    ...(sweeps ? [{ module, job: sweeper(module, sweeps) }] : []),
    ...[...jobs, ...(jobsFor?.(modules) ?? [])].map(job => ({ module, job })),
  ]),
]

export const jobFaultsOf = (modules: readonly Module[]): readonly DefinitionFault[] => {
  const jobs = jobsOf(modules).map(({ job }) => job)
  const isRepeated = (name: string, at: number) => jobs.findIndex(one => one.name === name) < at
  const repeated = jobs.filter(({ name }, at) => isRepeated(name, at))
  return [
    ...jobs.flatMap(jobFaults),
    ...repeated.map(({ name }) => ({ message: `several jobs have the name '${name}'; rename all but one` })),
  ]
}
