// Records with a `parent` and `children`: the path (the parent's path, a colon, the name) is kept right on rename and move.

import { Problem } from '../problem.ts'
import type { Change, Hooks } from './define.ts'
import { integer, text } from './fields.ts'
import { equals, everything } from './query.ts'
import { changeStamps, type Link, type StoredRecord } from './record.ts'
import type { Resource } from './resource.ts'
import type { Transaction } from './transaction.ts'

/** Members that say where in the tree a record stands. */
export const treeFields = {
  path: text({
    max: 2000,
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

/** For resources with a `name`, and with a `parent` or `children` or both. */
export const treeHooks: Hooks = {
  before: async (change, tx) => {
    if (change.kind === 'delete') return
    const above = await parentOf(change, tx)
    const { name } = { ...change.before, ...change.values }
    change.values.path = above ? `${above.path}: ${name}` : name
    change.values.pathLevel = above ? Number(above.pathLevel) + 1 : 0
  },
  after: async (change, tx) => {
    const { values, before } = change
    if (change.kind !== 'update' || (values.path === before?.path && values.pathLevel === before?.pathLevel)) return
    await renewBelow(tx, change, {
      resource: change.resource,
      pk: change.pk,
      path: String(change.values.path),
      level: Number(change.values.pathLevel),
    })
  },
}

const parentOf = async ({ resource, values, before, pk }: Change, tx: Transaction): Promise<StoredRecord | null> => {
  const target = resource.members.get('parent')?.target
  const parent = values.parent === undefined ? (before?.parent as Link | null | undefined)?.pk : values.parent
  if (!target || typeof parent !== 'string') return null
  // A new record may name itself before it exists.
  if (target === resource && parent === pk) throw circle()
  const above = await tx.lock(target, parent)
  if (target === resource) await mustNotCircle(tx, above, { resource, pk })
  return above
}

const circle = (): Problem => new Problem('conflict', 'A record cannot be its own ancestor.')

/** The way up is locked, so that of two moves that would make a circle together one has to see the other. */
const mustNotCircle = async (
  tx: Transaction,
  from: StoredRecord | null,
  { resource, pk }: { resource: Resource; pk: string },
) => {
  for (let at = from; at; ) {
    if (at.pk === pk) throw circle()
    const above = at.parent as Link | null
    at = above && (await tx.lock(resource, above.pk))
  }
}

interface Node {
  readonly resource: Resource
  readonly pk: string
  readonly path: string
  readonly level: number
}

const renewBelow = async (tx: Transaction, change: Change, node: Node): Promise<void> => {
  const children = node.resource.members.get('children')
  if (!children?.target || !children.inverseOf) return
  const { target: resource } = children
  for await (const batch of tx.stream(resource, everything(resource, equals(children.inverseOf, node.pk)))) {
    for (const { pk, name } of batch) {
      const below = { resource, pk, path: `${node.path}: ${name}`, level: node.level + 1 }
      await tx.update(resource, pk, { path: below.path, pathLevel: below.level, ...changeStamps(resource, change) })
      await renewBelow(tx, change, below)
    }
  }
}
