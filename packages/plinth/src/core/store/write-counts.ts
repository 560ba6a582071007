// How many writes a transaction has made, by the tables that they may have changed.

import type { Resource } from '../model/resource.ts'

/** The writes of a transaction, by the tables that they may have changed. */
export class WriteCounts {
  /** The counts by the resources that hold the tables. */
  readonly byHolder = new Map<Resource, number>()
  /** Writes that may have changed any table. */
  cascades = 0

  note(resource: Resource): void {
    const holder = resource.holder
    this.byHolder.set(holder, (this.byHolder.get(holder) ?? 0) + 1)
  }

  /** The number of writes that may have changed the table of the resource. */
  ofTable(resource: Resource): number {
    return this.cascades + (this.byHolder.get(resource.holder) ?? 0)
  }

  /** All of them, or those of a resource and of those that its fields lead to. */
  count(resource: Resource | undefined): number {
    let count = this.cascades
    for (const [holder, writes] of this.byHolder) if (!resource || shows(resource, holder)) count += writes
    return count
  }
}

const shows = (resource: Resource, holder: Resource): boolean => {
  if (resource.holder === holder) return true
  for (const { target } of resource.fields.values()) if (target && target.holder === holder) return true
  return false
}
