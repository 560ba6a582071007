// One row of a file → one record, through the write path of every other caller.

import { fault } from '../../core/fault.ts'
import type { FileColumn } from '../../core/formats/files/columns.ts'
import type { FileRow } from '../../core/formats/files/file-format.ts'
import { noSuchReference, refusal, toInput, toStored } from '../../core/formats/files/input-cells.ts'
import type { RecordInput } from '../../core/formats/format.ts'
import { both, everything, type Filter, toFilter, where } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Resource, ResourceField } from '../../core/model/resource.ts'
import { ValueFault } from '../../core/model/value-fault.ts'
import { Problem } from '../../core/problem.ts'
import { type Creation, createRecords, type Updated } from '../../core/records/write.ts'
import type { Context, TransactionContext } from '../../core/rest/context.ts'
import { prepareFields, readNew, slowFields, updateFromInput } from '../../core/rest/write-input.ts'
import type { RowRun, RowTask } from './import-columns.ts'

export type RowOutcome = 'created' | 'changed' | 'unchanged'

/** What slow work makes of cells, such as the hash of a password, by the names of the fields. */
export type PreparedCells = ReadonlyMap<string, unknown>

export interface PreparedRow {
  readonly row: FileRow
  readonly prepared: PreparedCells
}

export const needsPreparation = ({ resource }: RowTask): boolean => slowFields(resource).length > 0

/** Does the slow work of a row, so that no transaction waits for it. */
export const prepareRow = async (context: Context, row: FileRow, task: RowRun): Promise<PreparedRow> => ({
  row,
  prepared: await prepareFields(context, task.resource, needsPreparation(task) ? readPlainCells(row, task) : {}),
})

const readPlainCells = ({ cells, cellsAre }: FileRow, task: RowRun): RowContent['fields'] => {
  const fields: Record<string, unknown> = Object.create(null)
  for (const [header, cell] of Object.entries(cells)) {
    const column = task.columnOf(header)
    if (column && !column.by) fields[column.field.name] = inputValueOf(column, cell, cellsAre)
  }
  return fields
}

const inputValueOf = ({ field, by }: FileColumn, cell: unknown, cellsAre: FileRow['cellsAre']): unknown =>
  cellsAre === 'text' && isCell(cell) ? toInput(by ?? field, cell) : cell

/** One row alone: errors name its fields. */
export const importRow = async (
  transaction: TransactionContext,
  row: PreparedRow,
  task: RowRun,
): Promise<RowOutcome> => {
  const rows = new RowImport(transaction, task)
  const outcome = await rows.add(row)
  await rows.flush()
  return outcome
}

/** Rows that share a transaction, in few statements. When one is refused, the error may not say which. */
export const importRows = async (
  transaction: TransactionContext,
  rows: readonly PreparedRow[],
  task: RowRun,
): Promise<readonly RowOutcome[]> => {
  const importing = new RowImport(transaction, task)
  await importing.findExisting(rows)
  const outcomes: RowOutcome[] = []
  for (const row of rows) {
    outcomes.push(await importing.add(row))
    await task.pause()
  }
  await importing.flush()
  return outcomes
}

/** The new records that are written at once: few enough for one turn of the event loop. */
const maxPending = 50

/** The rows of an import. New records are written together, but before any statement that could see them. */
class RowImport {
  readonly #transaction: TransactionContext
  readonly #task: RowRun
  #pending: Creation[] = []
  /** The rows of new records, by their keys. */
  readonly #new = new Set<unknown>()
  /** Records of the database by their keys: null where there is none. Others are looked up one by one. */
  #existing = new Map<unknown, StoredRecord | null>()
  /** The pks of related records, by column and value. */
  readonly #references = new Map<string, string>()

  constructor(transaction: TransactionContext, task: RowRun) {
    this.#transaction = transaction
    this.#task = task
  }

