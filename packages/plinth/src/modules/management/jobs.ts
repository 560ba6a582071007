// The jobs of the service: when they run, how their last runs ended, and starting one at once.

import type { JobRun, JobStatus } from '../../core/job-status.ts'
import type { Json } from '../../core/model/json.ts'
import { inLanguage } from '../../core/model/words.ts'
import { languageFor } from '../../core/rest/language.ts'
import { defineManagement, type Viewing } from './management-endpoint.ts'
import * as shapes from './shapes.ts'

const showRun = ({ trigger, startedBy, started, finished, durationMs, status, error }: JobRun): Json => ({
  ...{ trigger, startedBy, started, finished, durationMs, status, error },
})

const showJob = ({ module, job, isRunning, nextRun, lastRun }: JobStatus, language: string) => ({
  name: job.name,
  module,
  about: job.about === undefined ? null : inLanguage(job.about, language),
  cron: job.cron ?? null,
  timeZone: job.cron === undefined ? null : (job.timeZone ?? 'UTC'),
  everyMs: job.everyMs ?? null,
  isRunning,
  nextRun,
  lastRun: lastRun && showRun(lastRun),
})

const languageIn = ({ service: { platform }, request }: Viewing): string => languageFor({ platform }, request)

/** Reads the name of a job. `namedPart` does not fit: no name of a job ends in `.json`. */
const nameIn = ({ request }: Viewing): string => (request.params.name ?? '').replace(/\.json$/, '')

const params = { name: 'The name of the job.' }

export const jobEndpoints = [
  defineManagement({
    path: '/jobs',
    id: 'getJobs',
    summary: 'List the jobs, when each runs next and how its last run ended',
    shape: shapes.jobs,
    polled: true,
    run: async viewing => {
      const jobs = await viewing.service.jobs().list()
      return { value: jobs.map(job => showJob(job, languageIn(viewing))) }
    },
  }),
  defineManagement({
    path: '/jobs/{name}',
    id: 'getJob',
    summary: 'Read a job and its last 50 runs, newest first',
    params: { name: 'The name of the job; may end in `.json`.' },
    shape: shapes.job,
    polled: true,
    run: async viewing => {
      const { status, runs } = await viewing.service.jobs().history(nameIn(viewing))
      return { value: { ...showJob(status, languageIn(viewing)), runs: runs.map(showRun) } }
    },
  }),
  defineManagement({
    method: 'POST',
    path: '/jobs/{name}/run',
    id: 'runJob',
    summary: 'Run a job now',
    description: 'Answers when the run has started, and does not wait for its end.',
    params,
    shape: shapes.jobRun,
    success: 202,
    problems: [409],
    hasTwin: false,
    audit: 'JOB_STARTED',
    run: async viewing => {
      const run = await viewing.service.jobs().runNow(nameIn(viewing), viewing.caller.username)
      return { status: 202, value: showRun(run) }
    },
  }),
] as const
