// The known name that a misspelt one most likely means.

/** Returns undefined when nothing is near. Case does not count. */
export const nearestName = (known: readonly string[], name: string): string | undefined => {
  const closeness = (one: string) => distance(name.toLowerCase(), one.toLowerCase())
  const [best] = known.map(one => ({ one, away: closeness(one) })).sort((a, b) => a.away - b.away)
  return best && best.away <= Math.max(2, Math.floor(name.length / 4)) ? best.one : undefined
}

/** How many characters to change, add or drop to make one text of the other (Levenshtein). */
const distance = (from: string, to: string): number => {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, left] of [...from].entries()) {
    const current = [row + 1]
    for (const [column, right] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (left === right ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
