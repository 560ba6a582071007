// Records that come with a rank: a score by words, or a distance.

import { distanceOf } from '../../model/near.ts'
import type { Resource, ResourceField } from '../../model/resource.ts'
import { scoreOf } from '../../model/search/found-words.ts'
import { foundSelect } from '../search/matches.ts'
import type { QueryShape } from '../sql/shape.ts'
import { nearSelect } from './near.ts'

export interface RankedRecords {
  /** The field that the records are ranked by, the last column of the select. */
  readonly rank: ResourceField
  /** Selects whole records, or the pk and the rank alone. */
  select(columns: 'record' | 'key'): string
}

/** Returns null where the records have no rank. */
export const rankedRecordsOf = (
  { source, dialect }: Pick<QueryShape, 'source' | 'dialect'>,
  resource: Resource,
): RankedRecords | null => {
  switch (source?.kind) {
    case 'found':
      return {
        rank: scoreOf(resource),
        select: () => foundSelect({ resource, found: source, dialect }),
      }
    case 'near':
      return { rank: distanceOf(resource), select: columns => nearSelect({ resource, near: source, dialect }, columns) }
    default:
      return null
  }
}
