// ETags, preconditions and ranges (RFC 9110, sections 13 and 14).

import { hash } from 'node:crypto'
import type { Request } from '../http/exchange.ts'
import type { StoredRecord } from '../model/record.ts'
import { Problem } from '../problem.ts'
import type { Headers } from './answer.ts'

/**
 * A strong validator: the version of the record, and a hash of this representation (128 bits), since formats, callers' views and
 * the labels of related records differ under one version. `If-Match` compares the version alone.
 */
export const etagOf = (version: number | string, text: string): string =>
  `"${version}-${hash('sha256', text, 'hex').slice(0, 32)}"`

const entityTag = /(W\/)?"([^"]*)"/g

/** Throws 412 unless the record, or its absence, fits `If-Match` and `If-None-Match: *`. */
export const checkPreconditions = (
  headers: { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined },
  record: StoredRecord | null,
): void => {
  const wanted = headers['if-match']
  if (wanted !== undefined && !matchesVersion(wanted, record, 'strongly'))
    throw new Problem('precondition_failed', 'The record has changed in the meantime.')
  const unwanted = headers['if-none-match']
  if (unwanted !== undefined && matchesVersion(unwanted, record, 'weakly')) {
    throw new Problem('precondition_failed', 'The record already exists.')
  }
}

/** `If-Match` compares strongly, so that a weak tag never fits; `If-None-Match` compares weakly (section 8.8.3.2). */
const matchesVersion = (header: string, record: StoredRecord | null, how: 'strongly' | 'weakly'): boolean => {
  if (!record) return false
  if (header.trim() === '*') return true
  for (const [, weak, tag = ''] of header.matchAll(entityTag)) {
    if ((how === 'weakly' || !weak) && tag.split('-')[0] === String(record.version)) return true
  }
  return false
}

/** Does the caller hold this very representation? */
export const isUnchanged = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  for (const [, , tag] of header.matchAll(entityTag)) if (`"${tag}"` === etag) return true
  return false
}

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
