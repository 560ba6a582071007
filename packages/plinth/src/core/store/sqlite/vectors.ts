// Vectors on SQLite: the numbers of 32 bits one after the other, the lowest byte first, in Base64. A third of their length as JSON.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Distance, distanceBetween, distances, maxVectorSize, type Vector } from '../../model/vectors.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The SQL function that gives the distance of two vectors. */
const distanceFunction = 'plinth_distance'

const numberLength = 4

export const encodeVector = (vector: Vector): string => {
  const bytes = Buffer.alloc(vector.length * numberLength)
  for (const [at, number] of vector.entries()) bytes.writeFloatLE(number, at * numberLength)
  return bytes.toString('base64')
}

/** A place for the numbers of one text, which the next one overwrites: searches read one vector after the other. */
class VectorReader {
  readonly #numbers = new Float32Array(maxVectorSize)
  readonly #bytes = Buffer.from(this.#numbers.buffer)

  read(text: string): Float32Array {
    return this.#numbers.subarray(0, this.#bytes.write(text, 'base64') / numberLength)
  }
}

const reader = new VectorReader()

export const decodeVector = (cell: unknown): Vector | null => (cell === null ? null : [...reader.read(String(cell))])

const isDistance = (name: unknown): name is Distance => distances.some(one => one === name)

export const addDistanceFunction = (database: DatabaseSyncInstance): void => {
  const wanted = new VectorReader()
  let known: string | null = null
  let numbers: Float32Array = new Float32Array(0)
  database.function(distanceFunction, { deterministic: true }, (text: unknown, near: unknown, distance: unknown) => {
    if (typeof text !== 'string' || typeof near !== 'string' || !isDistance(distance)) return null
    // All rows of a search are compared with the same vector.
    if (known !== near) [known, numbers] = [near, wanted.read(near)]
    return distanceBetween(reader.read(text), numbers, distance)
  })
}

export const distanceSql: Dialect['distance'] = (expression, vector, distance) =>
  `${distanceFunction}(${expression}, ${vector}, '${distance}')`
