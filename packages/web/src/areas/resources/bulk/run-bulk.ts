// One call for each of several records, one after the other.

import { ApiProblem } from '@plinth/client'
import type { Result } from '../../../common/actions/action-result.tsx'
import type { SelectedRecord } from './use-selection.ts'

interface Failure {
  readonly record: SelectedRecord
  readonly error: unknown
}

export interface BulkOutcome {
  readonly done: readonly SelectedRecord[]
  readonly failures: readonly Failure[]
  /** The records that were not reached. */
  readonly left: readonly SelectedRecord[]
  /** What the endpoint answered for records, where there is something to show. */
  readonly results: readonly { readonly record: SelectedRecord; readonly result: Result }[]
}

export const nothingDone: BulkOutcome = { done: [], failures: [], left: [], results: [] }

interface BulkOptions {
  readonly call: (record: SelectedRecord) => Promise<Result | null>
  readonly onProgress: (count: number) => void
  /** Ends the run where the first call fails with it. */
  readonly stopsAtFirst: (error: unknown) => boolean
  /** Nothing is begun after it; a call under way ends, so that its result is known. */
  readonly signal: AbortSignal
}

/** What would stop each of the other calls as well. */
const concernsAll = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 401 || error.code === 'unreachable')

/** `before` is the outcome so far, where some records are tried again. */
export const runBulk = async (
  records: readonly SelectedRecord[],
  before: BulkOutcome,
  { call, stopsAtFirst, onProgress, signal }: BulkOptions,
): Promise<BulkOutcome> => {
  const done = [...before.done]
  const results = [...before.results]
  const failures: Failure[] = []
  let count = 0
  for (const record of records) {
    if (signal.aborted) break
    count++
    try {
      const result = await call(record)
      done.push(record)
      if (result !== null) results.push({ record, result })
    } catch (error) {
      failures.push({ record, error })
      if (concernsAll(error) || (count === 1 && stopsAtFirst(error))) break
    }
    onProgress(count)
  }
  return { done, failures, left: records.slice(count), results }
}