  /** Looks for the records of all rows at once, where the key is one field of text. */
  async findExisting(rows: readonly PreparedRow[]): Promise<void> {
    const { resource } = this.#task
    const key = this.#onlyKey()
    if (!key || !this.#createsOnlyItself()) return
    const values = new Set(rows.flatMap(({ row }) => keyCellsOf(row, key, this.#task)))
    if (values.size === 0) return
    const filter: Filter = { op: 'in', path: { steps: [], field: key }, values: [...values] }
    const found = await findSome(this.#transaction, { resource, filter, limit: values.size + 1 })
    // Several records have the same key.
    if (new Set(found.map(record => record[key.name])).size < found.length) return
    for (const value of values) this.#existing.set(value, null)
    for (const record of found) this.#existing.set(record[key.name], record)
  }

  async add({ row, prepared }: PreparedRow): Promise<RowOutcome> {
    const { resource, mode, key } = this.#task
    if (row.fault !== undefined) throw new Problem('bad_request', row.fault)
    const content = await this.#readCells(row)
    const { pk, fields } = content
    const input = inputOf(pk, fields, prepared)
    const existing = key.length === 0 ? null : await this.#existingOf(content)
    if (existing && mode === 'create') throw new Problem('conflict', 'such a record exists')
    const updated = existing && (await this.#update(existing.pk, input))
    if (updated) return updated.changed ? 'changed' : 'unchanged'
    if (mode === 'update') throw new Problem('not_found', 'there is no such record')
    this.#pending.push(readNew(this.#transaction, { resource, input, source: { pk, by: 'body' } }))
    if (this.#pending.length >= maxPending) await this.flush()
    return 'created'
  }

  /** Returns null when the record was deleted since it was found. */
  async #update(pk: string, input: RecordInput): Promise<Updated | null> {
    const { resource } = this.#task
    await this.flush()
    const updated = await updateFromInput(this.#transaction, { resource, pk, input, mode: 'merge' })
    // Hooks may have changed other records too.
    if (updated?.changed && !resource.hooks.isEmpty) {
      this.#existing.clear()
      this.#references.clear()
    }
    return updated
  }

  /** Writes the new records. */
  async flush(): Promise<void> {
    const records = this.#pending
    this.#pending = []
    if (records.length > 0) await createRecords(this.#transaction, this.#task.resource, records)
  }

  #onlyKey(): ResourceField | null {
    const { resource, key } = this.#task
    const [name = '', second] = key
    const field = resource.fields.get(name)
    const isText =
      field === resource.pk || (field?.definition.role === 'value' && field.definition.type.column === 'text')
    return field && isText && second === undefined ? field : null
  }

  /** Does creating a record change no other? */
  #createsOnlyItself(): boolean {
    return this.#task.resource.hooks.batched
  }

  async #existingOf(content: RowContent): Promise<StoredRecord | null> {
    const { resource, key } = this.#task
    const values = keyOf(content, this.#task)
    const only = this.#onlyKey()
    const value = only && values[only.name]
    const isNew = this.#new.has(value)
    if (only) this.#new.add(value)
    const known = isNew ? undefined : this.#existing.get(value)
    if (known !== undefined) return known
    await this.flush()
    const [first, second] = await findSome(this.#transaction, { resource, filter: where(resource, values), limit: 2 })
    if (second) throw new Problem('conflict', `several records have this ${key.join(', ')}`)
    return first ?? null
  }

  async #readCells({ cells, cellsAre }: FileRow): Promise<RowContent> {
    const { resource, columnOf } = this.#task
    let pk: string | undefined
    const fields: Record<string, unknown> = Object.create(null)
    for (const [header, cell] of Object.entries(cells)) {
      const column = columnOf(header)
      if (!column) continue
      const { field, by } = column
      const value = inputValueOf(column, cell, cellsAre)
      if (field === resource.pk) pk = value === null ? undefined : String(value)
      else fields[field.name] = by && value !== null ? await this.#referenceOf(column, value) : value
    }
    return { pk, fields }
  }

  /** The pk of the one record whose field has this value. */
  async #referenceOf({ header, field, by }: FileColumn, value: unknown): Promise<string> {
    const { target } = field
    if (!target || !by) throw noSuchReference(header, target, 0)
    const stored = storedOf(header, by, value)
    const key = JSON.stringify([header, stored])
    const known = this.#references.get(key)
    if (known !== undefined) return known
    const isOther = target.holder !== this.#task.resource.holder && this.#createsOnlyItself()
    if (!isOther) await this.flush()
    const filter = where(target, { [by.name]: stored })
    const found = await findSome(this.#transaction, { resource: target, filter, limit: 2 })
    const [first, second] = found
    if (!first || second) throw noSuchReference(header, target, found.length)
    if (isOther) this.#references.set(key, first.pk)
    return first.pk
  }
}

const inputOf = (pk: string | undefined, fields: RowContent['fields'], prepared: PreparedCells): RecordInput => ({
  pk,
  fields,
  prepared,
  pointer: field => `/${field}`,
  refusesUnknown: false,
})

interface RowContent {
  readonly pk: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

const isCell = (cell: unknown): cell is string | number | boolean => cell !== null && typeof cell !== 'object'

const storedOf = (header: string, field: FileColumn['field'], value: unknown): unknown => {
  try {
    return toStored(field, value)
  } catch (error) {
    if (error instanceof ValueFault && error.faults[0]) throw refusal(header, error.faults[0])
    throw error
  }
}

/** The stored values of the fields that identify the record of a row. */
const keyOf = ({ pk, fields }: RowContent, { resource, key }: RowTask): Readonly<Record<string, unknown>> => {
  const values: Record<string, unknown> = {}
  for (const name of key) {
    const field = resource.fields.get(name)
    const value = name === resource.pk.name ? pk : fields[name]
    if (!field || value === null || value === undefined) throw refusal(name, fault('required'))
    values[name] = storedOf(name, field, value)
  }
  return values
}

/** The text that identifies the record of a row; none when it is invalid, which is found when the row is imported. */
const keyCellsOf = ({ cells, cellsAre }: FileRow, key: ResourceField, { columnOf }: RowRun): readonly string[] =>
  Object.entries(cells).flatMap(([header, cell]) => {
    const column = columnOf(header)
    if (column?.field !== key || column.by) return []
    const sent = inputValueOf(column, cell, cellsAre)
    if (sent === null || sent === undefined) return []
    try {
      const value = toStored(key, sent)
      return typeof value === 'string' ? [value] : []
    } catch (error) {
      if (error instanceof ValueFault) return []
      throw error
    }
  })

interface Lookup {
  readonly resource: Resource
  readonly filter: Filter
  readonly limit: number
}

/** Finds some of the records that the caller may read. */
const findSome = async (
  { tx, platform, caller }: TransactionContext,
  { resource, filter, limit }: Lookup,
): Promise<readonly StoredRecord[]> => {
  const visible = toFilter(platform.access.permit(resource, 'read', caller))
  return (await tx.find(resource, everything(resource, both(filter, visible), limit))).records
}
