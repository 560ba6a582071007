// Parts of a file: `Range` and `If-Range` (RFC 9110, section 14).

import type { Request } from '../http/exchange.ts'
import { Problem } from '../problem.ts'
import type { Headers } from './answer.ts'
import { isUnchanged } from './etags.ts'

/** Offsets in bytes, both included. */
export interface Part {
  readonly first: number
  readonly last: number
}

interface RangedContent {
  readonly size: number
  readonly etag?: string | undefined
}

/**
 * The part asked for; null means everything. Several parts at once and units other than bytes count as if nothing was
 * asked, which section 14.2 allows.
 */
export const readRange = ({ method, headers }: Request, { size, etag }: RangedContent): Part | null => {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(headers.range ?? '') ?? []
  if (method !== 'GET' || (from === '' && to === '')) return null
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return null
  if (etag !== undefined && isUnchanged(headers['if-none-match'], etag)) return null
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null
  if (first > last)
    throw new Problem('range_not_satisfiable', {
      detail: `The file has ${size} bytes.`,
      headers: { 'Content-Range': `bytes */${size}` },
    })
  return { first, last }
}

export const rangeHeaders = (part: Part | null, size: number): Headers => ({
  'Accept-Ranges': 'bytes',
  'Content-Length': String(part ? part.last - part.first + 1 : size),
  ...(part && { 'Content-Range': `bytes ${part.first}-${part.last}/${size}` }),
})
