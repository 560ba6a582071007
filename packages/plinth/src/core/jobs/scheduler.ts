// Runs the jobs of modules when they are due: each at one instance at a time, with a record of every run.

import { jobSettings } from '../config/service-settings.ts'
import { withDeadline } from '../deadline.ts'
import { every, guarded, reportFailed } from '../guarded.ts'
import type { JobRun, JobStatus, Jobs, LateJob } from '../job-status.ts'
import { createScrub, type Scrub } from '../log/scrub.ts'
import { RunningCode } from '../model/running-code.ts'
import { errorMessage, isUnavailable, Problem } from '../problem.ts'
import { serviceRecords } from '../records/records.ts'
import type { Service } from '../service.ts'
import { DatabaseClock } from './clock.ts'
import { isInterruption, type Job } from './job.ts'
import {
  type Claim,
  claimJob,
  findLateJobs,
  finishRun,
  isLeased,
  type JobState,
  jobRuns,
  jobStates,
  leaseMs,
  type Outcome,
  type RunCause,
  readDueTimes,
  renewLease,
} from './runs.ts'
import { type DueTime, isDue, nextRun } from './schedule.ts'

export interface ModuleJob {
  readonly module: string
  readonly job: Job
}

interface RunUnderWay {
  readonly ending: AbortController
  readonly done: Promise<void>
}

const tickMs = 1000
const renewalMs = leaseMs / 3
const renewal = { everyMs: renewalMs }
/** The most characters of the message of an error. */
const longestError = 2000
/** How many runs of a job administrators see. */
const historySize = 50

export class JobScheduler implements Jobs {
  readonly #service: Service
  readonly #jobs: readonly ModuleJob[]
  readonly #scrub: Scrub
  /** The due times by name, as far as this instance knows: another may have run a job since. */
  readonly #due = new Map<string, DueTime>()
  /** The times by name at which to look whether another instance, which runs the job, has interrupted it or crashed. */
  readonly #lookAgain = new Map<string, DueTime>()
  readonly #running = new Map<string, RunUnderWay>()
  readonly #clock: DatabaseClock
  #started: Date | null = null
  #stopTicking: () => Promise<void> = async () => {}

  constructor(service: Service, jobs: readonly ModuleJob[]) {
    this.#service = service
    this.#jobs = jobs
    this.#scrub = createScrub(service.config.secrets)
    this.#clock = new DatabaseClock(service.platform)
  }

