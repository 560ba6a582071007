// The clerk's work at the desk.

import { draftOf, useChanges, useDraft, useTexts, useUser } from '@plinth/web'
import { type Desk, emptyDesk, hasCopy, isEmpty } from './desk.ts'
import type { DeskTools } from './desk-tools.ts'
import { counterTexts } from './dictionary.ts'
import { type Notice, useNotice } from './notice.tsx'
import { useScanProblem } from './scan-problem.ts'
import { type LineWork, useLines } from './use-lines.ts'
import { type ScanWork, useScanning } from './use-scanning.ts'
import { type SubmissionWork, useSubmission } from './use-submission.ts'
import { useWorkQueue } from './work-queue.ts'

export interface DeskWork extends LineWork, ScanWork, SubmissionWork {
  readonly desk: Desk
  readonly notice: Notice | null
  readonly isBusy: boolean
  readonly setTendered: (text: string) => void
  readonly startOver: () => void
}

export const useDesk = (): DeskWork => {
  const t = useTexts(counterTexts)
  const explain = useScanProblem()
  const draft = draftOf<Desk>(useUser().pk, 'desk.1', emptyDesk)
  const desk = useDraft(draft)
  const { notice, inform, warn } = useNotice()
  const { enqueue, isBusy } = useWorkQueue(error => warn(explain(error)))
  const tools: DeskTools = { draft, inform, warn, enqueue }
  const lines = useLines(tools)
  const scanning = useScanning(tools, lines)
  const submission = useSubmission(tools)
  // Another desk may have rented a copy that lies here.
  useChanges(
    { resource: 'filmInventoryEntries' },
    { onMessage: ({ pk }) => void (hasCopy(draft.get(), pk) && lines.price(pk)) },
  )
  const startOver = () => {
    const before = draft.get()
    if (isEmpty(before) || before.submission) return
    submission.forget()
    scanning.answer(null)
    draft.set(emptyDesk)
    const undo = () => {
      draft.set(before)
      inform(t('restored'))
    }
    inform(t('cleared'), before.done ? undefined : undo)
  }
  const setTendered = (tendered: string) => draft.update(now => ({ ...now, tendered }))
  return { desk, notice, isBusy, ...lines, ...scanning, ...submission, setTendered, startOver }
}
