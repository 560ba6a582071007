// Asks a service whether a password has appeared in leaks, without telling it: the service gets the first digits of a digest, and returns
// the rest of all digests that begin so.

import { createHash } from 'node:crypto'
import type { Logger } from '../../core/log/logger.ts'

/** When there is no answer by then, the password is accepted. */
const deadlineMs = 2000
/** A range has about a thousand digests, of 40 bytes each. */
const mostCharacters = 1_000_000

/** Returns false where it cannot be known: a service that is down must not keep people from their accounts. */
export const hasLeaked = async (password: string, address: string, log: Logger): Promise<boolean> => {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
  try {
    const response = await fetch(new URL(digest.slice(0, 5), address), {
      headers: { 'Add-Padding': 'true' },
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    })
    if (!response.ok || response.body === null) throw new Error(`the answer is ${response.status}`)
    return isListed(await readLimited(response.body), digest.slice(5))
  } catch (error) {
    log.warn({ err: error }, 'a new password could not be compared with leaked ones')
    return false
  }
}

const readLimited = async (body: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body) {
    text += decoder.decode(part, { stream: true })
    if (text.length > mostCharacters) throw new Error('the answer is too long')
  }
  return text
}

/** Lines are `<rest of the digest>:<count>`. A count of 0 is padding. */
const isListed = (range: string, rest: string): boolean =>
  range.split(/\r?\n/).some(line => line.startsWith(`${rest}:`) && !line.endsWith(':0'))
