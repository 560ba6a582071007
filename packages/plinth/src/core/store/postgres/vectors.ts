// Vectors on PostgreSQL: arrays of numbers of 32 bits, which the type of pgvector can be cast from.

import type { Distance, Vector } from '../../model/vectors.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The text form of an array. */
export const encodeVector = (vector: Vector): string => `{${vector.join(',')}}`

export const decodeVector = (cell: unknown): Vector | null =>
  typeof cell === 'string' ? cell.slice(1, -1).split(',').map(Number).map(Math.fround) : null

/** Of the numbers x of the column and y of the other vector, side by side. */
const formulas: Readonly<Record<Distance, string>> = {
  cosine: '1 - sum(v.x * v.y) / sqrt(sum(v.x * v.x) * sum(v.y * v.y))',
  innerProduct: '-sum(v.x * v.y)',
  euclidean: 'sqrt(sum((v.x - v.y) * (v.x - v.y)))',
}

export const distanceSql: Dialect['distance'] = (expression, vector, distance) =>
  `(SELECT ${formulas[distance]} FROM unnest(${expression}::float8[], ${vector}::float8[]) AS v(x, y))`
