// What can be wrong with the search declaration of a resource.

import { didYouMean } from '../definition-error.ts'
import type { Field } from '../field.ts'
import type { Resource } from '../resource.ts'
import { searchLanguages } from './analysis.ts'
import { readDeclaration } from './declaration.ts'

/** The largest weight: beyond it, the other fields would not count. */
const maxWeight = 100

export const searchFaults = ({ definition, fields }: Resource): readonly string[] => {
  const { search, view, storedIn } = definition
  if (!search) return []
  if (view) return ['search needs a table, which a view does not have; remove it']
  if (storedIn)
    return [`search belongs to ${storedIn.resource}, which holds the records; set it there and remove it here`]
  const { weights, language } = readDeclaration(search)
  return [
    ...(weights.size === 0 ? ['search names no field; remove it'] : []),
    ...(searchLanguages.includes(language)
      ? []
      : [
          `search has the language '${language}'${didYouMean(searchLanguages, language)}; known are ${searchLanguages.join(', ')}`,
        ]),
    ...(fields.has('search')
      ? [
          "the field 'search' has the name of the parameter that searches by words; choose another name, or remove search",
        ]
      : []),
    ...[...weights].flatMap(([name, weight]) => [
      ...fieldFaults(name, fields),
      ...(Number.isInteger(weight) && weight >= 1 && weight <= maxWeight
        ? []
        : [`search gives ${name} the weight ${weight}; it must be a whole number from 1 to ${maxWeight}`]),
    ]),
  ]
}

const fieldFaults = (name: string, fields: Resource['fields']): readonly string[] => {
  if (name.includes('.')) return relatedFaults(name, fields)
  const found = fields.get(name)
  if (!found) return [`search names '${name}', which is not a field${didYouMean(fields.keys(), name)}`]
  return isText(found.definition) ? [] : [`search names '${name}', which must be a text or a list of texts`]
}

const relatedFaults = (name: string, fields: Resource['fields']): readonly string[] => {
  const [first = '', second = '', ...further] = name.split('.')
  if (further.length > 0)
    return [
      `search names '${name}', which leads over several relations; name a field of a related record, such as '${first}.${second}'`,
    ]
  const relation = fields.get(first)
  if (!relation) return [`search names '${name}', and '${first}' is not a field${didYouMean(fields.keys(), first)}`]
  const { role } = relation.definition
  if (role === 'value' || role === 'count') return [`search names '${name}', and '${first}' is not a relation`]
  // A relation that leads nowhere is a fault of its own.
  const { target } = relation
  if (!target) return []
  if (target.definition.view)
    return [`search names '${name}', and ${target.name} is a view, whose changes are not noticed`]
  const found = target.fields.get(second)
  if (!found)
    return [
      `search names '${name}', and '${second}' is not a field of ${target.name}${didYouMean(target.fields.keys(), second)}`,
    ]
  if (!isText(found.definition)) return [`search names '${name}', which must be a text or a list of texts`]
  return found.definition.options.writeOnly ? [`search names '${name}', which no caller may read`] : []
}

const isText = (field: Field): boolean =>
  field.role === 'value' &&
  field.transient !== true &&
  (field.type.column === 'text' || field.type.searchesEntries === true)
