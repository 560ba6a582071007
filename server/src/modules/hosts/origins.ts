// The origins that hosts stand for, kept in a table of their own: a request with an Origin header looks up one row.

import { uuidv7 } from 'uuidv7'
import { originsOfHost } from '../../core/http/cors.ts'
import { defineResource, type Hooks } from '../../core/model/define.ts'
import { ref, text } from '../../core/model/fields.ts'
import { everything, where } from '../../core/model/query.ts'
import type { StoredRecord, Values } from '../../core/model/record.ts'
import type { Registry } from '../../core/model/registry.ts'
import type { NewRecord, Transaction } from '../../core/model/transaction.ts'
import type { Seed } from '../../core/module.ts'
import type { Store } from '../../core/store/store.ts'

export const hostOrigins = defineResource('hostOrigins', {
  about: 'The origins that hosts stand for.',
  internal: true,
  stamps: 'none',
  fields: {
    origin: text({ required: true, max: 300, indexed: true }),
    host: ref('hosts', { required: true, onDelete: 'cascade' }),
  },
  access: {},
})

/** Asks the database each time, so that a host counts at once, and no longer than it is there, on every instance. */
export const createHostOrigins = (store: Store, registry: Registry): ((origin: string) => Promise<boolean>) => {
  const origins = registry.resource(hostOrigins.name)
  return async origin =>
    (await store.find(origins, everything(origins, where(origins, { origin }), 1))).records.length > 0
}

const rowsFor = (pk: string, { name, aliases }: Values): NewRecord[] => {
  const names = [String(name), ...((aliases as readonly string[] | null) ?? [])]
  const origins = new Set(names.flatMap(originsOfHost))
  return [...origins].map(origin => ({ pk: uuidv7(), values: { origin, host: pk } }))
}

/** Keeps the origins of a host in step with its names. Those of a deleted host go with it. */
export const keepOrigins: Hooks['after'] = async ({ kind, pk, before, values }, tx) => {
  if (kind === 'delete' || (values.name === undefined && values.aliases === undefined)) return
  const origins = tx.resource(hostOrigins.name)
  if (kind === 'update') await tx.removeWhere(origins, where(origins, { host: pk }))
  await tx.insertAll(origins, rowsFor(pk, { ...before, ...values }))
}

/** For databases with hosts from before this table. */
export const originsSeed: Seed = {
  name: 'hosts.origins',
  run: async tx => {
    for await (const batch of tx.stream(tx.resource('hosts'), everything(tx.resource('hosts')))) await addAll(tx, batch)
  },
}

const addAll = (tx: Transaction, hosts: readonly StoredRecord[]): Promise<void> =>
  tx.insertAll(
    tx.resource(hostOrigins.name),
    hosts.flatMap(host => rowsFor(host.pk, host)),
  )
