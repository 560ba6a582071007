// What is typed or scanned into the one box: a card, a copy, a name, or a command.

import { useTexts } from '@plinth/web'
import { useState } from 'react'
import { emptyDesk, isReturn, nameOf } from './desk.ts'
import type { DeskTools } from './desk-tools.ts'
import { counterTexts } from './dictionary.ts'
import { type Customer, findScanned } from './orders.ts'
import { useScanProblem } from './scan-problem.ts'
import type { LineWork } from './use-lines.ts'

/** What the clerk must decide before going on. */
export type Question =
  | { readonly kind: 'who'; readonly people: readonly Customer[] }
  | { readonly kind: 'otherCustomer'; readonly person: Customer }

export interface ScanWork {
  readonly question: Question | null
  readonly scan: (text: string) => void
  /** None of them: the question is closed. */
  readonly answer: (person: Customer | null, choice?: 'keepLines' | 'startOver') => void
  /** The customer is gone; the lines stay. */
  readonly dismiss: () => void
}

export const useScanning = ({ draft, enqueue, inform, warn }: DeskTools, lines: LineWork): ScanWork => {
  const t = useTexts(counterTexts)
  const explain = useScanProblem()
  const [question, setQuestion] = useState<Question | null>(null)

  const serve = (person: Customer) => {
    draft.update(now => ({ ...now, done: null, customer: person }))
    inform(t('customerIs', { name: nameOf(person) }))
  }
  const meet = (person: Customer) => {
    const { customer, lines } = draft.get()
    if (!customer || customer.pk === person.pk || lines.length === 0) return serve(person)
    setQuestion({ kind: 'otherCustomer', person })
    inform(t('askedOther'))
  }
  const look = async (code: string) => {
    const found = await findScanned(code).catch(error => warn(explain(error, code)))
    if (!found) return
    if (found.kind === 'person') meet(found.person)
    else if (found.kind === 'copy') await lines.addCopy(found.copy.pk, code)
    else {
      setQuestion({ kind: 'who', people: found.people })
      inform(t('askedWho', { count: found.people.length }))
    }
  }
  /** Commands begin with what no code begins with. */
  const command = (text: string): boolean => {
    const days = /^\*(\d{1,3})$/.exec(text)?.[1]
    if (days === undefined && text !== '-') return false
    const last = draft.get().lines.at(-1)
    if (!last || (days !== undefined && isReturn(last))) warn(t('noLineForCommand'))
    else if (days === undefined) lines.remove(last.order.inventoryId)
    else lines.setDays(last.order.inventoryId, Number(days))
    return true
  }
  return {
    question,
    scan: text => {
      const code = text.trim()
      if (code === '') return
      setQuestion(null)
      void enqueue(async () => {
        if (draft.get().submission) warn(t('stillSubmitting'))
        else if (!command(code)) await look(code)
      })
    },
    answer: (person, choice) => {
      setQuestion(null)
      if (!person) return
      if (choice === 'startOver') draft.set(emptyDesk)
      if (choice === undefined) meet(person)
      else serve(person)
    },
    dismiss: () => draft.update(now => ({ ...now, customer: null })),
  }
}
