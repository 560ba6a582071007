// Submitting what lies on the desk.

import { type ApiProblem, newKey } from '@plinth/client'
import { useTexts } from '@plinth/web'
import { accepted, completed, type Desk, obstacleOf, toOrders, withFaults, withFreshQuote } from './desk.ts'
import type { DeskTools } from './desk-tools.ts'
import { counterTexts } from './dictionary.ts'
import type { OrderQuote } from './orders.ts'
import { type SubmissionState, useDelivery } from './use-delivery.ts'

export interface SubmissionWork extends Pick<SubmissionState, 'problem' | 'resend' | 'forget'> {
  readonly submit: (override?: string) => void
  /** Back to the lines although the outcome is not known. Safe: what was taken is not as quoted any more. */
  readonly takeBack: () => void
  /** Takes over the new prices. */
  readonly accept: () => void
}

const refused = (desk: Desk, error: ApiProblem): Desk => {
  if (error.code !== 'quote_changed') return withFaults(desk, error.faults)
  const { items = [] } = (error.document.quote ?? {}) as { items?: readonly OrderQuote[] }
  return withFreshQuote(desk, items)
}

export const useSubmission = ({ draft, enqueue, inform, warn }: DeskTools): SubmissionWork => {
  const t = useTexts(counterTexts)
  const { problem, send, resend, forget } = useDelivery<Desk>({
    path: '/api/rest/order/orders',
    draft,
    enqueue,
    onDone: ({ key }, payments) => {
      draft.update(now => completed(now, key, payments))
      inform(t('done'))
    },
    onRefusal: error => draft.update(now => refused(now, error)),
  })
  return {
    problem,
    resend,
    forget,
    submit: override =>
      void enqueue(async () => {
        const now = draft.get()
        if (now.submission || now.done) return
        const obstacle = obstacleOf(now)
        if (obstacle) return warn(t(obstacle))
        forget()
        draft.set({ ...now, submission: { key: newKey(), body: toOrders(now, override ?? null) } })
        await send()
      }),
    takeBack: () => {
      forget()
      draft.update(now => ({ ...now, submission: null }))
    },
    accept: () => {
      forget()
      draft.update(accepted)
      inform(t('acceptedNew'))
    },
  }
}
