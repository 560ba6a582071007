// The key of a creation: the same content keeps it, so that a second press, or a try after a lost answer, creates nothing more.

import { newKey } from '@plinth/client'
import { useRef } from 'react'
import { isSame } from './form-values.ts'

/** Returns the key of the values of a form: what stands beside the files in them distinguishes these. */
export const useOnceKey = (): ((values: object) => string) => {
  const sent = useRef<{ readonly values: object; readonly key: string } | null>(null)
  return values => {
    if (sent.current === null || !isSame(sent.current.values, values)) sent.current = { values, key: newKey() }
    return sent.current.key
  }
}
