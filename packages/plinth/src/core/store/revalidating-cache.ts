// A cache for rows that nearly every request begins with. A cached row is revalidated by its version before each use: with one
// statement for all requests that arrive together or while the database answers, sent only after they have arrived. So a change
// takes effect on the next request, on every instance. Labels of other records do not belong here: they may change while the
// version of the row stays.

import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { ResourceDefinition } from '../model/define.ts'
import type { Path } from '../model/query.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { Row } from '../model/row.ts'
import type { KeptValues } from '../model/transaction.ts'
import type { Store } from './store.ts'

const capacity = 10_000

interface CacheSource {
  readonly store: Store
  readonly beside?: ValuesBeside
}

const nothingKept: readonly KeptValues[] = []

interface CachedValue<T> {
  readonly value: T
  isStillValid(): Promise<boolean>
}

/** Values beside the row that `toValue` also gets: those at the end of to-one paths from it. A change of any of them counts as one of the row. */
export interface ValuesBeside {
  /** Asked for at each read, since rules that need them may be compiled later. */
  paths(): readonly Path[]
}

const nothingBeside: ValuesBeside = { paths: () => [] }

interface CachedRow<T> {
  readonly pk: string
  readonly version: number
  readonly beside: readonly unknown[]
  readonly value: T
  /** The generation of the store when the row was last seen to be the same. */
  generation: number | null
}

interface Revalidation<T> {
  readonly rows: Set<CachedRow<T>>
  readonly changed: Promise<ReadonlySet<string>>
}

const none: ReadonlySet<string> = new Set()

export class RevalidatingCache<T> {
  readonly #store: Store
  readonly #resource: Resource
  readonly #toValue: (row: StoredRecord, beside: readonly unknown[]) => T
  readonly #beside: ValuesBeside
  // By size: `max` would allocate room for all of them at the start.
  readonly #rows = new LRUCache<string, CachedRow<T>>({ maxSize: capacity, sizeCalculation: () => 1 })
  /** Takes further rows until its statement is sent. */
  #next: Revalidation<T> | null = null
  #running: Promise<unknown> = Promise.resolve()

  private constructor(
    { store, beside = nothingBeside }: CacheSource,
    resource: Resource,
    toValue: (row: StoredRecord, beside: readonly unknown[]) => T,
  ) {
    this.#store = store
    this.#resource = resource
    this.#toValue = toValue
    this.#beside = beside
  }

  /** `toValue` is computed once for each version of a row. */
  static of<D extends ResourceDefinition, T>(
    source: CacheSource,
    definition: D,
    toValue: (row: Row<D>, beside: readonly unknown[]) => T,
  ) {
    const resource = source.store.resource(definition)
    return new RevalidatingCache<T>(source, resource, (row, beside) => toValue(row as Row<D>, beside))
  }

  /** The present value; null when there is no such row. */
  async read(pk: string): Promise<T | null> {
    // `peek` of the LRU cache: to read a row again from time to time is cheaper than to record every use.
    const cached = this.#rows.peek(pk)
    return !cached || (await this.#revalidate(cached)).has(pk) ? this.#load(pk) : cached.value
  }

  /** The cached value, before it is revalidated; null when there is none, or when the database answers as quickly. */
  peek(pk: string): CachedValue<T> | null {
    const cached = this.#store.isEmbedded ? undefined : this.#rows.peek(pk)
    return cached ? { value: cached.value, isStillValid: async () => !(await this.#revalidate(cached)).has(pk) } : null
  }

  async #load(pk: string): Promise<T | null> {
    const generation = this.#store.generation()
    const paths = this.#beside.paths()
    const [row, kept] = await Promise.all([
      this.#store.get(this.#resource, pk),
      paths.length === 0 ? nothingKept : this.#store.valuesAlong(this.#resource, [pk], paths),
    ])
    if (!row) {
      this.#rows.delete(pk)
      return null
    }
    const beside = kept[0]?.values ?? []
    const value = this.#toValue(row, beside)
    this.#rows.set(pk, { pk, version: row.version, beside, value, generation })
    return value
  }

  /** The pks among the rows revalidated together that have changed. */
  #revalidate(cached: CachedRow<T>): Promise<ReadonlySet<string>> {
    if (!this.#next) {
      const rows = new Set<CachedRow<T>>()
      const changed = this.#findChanged(rows, this.#running)
      this.#running = changed.catch(() => {})
      this.#next = { rows, changed }
    }
    this.#next.rows.add(cached)
    return this.#next.changed
  }

  async #findChanged(rows: ReadonlySet<CachedRow<T>>, before: Promise<unknown>): Promise<ReadonlySet<string>> {
    // Where a statement is a journey to another process, all requests of this turn of the event loop share it.
    const allArrived = this.#store.isEmbedded ? process.nextTick : setImmediate
    await new Promise<void>(resolve => allArrived(resolve))
    await before
    this.#next = null
    // Before the statement: what is committed after this is seen at the next look, if not now.
    const generation = this.#store.generation()
    const unsure = [...rows].filter(one => generation === null || one.generation !== generation)
    if (unsure.length === 0) return none
    const paths = this.#beside.paths()
    const changed = await (paths.length === 0
      ? this.#store.changed(this.#resource, unsure)
      : this.#changedBeside(unsure, paths))
    for (const one of unsure) {
      if (!changed.has(one.pk)) one.generation = generation
      else if (this.#rows.peek(one.pk) === one) this.#rows.delete(one.pk)
    }
    return changed
  }

  /** Reads the versions of the rows with the values beside them, by one statement as well. */
  async #changedBeside(rows: readonly CachedRow<T>[], paths: readonly Path[]): Promise<ReadonlySet<string>> {
    const pks = rows.map(({ pk }) => pk)
    const present = new Map((await this.#store.valuesAlong(this.#resource, pks, paths)).map(one => [one.pk, one]))
    const isSame = ({ pk, version, beside }: CachedRow<T>): boolean => {
      const now = present.get(pk)
      return now?.version === version && isDeepStrictEqual(now.values, beside)
    }
    return new Set(rows.filter(row => !isSame(row)).map(({ pk }) => pk))
  }
}
