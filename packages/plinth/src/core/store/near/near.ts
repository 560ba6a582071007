// The SQL of searches for what is near a vector. Every record that matches is looked at, so that the nearest are exactly those.

import { distanceName, type RecordsNear } from '../../model/near.ts'
import type { Resource } from '../../model/resource.ts'
import { vectorTypeOf } from '../../model/vector-fields.ts'
import type { Distance } from '../../model/vectors.ts'
import type { TableName } from '../history/columns.ts'
import { quote, recordTableOf, sourceOf } from '../sql/columns.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { DraftFacts } from '../statement-facts.ts'

const distanceIn = ({ field }: RecordsNear): Distance => vectorTypeOf(field)?.vector.distance ?? 'cosine'

/** All that the text of the statement depends on, but the vector. */
export const nearKey = (near: RecordsNear): string => `near ${near.field.name}`

interface NearParts {
  readonly resource: Resource
  readonly near: RecordsNear
  readonly dialect: Dialect
}

/** A select of the records that have a vector, with `_distance`: whole, or their pks alone. The vector is the first cell. */
export const nearSelect = ({ resource, near, dialect }: NearParts, columns: 'record' | 'key'): string => {
  const column = `p.${quote(near.field.name)}`
  const distance = dialect.distance(column, dialect.placeholder(1), distanceIn(near))
  const selected = columns === 'record' ? 'p.*' : 'p."pk"'
  return `SELECT ${selected}, ${distance} AS ${quote(distanceName)} FROM ${sourceOf(resource)} AS p WHERE ${column} IS NOT NULL`
}

export const nearTables = (resource: Resource): readonly TableName[] => {
  const table = recordTableOf(resource)
  return [['b', table], ['p', table], ...(resource.definition.storedIn ? [[table, table] as const] : [])]
}

/** To read a vector and to add it up, in simple rows: what is done for each, and for each of its numbers. */
const [vectorWork, numberWork] = [3, 0.01]

export const noteDistances = (facts: DraftFacts, { vector }: RecordsNear): void =>
  facts.computes(vectorWork + numberWork * vector.length)
