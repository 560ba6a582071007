import type { Member, Resource } from './resource.ts'

/** About how many rows tables have, as of the last minute or so: for estimates, never for answers that must be right. */
export interface TableSizes {
  records(resource: Resource): number
  /** The pairs of a many-to-many relation, whichever side names it. */
  pairs(links: Member): number
}
