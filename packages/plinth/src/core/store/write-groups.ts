// Writes that need no transaction around them share a statement when they arrive together, where a journey to the database costs more
// than a write. The statement is a transaction of its own: all are written, or none, and then each is written alone, so that what
// is wrong with one of them is the fault of no other.

import type { StoredRecord, Values } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Actor, FollowingRecords } from '../model/transaction.ts'
import { Batcher } from './batcher.ts'
import type { Cell } from './connection.ts'
import { createRecorder } from './history/recorder.ts'
import type { Dialect } from './sql/dialect.ts'
import type { RecordWrite } from './sql/record-write.ts'
import type { SqlSession } from './sql/session.ts'
import { insertRecord, updateRecord } from './sql/write.ts'
import { type FollowingCells, insertGroup, updateGroup } from './sql/write-group.ts'
import { type ColumnWrite, columnsIn, mustHaveFields, writtenOf } from './sql/written-columns.ts'

const limits = { atOnce: 2, most: 100 }

/** The length of its texts from which a write is sent alone. */
const longWrite = 10_000

/** A write without a transaction around it. */
export interface SingleWrite extends RecordWrite {
  /** The version that the record must have; absent for a new record. */
  readonly version?: number
  readonly following?: readonly FollowingRecords[]
}

interface WriteOf {
  readonly write: SingleWrite
  readonly by: Actor
}

/** The cells are made before others can wait for it. */
interface WaitingWrite extends WriteOf {
  readonly cells: readonly Cell[]
  readonly following: readonly FollowingCells[]
}

/** Runs one statement without a transaction around it, which writes these resources. */
export type WriteAlone = <T>(
  by: Actor,
  resources: readonly Resource[],
  write: (session: SqlSession) => Promise<T>,
) => Promise<T>

type Written = StoredRecord | null

type Kind = 'insert' | 'update'

interface WriteGroupsOptions {
  readonly alone: WriteAlone
  /** Inserts in a transaction, which waits for locks of others as long as it may. */
  readonly insertInTransaction: (one: WriteOf) => Promise<StoredRecord>
  readonly dialect: Dialect
  readonly clock: () => Date
}

export class WriteGroups {
  readonly #options: WriteGroupsOptions
  readonly #batchers = new Map<string, Batcher<WaitingWrite, Written>>()

  constructor(options: WriteGroupsOptions) {
    this.#options = options
  }

  async insert(one: WriteOf): Promise<StoredRecord> {
    const { write } = one
    const record = await this.#add('insert', one, writtenOf(write.resource).columns)
    if (!record) throw new Error(`${write.resource.name} '${write.pk}' was written and could not be read`)
    return record
  }

  update(one: WriteOf): Promise<Written> {
    return this.#add('update', one, columnsIn(one.write))
  }

  async #add(kind: Kind, one: WriteOf, columns: readonly ColumnWrite[]): Promise<Written> {
    const { resource, values, options } = one.write
    mustHaveFields(resource, values)
    const write = { ...one, cells: this.#cellsOf(columns, values), following: this.#followingOf(one.write) }
    if (options?.linkFilters?.size || lengthOf(write.cells) > longWrite) return this.#writeAlone(kind, write)
    const key = [kind, resource.name, ...columns.map(({ name }) => name)].join(' ')
    let batcher = this.#batchers.get(key)
    if (!batcher) {
      batcher = new Batcher({ ...limits, run: all => this.#write(kind, all) })
      this.#batchers.set(key, batcher)
    }
    try {
      return await batcher.add(write)
    } finally {
      if (batcher.isIdle) this.#batchers.delete(key)
    }
  }

  async #write(kind: Kind, all: readonly WaitingWrite[]): Promise<readonly (Written | Promise<Written>)[]> {
    const [first, ...others] = all
    if (!first) return []
    if (others.length === 0) return [await this.#writeAlone(kind, first)]
    // One statement writes a record once.
    const byPk = new Map<string, WaitingWrite>()
    for (const one of all) if (!byPk.has(one.write.pk)) byPk.set(one.write.pk, one)
    try {
      const written = await this.#writeTogether(kind, first, [...byPk.values()])
      return all.map(one =>
        byPk.get(one.write.pk) === one ? (written.get(one.write.pk) ?? null) : this.#writeAlone(kind, one),
      )
    } catch (error) {
      if (!this.#options.dialect.isUndone(error)) throw error
      return all.map(one => this.#writeAlone(kind, one))
    }
  }

  #cellsOf(columns: readonly ColumnWrite[], values: Values): readonly Cell[] {
    return columns.map(({ read, type }) => this.#options.dialect.cell(read(values), type))
  }

  #followingOf({ following = [] }: SingleWrite): readonly FollowingCells[] {
    return following.map(({ resource, records }) => {
      const { columns } = writtenOf(resource)
      for (const { values } of records) mustHaveFields(resource, values)
      return { resource, rows: records.map(({ pk, values }) => [pk, ...this.#cellsOf(columns, values)]) }
    })
  }

  #writeTogether(
    kind: Kind,
    { by, write: { resource }, following }: WaitingWrite,
    group: readonly WaitingWrite[],
  ): Promise<ReadonlyMap<string, StoredRecord>> {
    const { alone, clock } = this.#options
    const writes = group.map(one => ({ ...one, recorder: createRecorder(one.by, clock) }))
    return alone(by, [resource, ...following.map(rows => rows.resource)], session =>
      (kind === 'insert' ? insertGroup : updateGroup)(session, resource, writes),
    )
  }

  async #writeAlone(kind: Kind, one: WaitingWrite): Promise<Written> {
    const [{ alone, dialect, insertInTransaction }, { write, by, following }] = [this.#options, one]
    try {
      if (following.length > 0) return (await this.#writeTogether(kind, one, [one])).get(write.pk) ?? null
      return await alone(by, [write.resource], session =>
        (kind === 'insert' ? insertRecord : updateRecord)(session, write),
      )
    } catch (error) {
      if (!dialect.isHeld(error)) throw error
      return kind === 'insert' ? insertInTransaction(one) : null
    }
  }
}

const lengthOf = (cells: readonly Cell[]): number =>
  cells.reduce<number>((length, cell) => length + (typeof cell === 'string' ? cell.length : 0), 0)
