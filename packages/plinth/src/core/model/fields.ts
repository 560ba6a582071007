// The vocabulary of resource definitions: every field type by its name.

export { boolean, choice } from './fields/choice.ts'
export { json, map, textList } from './fields/collection.ts'
export { email, phone, url } from './fields/contact.ts'
export { duration } from './fields/duration.ts'
export { geo } from './fields/geo.ts'
export { decimal, integer, money } from './fields/number.ts'
export { counted, hasOne, links, many, ref, summed } from './fields/relation.ts'
export { sequence } from './fields/sequence.ts'
export { longText, secret, text, webLink } from './fields/text.ts'
export { date, timestamp } from './fields/time.ts'
export { computed, input, issued } from './fields/value.ts'
export { vector } from './fields/vector.ts'
