// `include` and `fields` in code: the rows that a query gives, with the related rows in place of their short form.

import { linkFiltersOf } from '../model/link-filters.ts'
import type { Step } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Reader } from '../model/transaction.ts'
import type { Visibility } from '../model/views.ts'
import { isToMany } from '../query/cost-units.ts'
import { fieldNamed, stepAlong } from './condition.ts'
import { type Allowance, type ByOwner, byPk, type RelatedReads, relatedRecords } from './related.ts'

/** What rows hold, once the types have done their work. */
export interface PlainView {
  readonly include?: readonly string[]
  readonly fields?: readonly string[]
}

interface Inclusion extends Step {
  readonly deeper: readonly Inclusion[]
}

/** The most included records, as many as a process can hold beside its other work. */
const maxIncluded = 100_000

/** Puts the related records into copies of the records, and leaves out the fields that are not chosen. */
export const withView = async (
  records: readonly StoredRecord[],
  view: PlainView,
  {
    resource,
    reader,
    visibility,
  }: { readonly resource: Resource; readonly reader: Reader; readonly visibility: Visibility },
): Promise<readonly StoredRecord[]> => {
  const { include = [], fields } = view
  const tree = toTree(resource, include, visibility)
  const reads = { reader, linkFilters: (target: Resource) => linkFiltersOf(visibility.view(target), visibility) }
  const whole = await expanded(reads, tree, { records, allowance: allowance() })
  return fields ? whole.map(record => chosen(resource, record, fields)) : whole
}

const toTree = (resource: Resource, paths: readonly string[], visibility: Visibility): readonly Inclusion[] => {
  const byName = new Map<string, string[]>()
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.')
    byName.set(name, [...(byName.get(name) ?? []), ...(rest.length > 0 ? [rest.join('.')] : [])])
  }
  return [...byName].map(([name, deeper]) => {
    const step = stepAlong(fieldNamed(resource, name), visibility)
    return { ...step, deeper: toTree(step.target, deeper, visibility) }
  })
}

interface Level {
  readonly records: readonly StoredRecord[]
  readonly allowance: Allowance
}

const expanded = async (
  reads: RelatedReads,
  tree: readonly Inclusion[],
  { records, allowance }: Level,
): Promise<readonly StoredRecord[]> => {
  if (tree.length === 0 || records.length === 0) return records
  const rows = records.map(record => ({ ...record }))
  for (const inclusion of tree) {
    const byOwner = await relatedRecords(reads, inclusion, { records, allowance })
    const related = [...byPk([...byOwner.values()].flat()).values()]
    const deeper = byPk(await expanded(reads, inclusion.deeper, { records: related, allowance }))
    for (const row of rows) Object.assign(row, relationOf(row, inclusion, { byOwner, deeper }))
  }
  return rows
}

/** A related record that may not be read stays in short. */
const relationOf = (
  { pk }: StoredRecord,
  { relation }: Inclusion,
  { byOwner, deeper }: { readonly byOwner: ByOwner; readonly deeper: ReadonlyMap<string, StoredRecord> },
): object => {
  const related = (byOwner.get(pk) ?? []).map(record => deeper.get(record.pk) ?? record)
  if (isToMany(relation)) return { [relation.name]: related }
  return related[0] ? { [relation.name]: related[0] } : {}
}

const chosen = (resource: Resource, record: StoredRecord, fields: readonly string[]): StoredRecord => {
  const names = new Set(['pk', ...fields.map(name => fieldNamed(resource, name).name)])
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name))) as StoredRecord
}

const allowance = (): Allowance => ({
  left: maxIncluded,
  take(count) {
    this.left -= count
    if (this.left < 0) throw new Error(`'include' adds more than ${maxIncluded} records: include fewer relations`)
  },
})
