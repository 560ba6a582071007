// Scanners are faster than networks: what is scanned, priced and submitted is done one after the other, in the order of
// the keys that were pressed.

import { useRef, useState } from 'react'

export interface WorkQueue {
  readonly enqueue: (work: () => Promise<void>) => Promise<void>
  readonly isBusy: boolean
}

export const useWorkQueue = (onProblem: (error: unknown) => void): WorkQueue => {
  const last = useRef(Promise.resolve())
  const [waiting, setWaiting] = useState(0)
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    setWaiting(count => count + 1)
    last.current = last.current
      .then(work)
      .catch(onProblem)
      .finally(() => setWaiting(count => count - 1))
    return last.current
  }
  return { enqueue, isBusy: waiting > 0 }
}
