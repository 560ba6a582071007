// Emptying the drop box: copies are listed, then all of them taken back at once.

import { type ApiProblem, newKey } from '@plinth/client'
import { draftOf, useDraft, useTexts, useUser } from '@plinth/web'
import { counterTexts } from './dictionary.ts'
import { sumOf } from './money.ts'
import { useNotice } from './notice.tsx'
import { type OrderQuote, type Payments, quote, receiptPk, type Submission } from './orders.ts'
import { useScanProblem } from './scan-problem.ts'
import { useDelivery } from './use-delivery.ts'
import { useWorkQueue } from './work-queue.ts'

export interface Dropped {
  readonly order: OrderQuote
  readonly isFaulty: boolean
}

export interface EmptiedBox {
  readonly receipt: string
  readonly count: number
  readonly owed: number
  readonly currency: string
}

interface DropBox {
  readonly lines: readonly Dropped[]
  readonly submission: Submission | null
  readonly done: EmptiedBox | null
}

const emptyBox: DropBox = { lines: [], submission: null, done: null }

const completed = (box: DropBox, key: string, payments: Payments): DropBox => {
  if (box.submission?.key !== key) return box
  const { items, currency } = payments
  const owed = items.filter(({ onAccount }) => onAccount).map(({ amount }) => amount)
  const done = { receipt: receiptPk(payments), count: items.length, owed: sumOf(owed, currency), currency }
  return { ...emptyBox, done }
}

/** `/items/2` and `/items/2/inventoryId` are about the third line. */
const withFaults = (box: DropBox, { faults }: ApiProblem): DropBox => ({
  ...box,
  submission: null,
  lines: box.lines.map((line, at) => ({
    ...line,
    isFaulty: faults.some(({ pointer = '' }) => pointer.split('/')[2] === String(at)),
  })),
})

export const useDropBox = () => {
  const t = useTexts(counterTexts)
  const explain = useScanProblem()
  const draft = draftOf(useUser().pk, 'dropBox.1', emptyBox)
  const box = useDraft(draft)
  const { notice, inform, warn } = useNotice()
  const { enqueue, isBusy } = useWorkQueue(error => warn(explain(error)))
  const { problem, send, resend, forget } = useDelivery({
    path: '/api/rest/order/returns',
    draft,
    enqueue,
    onDone: ({ key }, payments) => draft.update(now => completed(now, key, payments)),
    onRefusal: error => draft.update(now => withFaults(now, error)),
  })
  const add = async (code: string) => {
    const order = await quote(code).catch(error => warn(explain(error, code)))
    if (!order) return
    if (order.rentalId === null) return warn(t('notOut', { title: order.filmTitle }))
    if (draft.get().lines.some(line => line.order.inventoryId === order.inventoryId))
      return warn(t('alreadyThere', { code }))
    draft.update(now => ({ ...now, done: null, lines: [...now.lines, { order, isFaulty: false }] }))
    inform(t('addedReturn', { title: order.filmTitle }))
  }
  return {
    box,
    notice,
    isBusy,
    problem,
    resend,
    scan: (text: string) => {
      const code = text.trim()
      if (code === '') return
      void enqueue(async () => {
        if (draft.get().submission) warn(t('stillSubmitting'))
        else await add(code)
      })
    },
    remove: (copy: string) =>
      draft.update(now => ({ ...now, lines: now.lines.filter(({ order }) => order.inventoryId !== copy) })),
    submit: () =>
      void enqueue(async () => {
        const now = draft.get()
        if (now.submission || now.lines.length === 0) return
        forget()
        const items = now.lines.map(({ order }) => order.inventoryId)
        draft.set({ ...now, submission: { key: newKey(), body: { items } } })
        await send()
      }),
    startOver: () => {
      if (draft.get().submission) return
      forget()
      draft.set(emptyBox)
    },
  }
}
