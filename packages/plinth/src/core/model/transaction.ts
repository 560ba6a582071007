// What code below the handlers may do with the database. The store implements it; hooks and modules use it.

import type { Aggregation, FoundGroups } from './aggregation.ts'
import type { Caller, Requester, Sender } from './caller.ts'
import type { ResourceModel } from './definition.ts'
import type { HistorySelection, RecordedEntry } from './history.ts'
import type { RecordsNear } from './near.ts'
import type { Filter, LinkFilters, Path, Query, Step } from './query.ts'
import type { StoredRecord, Values } from './record.ts'
import type { Resource, ResourceField } from './resource.ts'
import type { Activity } from './running-code.ts'
import type { FoundSearch, RecordsFound } from './search/found-words.ts'
import type { SearchedField } from './search/search-index.ts'
import type { SimilarSearch, WordSearch } from './search/word-search.ts'
import type { SqlFragment } from './sql.ts'
import type { ShapeFields } from './value-field.ts'

export interface FoundPage {
  readonly records: readonly StoredRecord[]
  /** Is null when the query did not ask for it. */
  readonly total: number | null
  /** The total is an estimate. */
  readonly estimated: boolean
  /** The sort keys' values of the first record, in stored form, when others precede it; null at the start. */
  readonly prev: readonly unknown[] | null
  /** The sort keys' values of the last record, in stored form, when more follow; null at the end. */
  readonly next: readonly unknown[] | null
}

export type KeptRecord = Pick<StoredRecord, 'pk' | 'version'>

/** A statement of the application itself. */
export interface OwnStatement {
  readonly sql: SqlFragment
  /** What it returns. */
  readonly columns: ShapeFields
  /** The resource of a name in the statement. */
  resource(name: string): Resource
}

export type OwnRow = Readonly<Record<string, unknown>>

/** A record, and values that it leads to. */
export interface KeptValues extends KeptRecord {
  readonly values: readonly unknown[]
}

export interface ReadOptions {
  /** The filter that the record must match too. */
  readonly visible?: Filter | null
  readonly linkFilters?: LinkFilters
  /** The present record unless given. */
  readonly source?: Query['source']
  /** The user on whose behalf records are read; absent for reads that the service makes for itself. */
  readonly requester?: Requester | undefined
}

/** Records of another resource that are written with a new record. */
export interface FollowingRecords {
  readonly resource: Resource
  readonly records: readonly NewRecord[]
}

export interface RecordWriteOptions extends ReadOptions {
  /** Nothing follows in the transaction, which may be committed together with the write. */
  readonly isLast?: boolean
}

export interface GetOptions extends ReadOptions {
  /** The unique field whose value the key is; the pk unless given. */
  readonly by?: ResourceField | undefined
}

/** A way through relations that begins at all records that match. */
export interface Along {
  readonly filter: Filter | null
  readonly steps: readonly Step[]
}

export interface CountOptions extends Pick<ReadOptions, 'requester' | 'source'> {
  /** Counting stops there. */
  readonly atMost?: number | undefined
}

export interface PairOptions extends Pick<ReadOptions, 'requester'> {
  /** How many are read or counted at most. */
  readonly limit: number
}

export type Pair = readonly [owner: string, target: string]

