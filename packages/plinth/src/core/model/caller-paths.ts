// Paths of rules through the user record of the caller, such as `caller.user.shop`. Their values are read with the credentials of each
// request, so a rule compares them without asking the database.

import { didYouMean } from './definition-error.ts'
import type { Json } from './json.ts'
import type { Path, Step } from './query.ts'
import type { Resource, ResourceField } from './resource.ts'
import { valueToJson } from './value-field.ts'

/** `refuse` says what is wrong with the names. */
export const toCallerPath = (
  names: readonly string[],
  users: Resource | null,
  refuse: (why: string) => never,
): Path => {
  const last = names.at(-1)
  if (!users) return refuse('there are no users here')
  if (last === undefined) return refuse("'caller.user' alone is not allowed; name a field, such as caller.user.pk")
  const steps: Step[] = []
  let resource = users
  for (const name of names.slice(0, -1)) {
    const relation = namedIn(resource, name, refuse)
    if (!relation.target) return refuse(`'${name}' is not a relation`)
    if (relation.definition.role !== 'one') return refuse(toMany(name))
    steps.push({ relation, target: relation.target, linkFilter: null })
    resource = relation.target
  }
  const field = namedIn(resource, last, refuse)
  const { definition } = field
  if (definition.role === 'links' || definition.role === 'inverse') return refuse(toMany(last))
  if (definition.options.writeOnly || (definition.role === 'value' && definition.transient))
    return refuse(`'${last}' cannot be read, by rules neither`)
  if (definition.role === 'count') return refuse(`'${last}' is counted for each request; compare a stored field`)
  return { steps, field }
}

const toMany = (name: string): string =>
  `'${name}' has several records, and a rule compares with one value; begin at the record: record.shop.staff.pk == caller.pk`

const namedIn = (resource: Resource, name: string, refuse: (why: string) => never): ResourceField =>
  resource.fields.get(name === 'id' ? 'pk' : name) ??
  refuse(`${resource.name} has no field '${name}'${didYouMean(resource.fields.keys(), name)}`)

/** A value as it was read at the end of a path. */
export const attributeValue = ({ field: { definition } }: Path, stored: unknown): Json =>
  definition.role === 'value' ? valueToJson(definition.type, stored) : typeof stored === 'string' ? stored : null
