// Preconditions of writes: `If-Match` and `If-None-Match` (RFC 9110, section 13).

import type { StoredRecord } from '../model/record.ts'
import { Problem } from '../problem.ts'
import { entityTag } from './write-answer.ts'

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
