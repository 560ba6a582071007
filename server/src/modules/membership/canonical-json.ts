// One text for each JSON value (RFC 8785): members in the order of their names' code units, no blanks, numbers and texts
// as ECMAScript writes them. What is signed is this text, so it does not matter how the value was stored or sent.

/** Of text, numbers, booleans, null, and lists and objects of them. What is undefined counts as null. */
export const toCanonicalJson = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${toCanonicalJson(member)}`)
  return `{${members.join(',')}}`
}
