// Triggers that mark the records whose index has words of a related record, when that changes: whatever writes it, be it a cascade of the
// database or a statement of the application.

import { sha256Of } from '../../digest.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { searchIndexOf } from '../../model/search/search-index.ts'
import { holdingOf, linkTableOf, quote, recordTableOf, targetOf } from '../sql/columns.ts'
import type { MarkTrigger } from './tables.ts'

/** All such triggers have names that begin like this. */
export const markPrefix = 'plinth_mark_'

/** The triggers of an index, if it has words of related records. */
export const markTriggersOf = (resource: Resource): readonly MarkTrigger[] => {
  const index = searchIndexOf(resource)
  if (!index) return []
  const prefix = `${markPrefix}${sha256Of(resource.name).slice(0, 12)}_`
  return index.relations
    .flatMap((via, at) => {
      const texts = index.fields.filter(one => one.via === via).map(({ field }) => field.name)
      return triggersFor(resource, via, { path: at + 1, texts })
    })
    .map((trigger, at) => ({ ...trigger, name: `${prefix}${at}` }))
}

interface SearchedRelation {
  readonly path: number
  /** The columns of the related records. */
  readonly texts: readonly string[]
}

const triggersFor = (
  resource: Resource,
  via: ResourceField,
  { path, texts }: SearchedRelation,
): readonly Omit<MarkTrigger, 'name'>[] => {
  const target = targetOf(via)
  const related = recordTableOf(target)
  // Records of a part of a table may come to another part.
  const { storedIn } = target.definition
  const columns = storedIn ? [...texts, storedIn.where.field] : texts
  const newPk = `new.${quote('pk')}`
  const updated = { table: related, event: 'UPDATE', changed: columns, marked: [[path, newPk]] } as const
  if (via.definition.role === 'one') {
    const referring = { table: recordTableOf(resource), event: 'UPDATE', changed: [via.name] } as const
    return [updated, { ...referring, marked: [[0, newPk]] }]
  }
  const holding = holdingOf(via)
  if (holding.kind === 'pairs') {
    const table = linkTableOf(holding.links)
    return [
      updated,
      { table, event: 'INSERT', changed: [], marked: [[0, `new.${holding.near}`]] },
      { table, event: 'DELETE', changed: [], marked: [[0, `old.${holding.near}`]] },
    ]
  }
  const by = quote(holding.by.name)
  const [before, after] = [`old.${by}`, `new.${by}`]
  const changed = [...columns, holding.by.name]
  return [
    { table: related, event: 'INSERT', changed: [], marked: [[0, after]] },
    { table: related, event: 'DELETE', changed: [], marked: [[0, before]] },
    ...[before, after].map(pk => ({ table: related, event: 'UPDATE', changed, marked: [[0, pk]] }) as const),
  ]
}

/** What triggers run, in the SQL of both databases. */
export const insertMarks = (marked: MarkTrigger['marked'], into: string): string =>
  marked
    .map(([path, pk]) => `INSERT INTO ${quote(into)} ("path", "pk") SELECT ${path}, ${pk} WHERE ${pk} IS NOT NULL;`)
    .join(' ')

/** The condition under which they run. Lists are compared as texts. */
export const whenChanged = (columns: readonly string[]): string =>
  columns.length === 0
    ? ''
    : `WHEN (${columns.map(name => `CAST(old.${quote(name)} AS text) IS DISTINCT FROM CAST(new.${quote(name)} AS text)`).join(' OR ')})`
