// The columns of a file that is imported, and the fields that they go to.

import { type FileColumn, readColumn } from '../../core/formats/files/columns.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Pause } from '../../core/pauses.ts'
import type { Context } from '../../core/rest/context.ts'

/** `create` refuses records that exist, `update` those that do not, `upsert` none. */
export type ImportMode = 'create' | 'update' | 'upsert'

export interface RowTask {
  readonly resource: Resource
  readonly mode: ImportMode
  /** Names of fields that together tell which record a row is about; without any, every row is a new record. */
  readonly key: readonly string[]
  /** Columns of the file → fields. Columns that are not listed have the names of their fields. */
  readonly mapping: ReadonlyMap<string, string>
}

/** A task under way. */
export interface RowRun extends RowTask {
  /** The column of a header; null when it is left out. Throws for one that does not exist. */
  readonly columnOf: (header: string) => FileColumn | null
  /** Lets others go first. */
  readonly pause: Pause
}

/** Each header is looked up once, and not again for every row. Those of fields that only the service writes are left out. */
export const createColumns = (
  context: Context,
  task: RowTask,
  onIgnored: (column: FileColumn) => void,
): RowRun['columnOf'] => {
  const known = new Map<string, FileColumn | null>()
  return header => {
    const found = known.get(header)
    if (found !== undefined) return found
    const column = columnFor(context, task, header)
    const isIgnored = column !== null && isOwnedByService(column, task)
    if (isIgnored) onIgnored(column)
    known.set(header, isIgnored ? null : column)
    return isIgnored ? null : column
  }
}

/**
 * Says whether the service owns a field. Dates and computed fields do not count: every export has them, and every
 * import sets them.
 */
const isOwnedByService = ({ field: { definition, name } }: FileColumn, { resource, key }: RowTask): boolean =>
  definition.options.serverOwned === true &&
  !(definition.role === 'value' && definition.compute) &&
  Object.hasOwn(resource.definition.fields, name) &&
  !key.includes(name)

/** The column of a header, or problem `bad_request`. The version of a record is not imported: it counts its changes. */
export const columnFor = (
  context: Context,
  { resource, mapping }: Pick<RowTask, 'resource' | 'mapping'>,
  header: string,
): FileColumn | null => {
  const field = mapping.get(header) ?? header
  return field === 'version' || field === '' ? null : readColumn(fieldsFor(context, resource), header, field)
}

/** What the caller may not read nor write behaves as if it did not exist. */
const fieldsFor = ({ visibility, platform, caller }: Context, resource: Resource) => {
  const visible = visibility.view(resource).fields
  const fields = new Map(
    [...resource.fields].filter(([name, field]) => visible.has(name) || platform.access.mayWrite(field, caller)),
  )
  return { resource, fields, fieldsOf: (target: Resource) => visibility.view(target).fields }
}
