// Records with a `parent` and `children`: the path (the parent's path, a colon, the name) is kept right on rename and move.

import { fault } from '../fault.ts'
import { Problem } from '../problem.ts'
import { integer, text } from './fields.ts'
import type { AnyHookContexts, Hooks } from './hooks.ts'
import { equals, everything } from './query.ts'
import type { Link, StoredRecord } from './record.ts'
import type { Resource } from './resource.ts'
import type { Transaction } from './transaction.ts'

const maxPath = 2000

/** Fields that tell where in the tree a record is. */
export const treeFields = {
  path: text({
    max: maxPath,
    serverOwned: true,
    about: {
      en: "The names from the root down to this record, joined by ': '.",
      de: 'Die Namen von der obersten Ebene bis zu diesem Datensatz, getrennt durch „: “.',
    },
    title: { de: 'Pfad' },
  }),
  pathLevel: integer({
    serverOwned: true,
    about: { en: 'The number of ancestors.', de: 'Die Anzahl der übergeordneten Datensätze.' },
    title: { de: 'Ebene' },
  }),
}

/** The hooks of resources with a `name`, and with a `parent` or `children` or both. */
export const treeHooks: Hooks = {
  batched: true,
  beforeCreate: context => setPath(context),
  beforeUpdate: context => setPath(context),
  afterUpdate: async context => {
    const { values, before } = context
    const isMoved = values.path !== before.path || values.pathLevel !== before.pathLevel
    if (isMoved) await renewChildren(context)
  },
  // Its ancestors may have been renamed or moved since.
  afterRestore: async ({ resource, pk, record, records }) => {
    const [parent, target] = [linkOf(record, 'parent'), resource.fields.get('parent')?.target]
    const above = parent && target ? await records.tx.get(target, parent.pk) : null
    const path = above ? `${above.path}: ${record.name}` : `${record.name}`
    if (record.path !== path) await records.asService.update(resource.definition, pk, { path })
  },
}

type Placement = AnyHookContexts['beforeCreate' | 'beforeUpdate']

const setPath = async (context: Placement): Promise<void> => {
  const { before, values } = context
  const above = await parentOf(context)
  const { name } = { ...before, ...values }
  values.path = checkedPath(above ? `${above.path}: ${name}` : `${name}`)
  values.pathLevel = above ? Number(above.pathLevel) + 1 : 0
}

const checkedPath = (path: string): string => {
  if (path.length <= maxPath) return path
  throw new Problem('invalid', {
    errors: [{ pointer: '/path', member: 'path', ...fault('max_length', { max: maxPath }) }],
  })
}

const parentOf = async ({ resource, values, before, pk, records: { tx } }: Placement): Promise<StoredRecord | null> => {
  const target = resource.fields.get('parent')?.target
  const parent = values.parent === undefined ? linkOf(before, 'parent')?.pk : values.parent
  if (!target || typeof parent !== 'string') return null
  // A new record may name itself before it exists.
  if (target === resource && parent === pk) throw circle()
  // Many records can be created below one parent at the same time. They have no children, so they close no circle.
  const isNew = before === null
  const above = await tx.lock(target, parent, { shared: isNew })
  if (target === resource && values.parent !== undefined && !isNew) await mustNotCircle(tx, above, { resource, pk })
  return above
}

const linkOf = (record: StoredRecord | null, field: string): Link | null => (record?.[field] ?? null) as Link | null

const circle = (): Problem =>
  new Problem('conflict', {
    en: 'A record cannot be its own ancestor.',
    de: 'Ein Datensatz kann nicht unter sich selbst stehen.',
  })

/** Locks all ancestors, so that of two moves that would make a circle together one has to see the other. */
const mustNotCircle = async (
  tx: Transaction,
  from: StoredRecord | null,
  { resource, pk }: { resource: Resource; pk: string },
) => {
  for (let at = from; at; ) {
    if (at.pk === pk) throw circle()
    const above = linkOf(at, 'parent')
    at = above && (await tx.lock(resource, above.pk))
  }
}

/** The hooks of the children find the rest: their own paths, and the children below. */
const renewChildren = async ({ resource, pk, values, records }: AnyHookContexts['afterUpdate']): Promise<void> => {
  const children = resource.fields.get('children')
  if (!children?.target || !children.inverseOf) return
  const { target } = children
  const pathLevel = Number(values.pathLevel) + 1
  for await (const batch of records.tx.stream(target, everything(target, equals(children.inverseOf, pk))))
    for (const child of batch)
      await records.asService.update(target.definition, child.pk, { path: `${values.path}: ${child.name}`, pathLevel })
}
