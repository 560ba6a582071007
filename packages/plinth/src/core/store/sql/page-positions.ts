// Where numbered pages begin. To find a page far from the start takes a walk through all that come before it; the same page again,
// and the page after it, begin after a record that is known.

import { LRUCache } from 'lru-cache'
import type { Query } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { WriteCounts } from '../write-counts.ts'
import { dependsOnColumns } from './index-use.ts'
import { QueryShape } from './shape.ts'
import type { Statements } from './statements.ts'

/**
 * The milliseconds for which a position lasts. A write of another process may move a page by as many records as it adds
 * or removes.
 */
const positionsLast = 5000

const maxPositions = 1000

interface Position {
  /** The sort keys' values of the record before the page. */
  readonly after: readonly unknown[]
  /** The time when records were skipped to find it, or when the position was found that it follows from. */
  readonly since: number
  readonly version: number
}

export class PagePositions {
  readonly #known = new LRUCache<string, Position>({ max: maxPositions, ttl: positionsLast })
  readonly #versions = new Map<Resource, number>()
  #version = 0

  /** Notes the writes of a transaction that is over, whether or not it was committed. */
  noteWrites(writes: WriteCounts): void {
    if (writes.cascades > 0) this.#version += 1
    for (const holder of writes.byHolder.keys()) this.#versions.set(holder, (this.#versions.get(holder) ?? 0) + 1)
  }

  /** Returns null where the order of the records depends on others. */
  of(statements: Statements, resource: Resource, query: Query): PositionsOfQuery | null {
    const { filter, sort } = query
    if (query.source || !dependsOnColumns(query)) return null
    const shape = new QueryShape(statements.dialect)
    const name = `${resource.name} ${filter ? shape.filter(filter) : ''} ${shape.sort(sort)} ${JSON.stringify(shape.cells)}`
    const version = this.#versionOf(resource)
    return {
      get: offset => {
        const known = this.#known.get(`${name} ${offset}`)
        return known?.version === version && performance.now() - known.since < positionsLast ? known : null
      },
      // What was read before a write does not say where a page begins after it.
      set: (offset, after, since = performance.now()) => {
        if (this.#versionOf(resource) === version) this.#known.set(`${name} ${offset}`, { after, since, version })
      },
    }
  }

  #versionOf(resource: Resource): number {
    return this.#version + (this.#versions.get(resource.holder) ?? 0)
  }
}

interface PositionsOfQuery {
  get(offset: number): Position | null
  set(offset: number, after: readonly unknown[], since?: number): void
}
