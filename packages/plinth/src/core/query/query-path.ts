// From a name such as `film.pricingStrategy.name` to a path, as one caller sees it: what the caller may not read gets the same answer
// as what does not exist.

import { fault } from '../fault.ts'
import { countedResource } from '../model/link-filters.ts'
import { type Path, type Step, toFilter } from '../model/query.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import type { Visibility } from '../model/views.ts'
import { excerpt, note, tooCostly } from './query-faults.ts'
import type { QueryScope } from './scope.ts'

/** The place where the caller named a field. */
export interface Mention {
  readonly parameter: string
  readonly name: string
  readonly position?: number
}

export const maxSteps = 5

export const fieldOf = (resource: Resource, name: string, visibility: Visibility): ResourceField | undefined =>
  visibility.view(resource).fields.get(name === 'id' ? 'pk' : name)

/** A step into the related records; undefined when the field is not a relation, or the caller sees none of its records. */
export const stepInto = (relation: ResourceField | undefined, visibility: Visibility): Step | undefined => {
  if (!relation?.target) return undefined
  const seen = visibility.records(relation.target)
  if (seen === false) return undefined
  return { relation, target: relation.target, linkFilter: toFilter(seen) }
}

/** The path, or null after noting the fault. A path to a relation leads to the related record's pk. */
export const readPath = (mention: Mention, resource: Resource, scope: QueryScope): Path | null => {
  const names = mention.name.split('.', maxSteps + 2)
  if (names.length > maxSteps + 1) return noteTooDeep(mention, scope)
  const last = names.pop() ?? ''
  const steps: Step[] = []
  let here = resource
  let offset = 0
  for (const name of names) {
    const step = stepInto(fieldOf(here, name, scope.visibility), scope.visibility)
    if (!step) return noteUnknown({ mention, name, offset, here, wants: 'relation' }, scope)
    steps.push(step)
    here = step.target
    offset += name.length + 1
  }
  const path = endOf(steps, fieldOf(here, last, scope.visibility), scope.visibility)
  if (!path) return noteUnknown({ mention, name: last, offset, here, wants: 'member' }, scope)
  if (path.steps.length > maxSteps) return noteTooDeep(mention, scope)
  countWays(path, mention, scope)
  return path
}

/** Each is a join, and a database takes only so many (SQLite 64 tables), some of which the record itself needs. */
const maxWays = 30

const countWays = ({ steps }: Path, { parameter, position }: Mention, { ways }: QueryScope): void => {
  let way = ''
  for (const { relation } of steps) {
    way += `${relation.name}.`
    ways.add(way)
  }
  if (ways.size > maxWays) {
    const place = { parameter, ...(position !== undefined && { position }) }
    throw tooCostly(`A search may follow at most ${maxWays} different relations.`, place)
  }
}

const endOf = (steps: readonly Step[], field: ResourceField | undefined, visibility: Visibility): Path | null => {
  if (!field) return null
  const reached = steps.at(-1)
  if (!field.target) {
    // The reference itself holds the pk: no need to visit the related record.
    const isReference = reached && field === reached.target.pk && holdsPk(reached)
    return isReference
      ? { steps: steps.slice(0, -1), field: reached.relation }
      : { steps, field, ...counting(field, visibility) }
  }
  const step = stepInto(field, visibility)
  if (!step) return null
  return holdsPk(step) ? { steps, field } : { steps: [...steps, step], field: step.target.pk }
}

/** A count leaves out records that the caller cannot see, unless it is declared to count all of them. */
export const counting = (field: ResourceField, visibility: Visibility): Pick<Path, 'counting'> => {
  const counted = countedResource(field)
  const seen = counted === null || visibility.records(counted)
  if (seen === true) return {}
  return { counting: seen === false ? { op: 'const', value: false } : seen }
}

/** A to-one field is the related pk, unless a link filter must look at the related record. */
const holdsPk = ({ relation, linkFilter }: Step): boolean => relation.definition.role === 'one' && !linkFilter

export const toName = ({ steps, field }: Path): string =>
  [...steps.map(step => step.relation.name), field.name].join('.')

interface Unknown {
  readonly mention: Mention
  readonly name: string
  readonly offset: number
  readonly here: Resource
  readonly wants: 'member' | 'relation'
}

/** Notes a field that is not there for this caller, and lists those that are. */
export const noteUnknown = (
  { mention, name, offset, here, wants }: Unknown,
  { visibility, faults }: QueryScope,
): null => {
  const offered = [...visibility.view(here).fields.values()].filter(field =>
    field.target ? stepInto(field, visibility) : wants === 'member',
  )
  const known = offered.map(field => field.name)
  const unknown = { resource: here.name, name: excerpt(name), kind: wants, known: known.length > 0 ? known : 'none' }
  note(faults, {
    parameter: mention.parameter,
    member: mention.name,
    ...(mention.position !== undefined && { position: mention.position + offset }),
    ...fault('unknown_member', unknown),
  })
  return null
}

const noteTooDeep = ({ parameter, name, position }: Mention, { faults }: QueryScope): null => {
  note(faults, {
    parameter,
    member: name,
    ...(position !== undefined && { position }),
    ...fault('too_deep', { path: excerpt(name), max: maxSteps }),
  })
  return null
}
