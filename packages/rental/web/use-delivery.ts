// What must happen once and only once: key and body are kept in the draft before they are sent, and whatever happens to the
// page or to the network, the very same is sent again until there is an answer.

import { ApiProblem, isTransient } from '@plinth/client'
import type { StoredDraft } from '@plinth/web'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { deliver, type Payments, type Submission } from './orders.ts'
import type { WorkQueue } from './work-queue.ts'

interface Delivered<T> extends Pick<WorkQueue, 'enqueue'> {
  readonly path: string
  readonly draft: StoredDraft<T>
  readonly onDone: (submission: Submission, payments: Payments) => void
  /** Is called when nothing was done, and the reason will not pass by itself. */
  readonly onRefusal: (problem: ApiProblem) => void
}

export interface SubmissionState {
  /** Why the last try did not go through. */
  readonly problem: unknown
  readonly send: () => Promise<void>
  readonly resend: () => void
  /** The problem is of no interest any more. */
  readonly forget: () => void
}

const retryAfter = 4000

/** Says whether an error is a refusal. After 401 the same request is sent again once the user has signed in. */
const isRefusal = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 401

export const useDelivery = <T extends { readonly submission: Submission | null }>(
  what: Delivered<T>,
): SubmissionState => {
  const { path, draft, enqueue, onDone, onRefusal } = what
  const client = useQueryClient()
  const [problem, setProblem] = useState<unknown>(null)
  const send = async () => {
    const { submission } = draft.get()
    if (!submission) return
    try {
      const payments = await deliver(path, submission)
      setProblem(null)
      onDone(submission, payments)
      void client.invalidateQueries({ queryKey: ['counter'] })
    } catch (error) {
      setProblem(error)
      if (isRefusal(error)) onRefusal(error)
    }
  }
  const resend = () => void enqueue(send)
  const resume = useEffectEvent(resend)
  // A reload may have come between the sending and the answer.
  useEffect(() => resume(), [])
  const isWaiting = draft.get().submission !== null && isTransient(problem)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => resume(), retryAfter)
    return () => clearInterval(timer)
  }, [isWaiting])
  return { problem, send, resend, forget: () => setProblem(null) }
}
