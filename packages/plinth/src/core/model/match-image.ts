// A filter on a record, applied to an image of it without the database. What the image does not hold is unknown: null.

import type { Image } from './event.ts'
import type { Comparison, Filter, Path, Pattern } from './query.ts'

type Truth = boolean | null

/** Does the record match? Null when only the database knows. */
export const matchesImage = (filter: Filter, pk: string, image: Image | null): Truth => {
  switch (filter.op) {
    case 'const':
      return filter.value
    case 'not': {
      const inner = matchesImage(filter.part, pk, image)
      return inner === null ? null : !inner
    }
    case 'and':
    case 'or': {
      const deciding = filter.op === 'or'
      let sum: Truth = !deciding
      for (const part of filter.parts) {
        const truth = matchesImage(part, pk, image)
        if (truth === deciding) return deciding
        if (truth === null) sum = null
      }
      return sum
    }
    default: {
      const value = valueAt(filter.path, pk, image)
      return value === undefined ? null : compares(filter, value)
    }
  }
}

/** The name under which an image holds what the path leads to; null when it leads to another record. */
export const imageNameOf = ({ steps, field }: Path): string | null => {
  const [step, further] = steps
  if (!step) return field.definition.role === 'value' || field.definition.role === 'one' ? field.name : null
  const isReference =
    !further && !step.linkFilter && step.relation.definition.role === 'one' && field === step.target.pk
  return isReference ? step.relation.name : null
}

const valueAt = (path: Path, pk: string, image: Image | null): unknown => {
  const name = imageNameOf(path)
  if (name === null) return undefined
  return name === 'pk' && path.steps.length === 0 ? pk : image?.[name]
}

const compares = (comparison: Comparison, value: unknown): Truth => {
  switch (comparison.op) {
    case 'null':
      return (value === null) === comparison.isNull
    case 'eq':
    case 'ne':
      return isPlain(value) ? (value === (comparison.value ?? null)) === (comparison.op === 'eq') : null
    case 'in':
    case 'out':
      return isPlain(value) ? comparison.values.includes(value) === (comparison.op === 'in') : null
    case 'like':
    case 'unlike':
      // Only the database knows which letters are the same in any case.
      if (comparison.ignoreCase || typeof value === 'object') return value === null ? comparison.op === 'unlike' : null
      return matchesPattern(String(value), comparison.pattern) === (comparison.op === 'like')
    default:
      return ordered(comparison.op, value, comparison.value)
  }
}

/** Each piece is taken where it first occurs, and the last one at the end. */
const matchesPattern = (text: string, [first = '', ...rest]: Pattern): boolean => {
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Texts in the order of their UTF-8 bytes, as both databases have it. */
const ordered = (op: 'gt' | 'ge' | 'lt' | 'le', left: unknown, right: unknown): Truth => {
  if (left === null || right === null || right === undefined) return false
  if (typeof left !== typeof right) return null
  const order =
    typeof left === 'string'
      ? Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
      : Number(left) - Number(right)
  return op === 'gt' ? order > 0 : op === 'ge' ? order >= 0 : op === 'lt' ? order < 0 : order <= 0
}
