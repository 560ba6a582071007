// One row of a file → one record, through the write path of every other caller.

import { fault } from '../../core/fault.ts'
import {
  type FileColumn,
  noSuchReference,
  readColumn,
  refusal,
  toInput,
  toStored,
} from '../../core/formats/files/columns.ts'
import type { FileRow } from '../../core/formats/files/index.ts'
import type { RecordInput } from '../../core/formats/format.ts'
import { ValueFault } from '../../core/model/field.ts'
import { both, everything, type Filter, toFilter, where } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import type { Context, Inside } from '../../core/rest/platform.ts'
import { createFromInput, prepareMembers, slowMembers, updateFromInput } from '../../core/rest/write-input.ts'

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

/** A task whose columns are read. */
export interface RowRun extends RowTask {
  /** The column of a header; null when it is left out. Throws for one that does not exist. */
  readonly columnOf: (header: string) => FileColumn | null
}

/** Each header is looked up once, and not again for every row. Those of fields that only the service writes are left out. */
export const withColumns = <T extends RowTask>(
  context: Context,
  task: T,
  onIgnored: (column: FileColumn) => void,
): T & RowRun => {
  const known = new Map<string, FileColumn | null>()
  const columnOf = (header: string): FileColumn | null => {
    const found = known.get(header)
    if (found !== undefined) return found
    const column = columnFor(context, task, header)
    const isIgnored = column !== null && isOwnedByService(column, task)
    if (isIgnored) onIgnored(column)
    known.set(header, isIgnored ? null : column)
    return isIgnored ? null : column
  }
  return { ...task, columnOf }
}

/** Not dates and computed fields: every export has them, and every import sets them. */
const isOwnedByService = ({ member: { field, name } }: FileColumn, { resource, key }: RowTask): boolean =>
  field.options.serverOwned === true &&
  !(field.role === 'value' && field.compute) &&
  Object.hasOwn(resource.definition.fields, name) &&
  !key.includes(name)

export type RowOutcome = 'created' | 'changed' | 'unchanged'

/** What slow work makes of cells, such as the hash of a password, by the names of the fields. */
export type PreparedCells = ReadonlyMap<string, unknown>

export interface PreparedRow {
  readonly row: FileRow
  readonly prepared: PreparedCells
}

export const needsPreparation = ({ resource }: RowTask): boolean => slowMembers(resource).length > 0

/** Does the slow work of a row, so that no transaction waits for it. */
export const prepareRow = async (context: Context, row: FileRow, task: RowRun): Promise<PreparedRow> => ({
  row,
  prepared: await prepareMembers(context, task.resource, needsPreparation(task) ? readPlainCells(row, task) : {}),
})

const readPlainCells = ({ cells, cellsAre }: FileRow, task: RowRun): RowContent['members'] => {
  const members: Record<string, unknown> = Object.create(null)
  for (const [header, cell] of Object.entries(cells)) {
    const column = task.columnOf(header)
    if (column && !column.by) members[column.member.name] = inputValueOf(column, cell, cellsAre)
  }
  return members
}

const inputValueOf = ({ member, by }: FileColumn, cell: unknown, cellsAre: FileRow['cellsAre']): unknown =>
  cellsAre === 'text' && isCell(cell) ? toInput(by ?? member, cell) : cell

export const importRow = async (inside: Inside, { row, prepared }: PreparedRow, task: RowRun): Promise<RowOutcome> => {
  const { resource, mode } = task
  if (row.fault !== undefined) throw new Problem('bad_request', row.fault)
  const { pk, members } = await readCells(inside, row, task)
  const existing = task.key.length === 0 ? null : await findExisting(inside, { pk, members }, task)
  if (existing && mode === 'create') throw new Problem('conflict', 'such a record exists')
  if (!existing && mode === 'update') throw new Problem('not_found', 'there is no such record')
  const input = inputOf(pk, members, prepared)
  if (!existing) {
    await createFromInput(inside, { resource, input, given: { pk, by: 'body' } })
    return 'created'
  }
  const updated = await updateFromInput(inside, { resource, pk: existing.pk, input, mode: 'merge' })
  return updated?.changed ? 'changed' : 'unchanged'
}

