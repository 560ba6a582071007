// What callers prefer of the answer to a write: `Prefer: return=minimal` or `return=representation` (RFC 7240).

import { splitOutsideQuotes } from '../formats/media-type.ts'
import type { Request } from '../http/exchange.ts'
import type { Headers } from './answer.ts'

type ReturnPreference = 'minimal' | 'representation'

/** Reads the preference `return`; of several the first counts (section 2). */
export const returnPreference = ({ headers: { prefer } }: Pick<Request, 'headers'>): ReturnPreference | null => {
  if (prefer === undefined) return null
  for (const preference of splitOutsideQuotes(prefer.toString(), ',')) {
    const [, value] = /^\s*return\s*=\s*"?(\w+)"?\s*(?:;|$)/i.exec(preference) ?? []
    if (value !== undefined) return value === 'minimal' || value === 'representation' ? value : null
  }
  return null
}

export const applied = (preference: ReturnPreference): Headers => ({ 'Preference-Applied': `return=${preference}` })