export interface Reader {
  /** Returns a resource by its definition, or by its name. */
  resource(which: string | ResourceModel): Resource
  /** The resource that callers know by this name; null when there is none. */
  published(name: string): Resource | null
  /** The record of a key, or null when there is none or the filter hides it. */
  get(resource: Resource, key: string, options?: GetOptions): Promise<StoredRecord | null>
  /** Returns those of the records that have changed or are gone since they were read. */
  changed(resource: Resource, kept: readonly KeptRecord[]): Promise<ReadonlySet<string>>
  /** Of these records, those that are there, each with the values at the end of some to-one paths, in stored form. */
  valuesAlong(resource: Resource, pks: readonly string[], paths: readonly Path[]): Promise<readonly KeptValues[]>
  find(resource: Resource, query: Query): Promise<FoundPage>
  /** Those near a vector, and those that have the words of a search, ranked together. */
  findFused(
    resource: Resource,
    query: Query & { readonly source: RecordsNear },
    words: RecordsFound,
  ): Promise<FoundPage>
  /** What the words of a search stand for: the source of a query for the records that have them. */
  words(resource: Resource, search: WordSearch): Promise<FoundSearch>
  /** The same for the words of a record that others are to be like. */
  similar(resource: Resource, search: SimilarSearch): Promise<FoundSearch>
  /** Texts of related records, by the declared names of the fields, of the records of these pks. */
  searchedTexts(
    resource: Resource,
    pks: readonly string[],
    fields: readonly SearchedField[],
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>
  /** The rows of a statement of the application, in stored form. */
  readOwn(statement: OwnStatement): Promise<readonly OwnRow[]>
  /** The changes of a record, newest first. Records before a change that `visible` hides are null. */
  history(resource: Resource, selection: HistorySelection, options?: ReadOptions): Promise<readonly RecordedEntry[]>
  /** All matching records in order, in batches; the window's limit is the batch size. */
  stream(resource: Resource, query: Query): AsyncIterable<readonly StoredRecord[]>
  /** Groups of records, and what is computed of each. */
  groups(resource: Resource, aggregation: Aggregation): Promise<FoundGroups>
  count(resource: Resource, filter: Filter | null, options?: CountOptions): Promise<number>
  /** Does the trash hold the record, as one that was deleted or that went with another? For resources in `trashedResources`. */
  isInTrash(resource: Resource, pk: string): Promise<boolean>
  /** How many records a way through relations leads to, each as often as it is met. */
  countAlong(resource: Resource, along: Along, options: PairOptions): Promise<number>
  /** The pairs [owner, target] of a to-many relation (inverse or links) for some of its owners, in order. */
  pairs(relation: ResourceField, owners: readonly string[], options: PairOptions): Promise<readonly Pair[]>
}

export interface NewRecord {
  readonly pk: string
  readonly values: Values
}

export interface LockOptions extends ReadOptions {
  /**
   * Lets other transactions lock it as shared too: for those that only need it to stay as it is. What it shows of other records may be as
   * at the first lock.
   */
  readonly shared?: boolean
}

/** How a record is deleted. */
export interface RemoveOptions {
  /** Deletes records for good, without the trash. */
  readonly permanently?: boolean
}

/** What was erased from the history and the trash. */
export interface Erasure {
  /** Entries of the history. */
  readonly entries: number
  /** Records in the trash. */
  readonly trashed: number
  /** Changes and deletions whose author and address were erased. */
  readonly authored: number
}

/** The caller or service that acts, and the time. */
export interface Actor {
  readonly caller: Caller
  /** Is null for what no request asked for. */
  readonly sender: Sender | null
  readonly now: Date
}

/**
 * Writes go to the tables as they are: no rules, no hooks, no computed fields, no defaults, no dates. Use `Records`, which
 * stand on this.
 */
export interface Transaction extends Reader {
  /** Runs a statement of the application that changes rows. */
  writeOwn(statement: OwnStatement): Promise<readonly OwnRow[]>
  readonly by: Actor
  /** Runs the work so that, when it fails, what it wrote is undone and the transaction can go on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** What goes on in it, for messages. */
  readonly activity: Activity
  /** How many writes there were so far; with a resource, those that its records can show: its own, and those of related ones. */
  writes(resource?: Resource): number
  /** The record, locked against other writers until the transaction ends. */
  lock(resource: Resource, pk: string, options?: LockOptions): Promise<StoredRecord | null>
  /** Writes a whole record as it is given. Constraint violations become problems: taken, unprocessable. */
  insert(resource: Resource, pk: string, values: Values, options?: RecordWriteOptions): Promise<StoredRecord>
  /** Writes many whole records in few statements, and reads none of them back. */
  insertAll(resource: Resource, records: readonly NewRecord[]): Promise<void>
  /** Writes a whole record unless one of this pk is there; false when there was. Safe against others who do the same. */
  ensure(resource: Resource, pk: string, values: Values): Promise<boolean>
  /** Writes the given fields, and no others, and raises the version. Null when there is no such record. */
  update(resource: Resource, pk: string, values: Values, options?: RecordWriteOptions): Promise<StoredRecord | null>
  /** Do others refer to the record that would neither go with it nor let go of it? Then `remove` is refused. */
  isReferenced(resource: Resource, pk: string): Promise<boolean>
  /**
   * False when there was none. A record that others still refer to: problem `referenced`. Where the resource has a trash, the record
   * goes there with all that is deleted with it.
   */
  remove(resource: Resource, pk: string, options?: RemoveOptions): Promise<boolean>
  /** Deletes every matching record, or `limit` of them, without the trash; answers how many. */
  removeWhere(resource: Resource, filter: Filter, limit?: number): Promise<number>
  /** Brings a record back from the trash, with all that went with it. False when it is not there; a problem when it cannot be. */
  restore(resource: Resource, pk: string): Promise<boolean>
  /** Deletes a record from the trash, with all that went with it. False when it is not there. */
  purge(resource: Resource, pk: string): Promise<boolean>
  /** Erases what the history and the trash hold of a user, and of all that belongs to the account. */
  eraseTraces(resource: Resource, pk: string): Promise<Erasure>
}

/**
 * The number of rows that tables have, about, as of the last minute or so: for estimates, never for answers that must
 * be right.
 */
export interface TableSizes {
  records(resource: Resource): number
  /** The entries of its history. */
  history(resource: Resource): number
  /** The number of its records in the trash. */
  trash(resource: Resource): number
  /** The pairs of a many-to-many relation, whichever side names it. */
  pairs(links: ResourceField): number
  /** The share of the records that have this value, from 0 to 1; null unless many have it. Null asks for the absence of a value. */
  share(field: ResourceField, value: unknown): number | null
}
