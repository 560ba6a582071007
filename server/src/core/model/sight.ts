import type { Filter } from './query.ts'
import type { Resource } from './resource.ts'
import type { View } from './view.ts'

/**
 * Everything that one caller may see. Asked wherever a search, a relation or an include leaves one resource for
 * another, so that no way of reading shows more than reading the record itself would.
 */
export interface Sight {
  /** All records, none of them, or those that match. */
  records(resource: Resource): boolean | Filter
  /** The members that the caller may read. Others behave as if they did not exist. */
  view(resource: Resource): View
}
