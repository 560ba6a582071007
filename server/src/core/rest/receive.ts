// A body that is read as it arrives is taken in whole before anything is done: only then can it be told from another.

import type { Response } from '../http/exchange.ts'
import type { Answer } from './answer.ts'
import type { Inside } from './platform.ts'

export interface Received {
  /** The same for the same content, and for no other. */
  readonly digest: string
  /** Does what was asked for, all of it in the transaction; not asked when it was done before. */
  readonly run: (inside: Inside) => Promise<Answer>
  /** What is not needed goes, once it is certain what came of it. */
  readonly settle: (isAnswered: boolean) => Promise<void>
}

/** Settles whatever comes of the work. */
export const settling = async (received: Received, work: () => Promise<Response>): Promise<Response> => {
  let isAnswered = false
  try {
    const response = await work()
    isAnswered = true
    return response
  } finally {
    await received.settle(isAnswered)
  }
}
