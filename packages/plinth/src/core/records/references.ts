// References in a body to records that the caller cannot see are treated as references to nothing.

import { fault } from '../fault.ts'
import { both, everything, type Filter } from '../model/query.ts'
import type { Values } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { type Fault, Problem } from '../problem.ts'
import type { InTransaction, RecordContext } from './context.ts'

/** The references of these values whose targets are not all open to the caller. That a target exists the database checks itself. */
export const guardedReferences = (
  resource: Resource,
  values: Values,
  { visibility, isService }: RecordContext,
): ResourceField[] =>
  isService
    ? []
    : Object.keys(values).flatMap(name => {
        const field = resource.fields.get(name)
        return field?.target && values[name] != null && visibility.records(field.target) !== true ? [field] : []
      })

/** The most links, more than anyone could have sent: such relations are changed from the other side. */
const maxLinks = 100_000

/** The pks at the far side of a to-many relation that the caller can see, and those that stay hidden. */
export const linkedTo = async (
  relation: ResourceField,
  pk: string,
  { tx, visibility }: InTransaction,
): Promise<{ readonly seen: readonly string[]; readonly hidden: readonly string[] }> => {
  const { target } = relation
  if (!target) throw new Error(`${relation.name} is not a relation`)
  const all = (await tx.pairs(relation, [pk], { limit: maxLinks })).map(([, other]) => other)
  const visible = visibility.records(target)
  if (visible === true || all.length === 0) return { seen: all, hidden: [] }
  if (visible === false) return { seen: [], hidden: all }
  const among: Filter = { op: 'in', path: { steps: [], field: target.pk }, values: all }
  const found = await tx.find(target, everything(target, both(among, visible), all.length))
  const seen = new Set(found.records.map(record => record.pk))
  return { seen: [...seen], hidden: all.filter(one => !seen.has(one)) }
}

/** A list of links stands for those that the caller can see: links to hidden records stay as they are. */
export const keepHiddenLinks = async (
  { resource, pk, values }: { readonly resource: Resource; readonly pk: string; readonly values: Values },
  context: InTransaction,
): Promise<void> => {
  for (const field of guardedReferences(resource, values, context)) {
    if (field.definition.role !== 'links') continue
    const { hidden } = await linkedTo(field, pk, context)
    if (hidden.length > 0) values[field.name] = [...(values[field.name] as readonly string[]), ...hidden].sort()
  }
}

export const checkReferences = async (resource: Resource, values: Values, context: InTransaction): Promise<void> => {
  const faults: Fault[] = []
  for (const field of guardedReferences(resource, values, context)) {
    const { target, name } = field
    if (!target) continue
    const seen = context.visibility.records(target)
    const value = values[name]
    for (const pk of Array.isArray(value) ? value : [value]) {
      const found = typeof seen === 'object' && (await context.tx.get(target, String(pk), { visible: seen }))
      if (!found) faults.push({ pointer: `/${name}`, member: name, ...fault('missing', { resource: target.name }) })
    }
  }
  if (faults.length > 0) throw new Problem('unprocessable', { errors: faults })
}
