// ETags: how they are made, and the headers that compare them, `If-Match` and `If-None-Match` (RFC 9110, sections 8.8.3 and 13).

import { hash } from 'node:crypto'
import type { StoredRecord } from '../model/record.ts'
import { Problem } from '../problem.ts'

/**
 * A strong validator: the version of the record, and a hash of this representation (128 bits), since formats, callers' views and
 * the labels of related records differ under one version. `If-Match` compares the version alone.
 */
export const etagOf = (version: number | string, text: string): string => tagOf(version, digestOf(text))

export const digestOf = (text: string): string => hash('sha256', text, 'hex')

export const tagOf = (version: number | string, digest: string): string => `"${version}-${digest.slice(0, 32)}"`

export const entityTag = /(W\/)?"([^"]*)"/g

/** Does the caller hold this very representation? */
export const isUnchanged = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  for (const [, , tag] of header.matchAll(entityTag)) if (`"${tag}"` === etag) return true
  return false
}

/** Throws 412 unless the record, or its absence, fits `If-Match` and `If-None-Match: *`. */
export const checkPreconditions = (
  headers: { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined },
  record: StoredRecord | null,
): void => {
  const condition = headers['if-match']
  if (condition !== undefined && !matchesVersion(condition, record, 'strongly'))
    throw new Problem('precondition_failed', {
      en: 'The record has changed in the meantime.',
      de: 'Der Datensatz wurde inzwischen geändert.',
    })
  const unwanted = headers['if-none-match']
  if (unwanted !== undefined && matchesVersion(unwanted, record, 'weakly')) {
    throw new Problem('precondition_failed', { en: 'The record already exists.', de: 'Den Datensatz gibt es schon.' })
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
