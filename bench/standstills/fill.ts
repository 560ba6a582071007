// Fills the tables of the application, one batch with each request.

import { defineEndpoint, defineShape, integer } from 'plinth'
import type { Platform } from 'plinth/module'
import { pkOf, shapeOf, type TableShape } from './tables.ts'

/** The shape, and which batch of all. */
const fillBody = {
  seed: integer({ required: true }),
  percent: integer({ required: true, about: 'How many records, compared with the usual.' }),
  batch: integer({ required: true }),
}

const filled = defineShape('Filled', { left: integer({ required: true, about: 'Batches that are left.' }) })

const batchSize = 250

type Work = (store: Platform['store']) => Promise<unknown>

const batchesOf = (shape: TableShape): readonly Work[] => [
  ...shape.tables.flatMap(table =>
    Array.from(
      { length: Math.ceil(table.count / batchSize) },
      (_, at): Work =>
        store => {
          const length = Math.min(batchSize, table.count - at * batchSize)
          const records = shape.recordsOf(table, at * batchSize, length)
          return store.transaction(tx => tx.insertAll(tx.resource(table.name), records))
        },
    ),
  ),
  ...Array.from({ length: 20 }, (_, at) => linkSome(shape, at)),
  removeSome,
]

/** Many links of the first tickets, which is also their history. */
const linkSome =
  ({ tables }: TableShape, part: number): Work =>
  store =>
    store.transaction(async tx => {
      const persons = tables.find(({ name }) => name === 'persons')?.count ?? 0
      const watchers = Array.from({ length: Math.min(30, persons) }, (_, at) => pkOf(at))
      for (let at = 1; at <= 10; at++) await tx.update(tx.resource('tickets'), pkOf(10 * part + at), { watchers })
    })

/** Moves some records to the trash. */
const removeSome: Work = store =>
  store.transaction(async tx => {
    const resource = tx.resource('tickets')
    for (let at = 210; at < 240; at++)
      if (!(await tx.isReferenced(resource, pkOf(at)))) await tx.remove(resource, pkOf(at))
  })

export const fillTables = ({ store }: Platform) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/fill',
    id: 'fillTables',
    summary: 'Fill the tables with one batch',
    access: "caller.has('ROLE_ADMIN')",
    body: fillBody,
    answers: { 200: filled },
    run: async ({ body: { seed, percent, batch } }) => {
      const batches = batchesOf(shapeOf(seed, percent / 100))
      await batches[batch]?.(store)
      return { left: batches.length - batch - 1 }
    },
  })