  async start(): Promise<void> {
    const { platform, config, log } = this.#service
    this.#started = await this.#clock.read()
    const due = await readDueTimes(platform, this.#definitions, this.#started)
    for (const [name, time] of due) this.#due.set(name, time)
    if (!config.get(jobSettings).enabled) return
    this.#stopTicking = every(tickMs, { name: 'the job scheduler', log, startsNow: true }, () => this.#startDue())
  }

  /** Interrupts the runs of this instance and waits for their end. */
  async stop(): Promise<void> {
    const stopped = this.#stopTicking()
    for (const { ending } of this.#running.values()) ending.abort()
    await stopped
    for (const { ending } of this.#running.values()) ending.abort()
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  async list(): Promise<readonly JobStatus[]> {
    const { records } = this.#service.platform
    const states = new Map((await records.find(jobStates)).map(state => [state.pk, state]))
    return Promise.all(this.#jobs.map(one => this.#statusOf(one, states.get(one.job.name) ?? null)))
  }

  async late(): Promise<readonly LateJob[]> {
    const now = await this.#clock.read()
    return findLateJobs(this.#service.platform, this.#definitions, { now, since: this.#started })
  }

  async history(name: string): Promise<{ readonly status: JobStatus; readonly runs: readonly JobRun[] }> {
    const found = this.#find(name)
    const { records } = this.#service.platform
    const runs = await records.find(jobRuns, {
      where: { job: name },
      sort: ['-started', '-pk'],
      limit: historySize,
    })
    return { status: await this.#statusOf(found, await records.first(jobStates, { where: { pk: name } })), runs }
  }

  async runNow(name: string, startedBy: string | null): Promise<JobRun> {
    const { run } = await this.#claim(this.#find(name), { trigger: 'manual', startedBy, now: await this.#clock.read() })
    if (!run) throw new Problem('conflict', { en: 'The job is running.', de: 'Der Job läuft gerade.' })
    return run
  }

  get #definitions(): readonly Job[] {
    return this.#jobs.map(({ job }) => job)
  }

  #find(name: string): ModuleJob {
    const found = this.#jobs.find(({ job }) => job.name === name)
    if (!found) throw new Problem('not_found')
    return found
  }

  async #statusOf({ module, job }: ModuleJob, state: JobState | null): Promise<JobStatus> {
    const { records } = this.#service.platform
    const lastRun = await records.first(jobRuns, { where: { job: job.name }, sort: ['-started', '-pk'] })
    const isRunning = state !== null && isLeased(state, this.#clock.now())
    return { module, job, isRunning, nextRun: state?.nextRun ?? null, lastRun }
  }

  async #startDue(): Promise<void> {
    try {
      await this.#clock.refresh()
      for (const one of this.#jobs) {
        if (this.#service.closing.aborted) return
        if (this.#mayBeDue(one.job))
          await this.#claim(one, { trigger: 'schedule', startedBy: null, now: await this.#clock.read() })
      }
    } catch (error) {
      // The next tick tries again; the outage itself is logged elsewhere.
      if (!isUnavailable(error)) throw error
    }
  }

  #mayBeDue(job: Job): boolean {
    const due = this.#due.get(job.name)
    if (!due || this.#running.has(job.name)) return false
    const lookAgain = this.#lookAgain.get(job.name)
    const now = this.#clock.now()
    return lookAgain ? isDue(renewal, lookAgain, now) : isDue(job, due, now)
  }

  async #claim(found: ModuleJob, cause: RunCause): Promise<Claim> {
    const { job } = found
    const claim = await claimJob(this.#service.platform, job, cause)
    this.#lookAgain.delete(job.name)
    if (claim.run) this.#begin(found, claim.run)
    else if (claim.isRunning) this.#lookAgain.set(job.name, { next: nextRun(renewal, this.#clock.now()), last: null })
    else this.#due.set(job.name, claim.due)
    return claim
  }

  #begin(found: ModuleJob, run: JobRun): void {
    const { job } = found
    const ending = new AbortController()
    const guard = { name: `recording the run of ${job.name}`, log: this.#service.log }
    const runToEnd = guarded(guard, () => this.#run(found, run, ending))
    const done = runToEnd().finally(() => this.#running.delete(job.name))
    this.#running.set(job.name, { ending, done })
  }

  async #run(found: ModuleJob, run: JobRun, ending: AbortController): Promise<void> {
    const { job } = found
    const { platform, log } = this.#service
    const stopRenewing = every(renewalMs, { name: `the lease of ${job.name}`, log }, async () => {
      if (!(await renewLease(platform, run, await this.#clock.read()))) ending.abort()
    })
    const outcome = await this.#outcomeOf(found, new Date(run.started), ending)
    await stopRenewing()
    this.#due.set(job.name, await finishRun(platform, job, { run, outcome, now: await this.#clock.read() }))
  }

  async #outcomeOf(found: ModuleJob, now: Date, ending: AbortController): Promise<Outcome> {
    const { log } = this.#service
    const began = performance.now()
    const outcome = (status: Outcome['status'], error: string | null): Outcome => ({
      status,
      error,
      durationMs: Math.round(performance.now() - began),
    })
    try {
      await this.#runInTime(found, now, ending)
      return outcome('succeeded', null)
    } catch (error) {
      if (isInterruption(error, ending.signal)) return outcome('interrupted', null)
      reportFailed({ name: found.job.name, log }, error)
      const message = errorMessage(error)
      return outcome('failed', this.#scrub(message).toWellFormed().slice(0, longestError))
    }
  }

  /** The work of a run that is late may go on, but its records take no calls. */
  async #runInTime({ module, job }: ModuleJob, now: Date, ending: AbortController): Promise<void> {
    const { platform, config } = this.#service
    const { timeout = config.get(jobSettings).timeout } = job
    const code = new RunningCode(`job ${job.name}`, job)
    const records = serviceRecords(platform, code)
    const toError = (): Error => {
      code.end(new Error(`the time of the ${code.name} is over`))
      ending.abort()
      return new Error(`the ${code.describe()} did not end within ${timeout} s`)
    }
    const { settings, log } = platform.codeContexts(`${module}.${job.name}`)
    await withDeadline({ ms: timeout * 1000, toError }, () =>
      job.run({ service: this.#service, records, config, settings, log, now, signal: ending.signal }),
    )
  }
}
