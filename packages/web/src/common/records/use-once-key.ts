// The key of a creation: the same content keeps it, so that a second press, or a try after a lost answer, creates nothing more.

import { newKey } from '@plinth/client'
import { useRef } from 'react'
import { isSame } from './form-values.ts'

/** Returns the key of a body. */
export const useOnceKey = (): ((body: object) => string) => {
  const sent = useRef<{ readonly body: object; readonly key: string } | null>(null)
  return body => {
    if (sent.current === null || !isSame(sent.current.body, body)) sent.current = { body, key: newKey() }
    return sent.current.key
  }
}
