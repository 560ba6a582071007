// Reads of single records that arrive together: one statement finds all of them.

import type { StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import type { Reader } from '../../model/transaction.ts'
import { Batcher } from '../batcher.ts'
import { manyStatement, noLinkFilters } from './selection.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run, type SelectStatement } from './statement.ts'
import { byPk } from './statements.ts'

const limits = { atOnce: 2, most: 100 }

/** Reads records by their pks as `get` does, those that arrive together by one statement. */
export const createPointReads = (session: SqlSession, get: Reader['get']): Reader['get'] => {
  const batchers = new Map<Resource, Batcher<string, StoredRecord | null>>()
  const batcherOf = (resource: Resource): Batcher<string, StoredRecord | null> => {
    let batcher = batchers.get(resource)
    if (!batcher) {
      const readAll = async (pks: readonly string[]) => {
        const [only, second] = pks
        return only !== undefined && second === undefined
          ? [await get(resource, only)]
          : readMany(session, resource, pks)
      }
      batcher = new Batcher({ ...limits, run: readAll })
      batchers.set(resource, batcher)
    }
    return batcher
  }
  return (resource, pk, options = {}) => {
    const { visible, linkFilters, source, by } = options
    const isPlain = !visible && !linkFilters?.size && !source && !by && !pk.includes('\0')
    return isPlain && countsNothing(session, resource) ? batcherOf(resource).add(pk) : get(resource, pk, options)
  }
}

/** What counts other records may take long, and others would wait for it. */
const countsNothing = ({ statements }: SqlSession, resource: Resource): boolean =>
  statements.one.get(resource)?.get(byPk)?.quick === true

const readMany = async (
  { statements, connection }: SqlSession,
  resource: Resource,
  pks: readonly string[],
): Promise<readonly (StoredRecord | null)[]> => {
  const { dialect } = statements
  const statement = statements.of<SelectStatement>(`get many ${resource.name}`, () => {
    const shape = new QueryShape(dialect)
    shape.cells.push(dialect.list(pks, 'text'))
    return manyStatement({ resource, selected: statements.selectedOf(resource), shape, linkFilters: noLinkFilters })
  })
  const rows = await run(connection, statement, [dialect.list(pks, 'text')])
  const found = new Map(rows.map(statement.decode).map(record => [record.pk, record]))
  return pks.map(pk => found.get(pk) ?? null)
}
