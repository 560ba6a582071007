// The files that came with a record in one body, as values of its fields.

import type { FaultReason } from '../fault.ts'
import type { RecordInput } from '../formats/format.ts'
import { ValueFault } from '../model/value-fault.ts'

/** The files that came for one field. */
export interface SentFiles {
  /** What a record refers to them by. */
  readonly keys: readonly string[]
  readonly isList: boolean
  /** What is wrong with them, and with which of them. */
  readonly faults: readonly { readonly at: number; readonly reason: FaultReason }[]
}

/** The record with the files that came with it: of a field of one instead of what the record says, of a list after that. */
export const withFiles = (input: RecordInput, files: ReadonlyMap<string, SentFiles>): RecordInput => {
  const fields: Record<string, unknown> = { ...input.fields }
  const refused = new Map<string, ValueFault>()
  for (const [name, { keys, isList, faults }] of files) {
    const sent = fields[name]
    const kept: readonly unknown[] = Array.isArray(sent) ? sent : []
    fields[name] = isList ? [...kept, ...keys] : keys[0]
    if (faults.length === 0) continue
    const placed = faults.map(({ at, reason }) => (isList ? { ...reason, path: `/${kept.length + at}` } : reason))
    refused.set(name, new ValueFault(...placed))
  }
  return { ...input, fields, refused }
}
