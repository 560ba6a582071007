// The embedded links of records as they were at some moment. The tables of pairs hold the present ones alone.

import { historyFields } from '../../model/history.ts'
import { isColumn } from '../../model/indexes.ts'
import { among, both, everything, type Query, type RecordsAsOf } from '../../model/query.ts'
import type { Link, StoredRecord } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import type { FoundPage } from '../../model/transaction.ts'
import { quote, targetOf } from '../sql/columns.ts'
import { find } from '../sql/find.ts'
import type { SqlSession } from '../sql/session.ts'
import { readsOf } from '../statement-facts.ts'
import { entriesAfter, historyTableOf } from './columns.ts'

interface PastRecords extends Pick<Query, 'linkFilters'> {
  readonly resource: Resource
  readonly records: readonly StoredRecord[]
  readonly source: RecordsAsOf
}

/** A page of records as they were at a moment, with the links that they had then. */
export const findAsOf = async (
  session: SqlSession,
  resource: Resource,
  query: Query & { readonly source: RecordsAsOf },
): Promise<FoundPage> => {
  const page = await find(session, resource, query)
  return { ...page, records: await withPastLinks(session, { ...query, resource, records: page.records }) }
}

/** Records that have changed since get the links of then, as far as the records at their other end are there and visible. */
export const withPastLinks = async (session: SqlSession, past: PastRecords): Promise<readonly StoredRecord[]> => {
  const { resource, records, linkFilters } = past
  const fields = historyFields(resource).filter(field => !isColumn(field))
  if (fields.length === 0 || records.length === 0) return records
  const kept = await readLists(session, past)
  let done = records
  for (const [at, field] of fields.entries()) {
    const target = targetOf(field)
    const pks = [...new Set([...kept.values()].flatMap(lists => lists[at] ?? []))]
    const visible = linkFilters.get(field.name) ?? null
    const isHidden = visible === false || pks.length === 0
    const found = isHidden
      ? []
      : (await find(session, target, everything(target, both(among(target, pks), visible), pks.length))).records
    const links = new Map(found.map(one => [one.pk, toLink(one, target)]))
    done = done.map(record => {
      const list = kept.get(record.pk)?.[at]
      return list ? { ...record, [field.name]: list.flatMap(pk => links.get(pk) ?? []) } : record
    })
  }
  return done
}

const toLink = (record: StoredRecord, { label }: Resource): Link => ({
  pk: record.pk,
  label: label ? ((record[label.name] ?? null) as string | null) : null,
})

/** Reads the lists of records that have changed since: by the pk of the record, a list for each field. */
const readLists = async (
  { statements: { dialect }, connection }: SqlSession,
  { resource, records, source }: PastRecords,
): Promise<ReadonlyMap<string, readonly (readonly string[])[]>> => {
  const fields = historyFields(resource).filter(field => !isColumn(field))
  const history = quote(historyTableOf(resource))
  const [moment, pks] = [dialect.placeholder(1), dialect.placeholder(2)]
  const earlier = `SELECT 1 FROM ${history} AS e WHERE e."pk" = h."pk" AND e."_entry" < h."_entry" AND e."_entry" > ${moment}`
  const sql =
    `SELECT h."pk", ${fields.map(({ name }) => `h.${quote(name)}`).join(', ')} FROM ${history} AS h ` +
    `WHERE ${dialect.among('h."pk"', pks, 'text')} AND h."_entry" > ${moment} AND NOT EXISTS (${earlier})`
  const list = dialect.list(
    records.map(({ pk }) => pk),
    'text',
  )
  const name = historyTableOf(resource)
  const facts = readsOf({ h: name, e: name })
  const rows = await connection.rows(sql, [entriesAfter(source.moment), list], false, { facts })
  const toLists = dialect.decode.json ?? (cell => cell)
  return new Map(
    rows.map(([pk, ...cells]) => [
      String(pk),
      cells.map(cell => ((toLists(cell) ?? []) as [string, null][]).map(([target]) => target)),
    ]),
  )
}
