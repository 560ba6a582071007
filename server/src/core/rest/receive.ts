// A body that is read as it arrives is taken in whole before anything is done: only then can it be told from another.

import type { Response } from '../http/exchange.ts'
import { isUnavailable } from '../problem.ts'
import type { Answer } from './answer.ts'
import type { Inside } from './platform.ts'

export interface Received {
  /** The same for the same content, and for no other. */
  readonly digest: string
  /** Does what was asked for, all of it in the transaction; not asked when it was done before. */
  readonly run: (inside: Inside) => Promise<Answer>
  /** What is not needed goes. Asked once it is certain what came of the work, and not at all where that stays unknown. */
  readonly settle: () => Promise<void>
}

export const settling = async (received: Received, work: () => Promise<Response>): Promise<Response> => {
  const response = await work().catch(async error => {
    // A database that goes away in the middle of a commit may have kept everything, or nothing.
    if (!isUnavailable(error)) await received.settle()
    throw error
  })
  await received.settle()
  return response
}
