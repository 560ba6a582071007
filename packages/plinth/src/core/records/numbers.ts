// The numbers of new records. The counter of a sequence is a row that is locked until the transaction ends: a creation that fails gives
// its number back, and no other instance can take the same.

import { sha256Of } from '../digest.ts'
import { defineResource } from '../model/define.ts'
import { integer, text } from '../model/fields.ts'
import { assigned } from '../model/identifier.ts'
import { type NumberField, numberFields } from '../model/number-fields.ts'
import { type GroupedNumber, readNumber, writeNumber } from '../model/numbering.ts'
import { everything, where } from '../model/query.ts'
import type { Values } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Transaction } from '../model/transaction.ts'
import { valuesOf } from './complete.ts'

export const sequenceCounters = defineResource('sequenceCounters', {
  about: 'The last numbers of sequences.',
  identifier: assigned(/^[0-9a-f]{64}$/, 64),
  internal: true,
  stamps: 'none',
  fields: {
    /** Resource and field, such as `tickets.number`. */
    sequence: text({ required: true }),
    /** The year, where numbers begin again each year. */
    numberGroup: text(),
    last: integer({ required: true }),
  },
  access: {},
})

/** The records that a counter counts. */
interface Counted {
  readonly resource: Resource
  readonly field: NumberField
  /** The value of the field `per`. */
  readonly per: unknown
  readonly group: string
}

interface Counter {
  readonly stored: number
  last: number
}

/**
 * Numbers for the new records of one statement, in their order. Values that code gives stay as they are; the sequence goes on behind
 * them.
 */
export const assignNumbers = async (
  tx: Transaction,
  resource: Resource,
  { records, now }: { readonly records: readonly Values[]; readonly now: Date },
): Promise<void> => {
  const fields = numberFields(resource)
  if (fields.length === 0) return
  const counters = new Map<string, Counter>()
  for (const values of records)
    for (const field of fields) {
      const { name, numbering } = field
      const { per, format } = numbering
      const isGiven = (values[name] ?? null) !== null
      const ownNumber = isGiven ? readNumber(numbering, values[name]) : null
      if (isGiven && !ownNumber) continue
      const group = ownNumber?.group ?? format?.groupAt(now) ?? ''
      const counted = { resource, field, per: per === undefined ? null : (values[per] ?? null), group }
      const pk = pkOf(counted)
      const counter = counters.get(pk) ?? (await holdCounter(tx, pk, counted))
      counters.set(pk, counter)
      const number: GroupedNumber = ownNumber ?? { group, number: counter.last + 1 }
      counter.last = Math.max(counter.last, number.number)
      if (!ownNumber) values[name] = writeNumber(numbering, number)
    }
  const table = tx.resource(sequenceCounters)
  for (const [pk, { stored, last }] of counters) if (last !== stored) await tx.update(table, pk, { last })
}

const pkOf = ({ resource, field, per, group }: Counted): string =>
  sha256Of(JSON.stringify([resource.name, field.name, per, group]))

/** Locks the counter. A new one goes on behind the numbers that there are, such as those of a renamed field. */
const holdCounter = async (tx: Transaction, pk: string, counted: Counted): Promise<Counter> => {
  const table = tx.resource(sequenceCounters)
  let row = await tx.lock(table, pk)
  while (!row) {
    const { resource, field, group } = counted
    const last = await lastNumber(tx, counted)
    await tx.ensure(table, pk, { sequence: `${resource.name}.${field.name}`, numberGroup: group, last })
    row = await tx.lock(table, pk)
  }
  const last = Number(row.last)
  return { stored: last, last }
}

const lastNumber = async (tx: Transaction, { resource, field, per, group }: Counted): Promise<number> => {
  const { name, numbering } = field
  const filter = numbering.per === undefined ? null : where(resource, { [numbering.per]: per })
  let last = numbering.start - 1
  for await (const records of tx.stream(resource, everything(resource, filter)))
    for (const record of records) {
      const found = readNumber(numbering, record[name])
      if (found?.group === group) last = Math.max(last, found.number)
    }
  return last
}

/** The next records without a number are looked for in each batch, so these are large. */
const numberedAtOnce = 2000

/** Numbers some of the records that exist, in the order of their creation. Null when all are numbered. */
export const numberRecords = async (tx: Transaction, resource: Resource, name: string): Promise<string | null> => {
  const created = resource.fields.get('createdDate')
  const sort = [...(created ? [created] : []), resource.pk].map(field => ({
    path: { steps: [], field },
    descending: false,
  }))
  const missing = { ...everything(resource, where(resource, { [name]: null }), numberedAtOnce), sort }
  const { records } = await tx.find(resource, missing)
  for (const record of records) {
    const values = valuesOf(resource, record)
    await assignNumbers(tx, resource, { records: [values], now: new Date(String(record.createdDate ?? tx.by.now)) })
    await tx.update(resource, record.pk, { [name]: values[name] })
  }
  return records.length < numberedAtOnce ? null : (records.at(-1)?.pk ?? null)
}
