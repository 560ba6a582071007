// What the work at the desk is done with.

import type { StoredDraft } from '@plinth/web'
import type { Desk } from './desk.ts'
import type { Notices } from './notice.tsx'
import type { WorkQueue } from './work-queue.ts'

/** The draft of the order, the notices to the clerk, and the queue that does one thing after another. */
export interface DeskTools extends Notices, Pick<WorkQueue, 'enqueue'> {
  readonly draft: StoredDraft<Desk>
}
