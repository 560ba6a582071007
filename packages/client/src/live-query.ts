// A list that stays current: read again after changes of its resource.

import type { FindResult, ResultPage } from './find-result.ts'
import type { LiveConnection } from './live.ts'

/** A running subscription; call it to end. */
export type StopLive = () => void

export interface LiveQueryHandlers<T> {
  /** The first result, and each later one. */
  readonly onResult: (page: ResultPage<T>) => void
  /** A read failed; the last result stays, and the next change reads again. */
  readonly onError?: (error: unknown) => void
}

/** Changes within this time lead to one read. */
const pauseMs = 50

export const startLiveQuery = <T>(
  live: LiveConnection,
  { destination, read }: { readonly destination: string; readonly read: (signal: AbortSignal) => FindResult<T> },
  { onResult, onError }: LiveQueryHandlers<T>,
): StopLive => {
  const stopped = new AbortController()
  let isReading = false
  let isStale = false
  const update = async (): Promise<void> => {
    isStale = true
    if (isReading) return
    isReading = true
    // Changes that arrive during a read are in the next one.
    while (isStale && !stopped.signal.aborted) {
      isStale = false
      try {
        const page = await read(stopped.signal)
        if (!stopped.signal.aborted) onResult(page)
      } catch (error) {
        if (!stopped.signal.aborted) onError?.(error)
      }
      if (isStale) await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
    isReading = false
  }
  const stop = live.listen(destination, {
    message: () => void update(),
    reload: () => void update(),
    refused: reason => onError?.(new Error(`The service refuses the subscription: ${reason}`)),
  })
  void live.open()
  return () => {
    stopped.abort()
    stop()
  }
}
