// The lines on the desk: added, priced again, removed.

import { useTexts } from '@plinth/web'
import { changeLine, hasCopy, isPending, isReturn, newLine, requoted, withLine, withoutLine } from './desk.ts'
import type { DeskTools } from './desk-tools.ts'
import { counterTexts } from './dictionary.ts'
import { type CopyCondition, quote } from './orders.ts'

export interface LineWork {
  readonly addCopy: (copy: string, code: string) => Promise<void>
  /** Asks what it costs now. */
  readonly price: (copy: string) => void
  readonly setDays: (copy: string, days: number) => void
  readonly setCondition: (copy: string, condition: CopyCondition) => void
  readonly remove: (copy: string) => void
}

const longestRental = 365

export const useLines = ({ draft, enqueue, inform, warn }: DeskTools): LineWork => {
  const t = useTexts(counterTexts)
  const lineOf = (copy: string) => draft.get().lines.find(({ order }) => order.inventoryId === copy)
  const requote = async (copy: string) => {
    const line = lineOf(copy)
    if (!line || draft.get().submission) return
    const order = await quote(copy, isReturn(line) ? { condition: line.condition } : { days: line.days })
    draft.update(now => changeLine(now, copy, one => requoted(one, order)))
  }
  return {
    addCopy: async (copy, code) => {
      if (hasCopy(draft.get(), copy)) return warn(t('alreadyThere', { code }))
      const order = await quote(copy)
      draft.update(now => withLine(now, newLine(order)))
      inform(t(order.rentalId === null ? 'addedRental' : 'addedReturn', { title: order.filmTitle }))
    },
    price: copy => void enqueue(() => requote(copy)),
    setDays: (copy, days) => {
      const sound = Math.min(longestRental, Math.max(1, Math.round(days)))
      draft.update(now => changeLine(now, copy, line => ({ ...line, days: sound, fault: null })))
      void enqueue(async () => {
        // Typing two digits asks once for both of them.
        const line = lineOf(copy)
        if (line && isPending(line)) await requote(copy)
      })
    },
    setCondition: (copy, condition) => {
      draft.update(now => changeLine(now, copy, line => ({ ...line, condition })))
      void enqueue(() => requote(copy))
    },
    remove: copy => {
      const line = lineOf(copy)
      draft.update(now => withoutLine(now, copy))
      if (line) inform(t('removed', { title: line.order.filmTitle }))
    },
  }
}
