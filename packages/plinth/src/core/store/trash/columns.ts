// The tables of the trash. A deletion moves rows as they are: each resource has a table with the same columns, without constraints.
// What a row was linked to lies in one further table.

import { isColumn } from '../../model/indexes.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { type DeletionField, deletionFields } from '../../model/trash.ts'
import type { TableName } from '../history/columns.ts'
import { foldedColumnOf, isFolded, quote } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The table of a resource's trash, from its name alone. */
export const trashTableOf = ({ name }: Pick<Resource, 'name'>): string => `${name}_trash`

/**
 * Columns beside those of the record: no field has an underscore in its name. `_deletion` names the deletion and begins with its
 * time. `_root` tells the record that was deleted from those that went with it.
 */
export const deletionColumns = ['_deletion', '_root', '_by'] as const

/** The columns of the record, companions included. */
export const recordColumns = (resource: Resource): readonly string[] =>
  [...resource.fields.values()]
    .filter(isColumn)
    .flatMap(field => (isFolded(field) ? [field.name, foldedColumnOf(field)] : [field.name]))

/** Links of deleted records, and references to them that were cleared: (`_deletion`, `field`, `owner`, `target`). */
export const referenceTable = 'trash_references'

/** `films.actors`. */
export const fieldNameOf = ({ owner, name }: ResourceField): string => `${owner.name}.${name}`

/** The field of a stored name, also when it was renamed since; null when there is none any more. */
export const fieldNamed = (resources: readonly Resource[], stored: string): ResourceField | null => {
  const [resource = '', name = ''] = stored.split('.')
  const owner = resources.find(one => one.name === resource || one.definition.renamedFrom === resource)
  if (!owner) return null
  const renamed = [...owner.fields.values()].find(({ definition }) => definition.options.renamedFrom === name)
  return owner.fields.get(name) ?? renamed ?? null
}

const deletionExpressions = (dialect: Dialect): Readonly<Record<DeletionField, string>> => ({
  deletedDate: dialect.timestamp('substr(t."_deletion", 1, 24)'),
  deletedBy: 't."_by"',
})

/** The tables of `trashSource`, by the names that they have there. */
export const trashTables = (resource: Resource): readonly TableName[] => [
  ['t', trashTableOf(resource)],
  ['l', trashTableOf(resource)],
]

/**
 * The deleted records, as a table expression with the columns of the resource: those that were deleted themselves, each as it was
 * when it was last deleted. `by` is the placeholder of who has deleted them; an empty text stands for anyone.
 */
export const trashSource = (resource: Resource, by: string, dialect: Dialect): string => {
  const table = quote(trashTableOf(resource))
  const { deletedDate, deletedBy } = deletionExpressions(dialect)
  const names = recordColumns(resource).filter(name => !deletionFields.some(field => field === name))
  const columns = [
    ...names.map(name => `t.${quote(name)}`),
    `${deletedDate} AS "deletedDate"`,
    `${deletedBy} AS "deletedBy"`,
  ]
  const later = `SELECT 1 FROM ${table} AS l WHERE l."pk" = t."pk" AND l."_root" AND l."_deletion" > t."_deletion"`
  return (
    `(SELECT ${columns.join(', ')} FROM ${table} AS t WHERE t."_root" AND (CAST(${by} AS text) = '' OR t."_by" = ${by}) ` +
    `AND NOT EXISTS (${later}))`
  )
}
