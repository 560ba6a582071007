// Sets of documents as numbers in rising order: what they have in common, and what they are together.

/** The documents that are in both. */
export const intersection = (left: Uint32Array, right: Uint32Array): Uint32Array => {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left]
  const found = new Uint32Array(few.length)
  let [size, from] = [0, 0]
  for (const doc of few) {
    from = placeOf(many, doc, from)
    if (many[from] === doc) found[size++] = doc
  }
  return found.subarray(0, size)
}

/** The documents of the first that are not in the second. */
export const difference = (all: Uint32Array, without: Uint32Array): Uint32Array => {
  const left = new Uint32Array(all.length)
  let [size, from] = [0, 0]
  for (const doc of all) {
    from = placeOf(without, doc, from)
    if (without[from] !== doc) left[size++] = doc
  }
  return left.subarray(0, size)
}

/** The documents that are in one of them: two by two, so that none is looked at often. */
export const union = (sets: readonly Uint32Array[]): Uint32Array => {
  const [first, second] = sets
  if (!first) return new Uint32Array(0)
  if (!second) return first
  const half = sets.length >> 1
  return merged(union(sets.slice(0, half)), union(sets.slice(half)))
}

const merged = (left: Uint32Array, right: Uint32Array): Uint32Array => {
  const found = new Uint32Array(left.length + right.length)
  let [size, at, other] = [0, 0, 0]
  while (at < left.length || other < right.length) {
    const [one = Number.POSITIVE_INFINITY, two = Number.POSITIVE_INFINITY] = [left[at], right[other]]
    found[size++] = Math.min(one, two)
    if (one <= two) at += 1
    if (two <= one) other += 1
  }
  return found.subarray(0, size)
}

/** The place of the first document that is not before this one. Steps double until it is passed, since it is often near. */
export const placeOf = (docs: Uint32Array, doc: number, from: number): number => {
  let [step, low] = [1, from]
  while (low + step <= docs.length && (docs[low + step - 1] ?? 0) < doc) {
    low += step
    step *= 2
  }
  let high = Math.min(docs.length, low + step)
  while (low < high) {
    const middle = (low + high) >> 1
    if ((docs[middle] ?? 0) < doc) low = middle + 1
    else high = middle
  }
  return low
}
