// An update in one statement, on databases whose WITH takes writes: it records what the record was, publishes the change and returns
// the record.

import { changesHistory } from '../../model/history.ts'
import type { StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import { entryCells, recorderFor, updatedSql } from '../history/record-change.ts'
import { imageSql, publisherFor, publishSql } from '../outbox/publish.ts'
import { partSql, quote, tableOf } from './columns.ts'
import type { RecordWrite } from './record-write.ts'
import { refusedWrite } from './refusals.ts'
import { noLinkFilters, selectingWritten } from './selection.ts'
import type { SqlSession } from './session.ts'
import type { QueryShape } from './shape.ts'
import { run, type SelectStatement } from './statement.ts'

interface UpdateParts {
  /** The pk is its first cell; those of the columns follow. */
  readonly shape: QueryShape
  /** The columns that change. */
  readonly columns: readonly string[]
  /** The version that the record must have for anything to be written; null for any. */
  readonly version: number | null
}

/** Returns null when there is no such record, or none of this version. */
export const updateInOne = async (
  session: SqlSession,
  write: RecordWrite,
  { shape, columns, version }: UpdateParts,
): Promise<StoredRecord | null> => {
  const { resource, values, options } = write
  const { statements } = session
  const names = Object.keys(values)
  const versionSlot = version === null ? null : shape.add(version, 'integer')
  const publisher = publisherFor(session, resource)
  publisher?.onPublish()
  const holder = resource.holder
  const showsChange = publisher?.fields(holder).some(({ name }) => values[name] !== undefined) ?? false
  const recorder = changesHistory(resource, names) ? recorderFor(session, resource) : null
  const recorderSlot = shape.cells.length + 1
  if (recorder) shape.cells.push(...recorder.cells())
  const linkFilters = options?.linkFilters ?? noLinkFilters
  const selected = statements.selectedOf(resource)
  const linkFiltersKey = shape.linkFilters(linkFilters, selected.filtered)
  const parts = [versionSlot && 'version', showsChange && 'was', recorder && 'recorded', publisher && 'published']
  const key = `update ${resource.name} ${columns.join()} ${parts.filter(Boolean).join()} ${linkFiltersKey}`
  const statement = statements.of<SelectStatement>(key, () => {
    const { dialect } = shape
    const select = selectingWritten({ resource, selected, shape, linkFilters })
    const was = showsChange && publisher ? imageSql(publisher, holder, 'o') : undefined
    const changes = [
      `o AS (${currentSql(resource, shape, versionSlot)})`,
      `b AS (${changeSql(resource, shape, columns)})`,
      ...(publisher
        ? [`published AS (${publishSql(publisher, { resource, type: 'updated', from: 'b, o', ...(was && { was }) })})`]
        : []),
      ...(recorder
        ? [`recorded AS (${updatedSql(resource, dialect, { from: 'o, b', entry: entryCells(dialect, recorderSlot) })})`]
        : []),
    ]
    return { ...select, sql: `WITH ${changes.join(', ')} ${select.sql}` }
  })
  const [row] = await run(session.connection, statement, shape.cells, { isLast: options?.isLast }).catch(
    async error => {
      throw await refusedWrite(session, write, error)
    },
  )
  return row ? statement.decode(row) : null
}

/** The row as it is before the change, locked: others may be changing it. */
const currentSql = (resource: Resource, { dialect }: QueryShape, versionSlot: number | null): string => {
  const isVersion = versionSlot === null ? '' : ` AND "version" = ${dialect.placeholder(versionSlot)}`
  const which = `"pk" = ${dialect.placeholder(1)}${isVersion} AND ${partSql(resource)}`
  return `SELECT * FROM ${tableOf(resource)} AS r WHERE ${which}${dialect.lock('r')}`
}

const changeSql = (resource: Resource, { dialect }: QueryShape, columns: readonly string[]): string => {
  const sets = columns.map((name, index) => `${quote(name)} = ${dialect.placeholder(index + 2)}`)
  const raised = [...sets, '"version" = o."version" + 1'].join(', ')
  return `UPDATE ${tableOf(resource)} AS r SET ${raised} FROM o WHERE r."pk" = o."pk" RETURNING r.*`
}
