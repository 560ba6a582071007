// `filter[field]=value` and `filter[field][]=value`, as JSON:API clients send them: equality, or any of several.

import { fault } from '../fault.ts'
import type { Filter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { readField, toEquality } from './field-parameters.ts'
import type { Parameters } from './parameters.ts'
import { excerpt, note } from './query-faults.ts'
import type { QueryScope } from './scope.ts'

const bracketedShape = /^filter\[([^[\]]+)\](\[\])?$/

/**
 * Without the empty brackets a comma separates values (`\,` is a comma itself); with them each value is taken literally.
 * There are no wildcards here: `filter` as a text has them.
 */
export const readBracketedFilters = (parameters: Parameters, resource: Resource, scope: QueryScope): Filter[] => {
  const filters: Filter[] = []
  for (const [parameter, texts] of parameters) {
    if (!parameter.startsWith('filter[')) continue
    const [, name, isList] = bracketedShape.exec(parameter) ?? []
    if (name === undefined) {
      note(scope.faults, { parameter, ...fault('unknown_filter', { parameter: excerpt(parameter) }) })
      continue
    }
    const filtered = readField({ parameter, name }, resource, scope)
    if (filtered) filters.push(toEquality(filtered, isList ? texts : texts.flatMap(splitAtCommas)))
  }
  return filters
}

/** A comma, or an escaped comma or backslash, which splitting must pass over. */
const commaOrEscape = /\\[,\\]|,/g

const splitAtCommas = (text: string): string[] => {
  const parts: string[] = []
  let part = ''
  let from = 0
  for (const { 0: found, index } of text.matchAll(commaOrEscape)) {
    part += text.slice(from, index)
    from = index + found.length
    if (found === ',') {
      parts.push(part)
      part = ''
    } else part += found.charAt(1)
  }
  return [...parts, part + text.slice(from)]
}
