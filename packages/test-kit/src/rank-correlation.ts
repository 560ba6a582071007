/** Spearman's: 1 when the greater of two first values always has the greater second value, 0 when they have nothing in common. */
export const rankCorrelation = (pairs: readonly (readonly [number, number])[]): number => {
  const [left, right] = [ranksOf(pairs.map(([first]) => first)), ranksOf(pairs.map(([, second]) => second))]
  const mean = (pairs.length - 1) / 2
  const product = (one: readonly number[], other: readonly number[]): number =>
    one.reduce((sum, rank, at) => sum + (rank - mean) * ((other[at] ?? mean) - mean), 0)
  return product(left, right) / Math.sqrt(product(left, left) * product(right, right))
}

/** Returns the ranks; equal values share the mean of their places. */
const ranksOf = (values: readonly number[]): number[] => {
  const sorted = values.toSorted((one, other) => one - other)
  return values.map(value => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2)
}