const inputOf = (pk: string | undefined, members: RowContent['members'], prepared: PreparedCells): RecordInput => ({
  pk,
  members,
  prepared,
  pointer: member => `/${member}`,
  refusesUnknown: false,
})

interface RowContent {
  readonly pk: string | undefined
  readonly members: Readonly<Record<string, unknown>>
}

/** The column of a header, or problem `bad_request`. The version of a record is not imported: it counts its changes. */
export const columnFor = (
  context: Context,
  { resource, mapping }: Pick<RowTask, 'resource' | 'mapping'>,
  header: string,
): FileColumn | null => {
  const field = mapping.get(header) ?? header
  return field === 'version' || field === '' ? null : readColumn(membersFor(context, resource), header, field)
}

/** What the caller may not read nor write behaves as if it did not exist. */
const membersFor = ({ visibility, platform, caller }: Context, resource: Resource) => {
  const visible = visibility.view(resource).members
  const members = new Map(
    [...resource.members].filter(([name, member]) => visible.has(name) || platform.access.mayWrite(member, caller)),
  )
  return { resource, members, fieldsOf: (target: Resource) => visibility.view(target).members }
}

const readCells = async (inside: Inside, { cells, cellsAre }: FileRow, task: RowRun): Promise<RowContent> => {
  let pk: string | undefined
  const members: Record<string, unknown> = Object.create(null)
  for (const [header, cell] of Object.entries(cells)) {
    const column = task.columnOf(header)
    if (!column) continue
    const { member, by } = column
    const value = inputValueOf(column, cell, cellsAre)
    if (member === task.resource.pk) pk = value === null ? undefined : String(value)
    else members[member.name] = by && value !== null ? await findReference(inside, column, value) : value
  }
  return { pk, members }
}

const isCell = (cell: unknown): cell is string | number | boolean => cell !== null && typeof cell !== 'object'

/** The pk of the one record whose field has this value. */
const findReference = async (inside: Inside, { header, member, by }: FileColumn, value: unknown): Promise<string> => {
  const { target } = member
  if (!target || !by) throw noSuchReference(header, target, 0)
  const found = await findSome(inside, target, where(target, { [by.name]: storedOf(header, by, value) }))
  const [first, second] = found
  if (!first || second) throw noSuchReference(header, target, found.length)
  return first.pk
}

const storedOf = (header: string, member: FileColumn['member'], value: unknown): unknown => {
  try {
    return toStored(member, value)
  } catch (error) {
    if (error instanceof ValueFault && error.faults[0]) throw refusal(header, error.faults[0])
    throw error
  }
}

const findExisting = async (
  inside: Inside,
  { pk, members }: RowContent,
  { resource, key }: RowTask,
): Promise<StoredRecord | null> => {
  const values: Record<string, unknown> = {}
  for (const name of key) {
    const member = resource.members.get(name)
    const value = name === resource.pk.name ? pk : members[name]
    if (!member || value === null || value === undefined) throw refusal(name, fault('required'))
    values[name] = storedOf(name, member, value)
  }
  const [first, second] = await findSome(inside, resource, where(resource, values))
  if (second) throw new Problem('conflict', `several records have this ${key.join(', ')}`)
  return first ?? null
}

/** Two at most, of those that the caller may read: enough to see whether there is one. */
const findSome = async (
  { tx, platform, caller }: Inside,
  resource: Resource,
  filter: Filter,
): Promise<readonly StoredRecord[]> => {
  const visible = toFilter(platform.access.permit(resource, 'read', caller))
  return (await tx.find(resource, everything(resource, both(filter, visible), 2))).records
}
