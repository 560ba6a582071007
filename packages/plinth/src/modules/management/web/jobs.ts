// The jobs of the service, read again and again while the page is open.

import { get, request } from '@plinth/web'
import { useQuery } from '@tanstack/react-query'

export interface RecordedRun {
  readonly trigger: 'schedule' | 'manual'
  readonly startedBy: string | null
  readonly started: string
  readonly finished: string | null
  readonly durationMs: number | null
  readonly status: 'running' | 'succeeded' | 'failed' | 'interrupted'
  readonly error: string | null
}

export interface ScheduledJob {
  readonly name: string
  readonly about: string | null
  readonly cron: string | null
  readonly timeZone: string | null
  readonly everyMs: number | null
  readonly isRunning: boolean
  readonly nextRun: string | null
  readonly lastRun: RecordedRun | null
}

export interface JobHistory extends ScheduledJob {
  readonly runs: readonly RecordedRun[]
}

const path = '/api/management/jobs'
export const jobsKey = ['management', 'jobs']
const refetchInterval = 3000

export const useJobs = () =>
  useQuery({
    queryKey: jobsKey,
    queryFn: ({ signal }) => get<readonly ScheduledJob[]>(path, { signal }),
    refetchInterval,
  })

export const useJob = (name: string) =>
  useQuery({
    queryKey: [...jobsKey, name],
    queryFn: ({ signal }) => get<JobHistory>(`${path}/${encodeURIComponent(name)}`, { signal }),
    refetchInterval,
  })

export const runJob = (name: string) => request(`${path}/${encodeURIComponent(name)}/run`, { method: 'POST' })
