// Vectors: lists of numbers, as models of texts or pictures give them, and how near two of them are.

/** A list of numbers of 32 bits each, which is how exactly they are kept. */
export type Vector = readonly number[]

/** How far two vectors are from one another: the smaller, the nearer. */
export const distances = ['cosine', 'innerProduct', 'euclidean'] as const
export type Distance = (typeof distances)[number]

/** The most numbers of a vector. */
export const maxVectorSize = 4096

/** What the vectors of a field have in common. */
export interface VectorShape {
  /** How many numbers each has. */
  readonly size: number
  readonly distance: Distance
}

type Numbers = ArrayLike<number>

const product = (left: Numbers, right: Numbers): number => {
  let sum = 0
  for (let at = 0; at < left.length; at++) sum += (left[at] ?? 0) * (right[at] ?? 0)
  return sum
}

const wayBetween = (left: Numbers, right: Numbers): number => {
  let sum = 0
  for (let at = 0; at < left.length; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    sum += difference * difference
  }
  return Math.sqrt(sum)
}

/**
 * The distance of two vectors of the same size: one minus the cosine of the angle between them, the negative inner product, or the length of
 * the way from one to the other. It is summed up in the order of the numbers, as databases do, so that the last digit is the same everywhere.
 */
export const distanceBetween = (left: Numbers, right: Numbers, distance: Distance): number => {
  switch (distance) {
    case 'cosine':
      return 1 - product(left, right) / Math.sqrt(product(left, left) * product(right, right))
    case 'innerProduct':
      return -product(left, right)
    case 'euclidean':
      return wayBetween(left, right)
  }
}
