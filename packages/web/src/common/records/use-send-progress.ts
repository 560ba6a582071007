// How much of the files of a form has been sent.

import type { CreateOptions } from '@plinth/client'
import { useState } from 'react'

export interface SendProgress extends Required<Pick<CreateOptions, 'onProgress'>> {
  /** The percentage; null until files are sent. */
  readonly percent: number | null
}

export const useSendProgress = (): SendProgress => {
  const [percent, setPercent] = useState<number | null>(null)
  return { percent, onProgress: ({ sent, total }) => setPercent(total > 0 ? Math.round((100 * sent) / total) : null) }
}
