// What all readers of a query share: the decoded parameters, the faults that are found in them, and the members that they name.

import { type FaultReason, fault } from '../fault.ts'
import { countedResource, type Visibility } from '../model/access.ts'
import { integer } from '../model/fields.ts'
import { type Filter, type Path, type Step, toFilter } from '../model/query.ts'
import type { Member, Resource } from '../model/resource.ts'
import { ValueFault } from '../model/value-fault.ts'
import type { ValueType } from '../model/value-field.ts'
import { type Fault, Problem } from '../problem.ts'

/** By name in the order of first appearance; a Map, so that no name can reach a prototype. */
export type Parameters = ReadonlyMap<string, readonly string[]>

const maxParameters = 1000
const none: Parameters = new Map()
const needsDecoding = /[%+\u0080-\uffff]/

/** Decodes the query as sent, without its question mark (application/x-www-form-urlencoded: a plus is a blank). */
export const readParameters = (search: string): Parameters => {
  if (search === '') return none
  const parameters = new Map<string, string[]>()
  let count = 0
  for (const piece of search.split('&')) {
    if (piece === '') continue
    count++
    if (count > maxParameters) throw tooCostly(`A query can have at most ${maxParameters} parameters.`)
    const equals = piece.indexOf('=')
    const rawName = equals < 0 ? piece : piece.slice(0, equals)
    const name = decode(rawName, rawName)
    const value = equals < 0 ? '' : decode(piece.slice(equals + 1), name)
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

const decode = (raw: string, parameter: string): string => {
  if (!needsDecoding.test(raw)) return raw
  try {
    const text = decodeURIComponent(raw.replaceAll('+', ' ').replace(/[\u0080-\u00ff]/g, toPercent))
    if (text.isWellFormed()) return text
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  const reason = fault('encoding', { parameter: excerpt(parameter) })
  throw new Problem('bad_parameter', { detail: reason.message, errors: [{ parameter, ...reason }] })
}

/** Some clients send UTF-8 unencoded; the HTTP parser hands each such byte over as one character. */
const toPercent = (byte: string): string => `%${byte.charCodeAt(0).toString(16)}`

/** The value of a parameter that may be given once. */
export const single = (parameters: Parameters, name: string, faults: Fault[]): string | undefined => {
  const values = parameters.get(name)
  if (values && values.length > 1) {
    note(faults, { parameter: name, ...fault('repeated', { parameter: name, count: values.length }) })
  }
  return values?.[0]
}

// What all readers of one query share.

export interface QueryScope {
  readonly visibility: Visibility
  /** Noted while reading; the request is refused at the end with all of them. */
  readonly faults: Fault[]
  /** The relations that criteria and sort follow, by the names that lead there. */
  readonly ways: Set<string>
}

/** Asks for the visible records once for each resource, so that equal steps have one link filter and the store one join. */
export const createScope = (visibility: Visibility): QueryScope => {
  const known = new Map<Resource, boolean | Filter>()
  const records = (resource: Resource): boolean | Filter => {
    const seen = known.get(resource) ?? visibility.records(resource)
    known.set(resource, seen)
    return seen
  }
  return { visibility: { records, view: resource => visibility.view(resource) }, faults: [], ways: new Set() }
}

// All errors in a query are reported together, each with its parameter.

/** Beyond this the answer would only grow, and with it what a hostile query costs. */
const maxFaults = 20

/** Notes a fault; the request is refused at the end, or at once when there are very many. */
export const note = (faults: Fault[], fault: Fault): void => {
  faults.push(fault)
  if (faults.length >= maxFaults) refuse(faults)
}

export const refuse = (faults: readonly Fault[]): never => {
  const [first] = faults
  const others = faults.length - 1
  throw new Problem(faults.every(fault => fault.parameter === 'filter') ? 'bad_filter' : 'bad_parameter', {
    detail: `${first?.message ?? 'The query is invalid.'}${others > 0 ? ` (${others} more in errors)` : ''}`,
    errors: faults,
  })
}

/** A limit on size or depth: not collected, since reading on is what the limit forbids. */
export const tooCostly = (reason: string, place: Pick<Fault, 'parameter' | 'position'> = {}): Problem =>
  new Problem('too_costly', { detail: reason, errors: [{ ...place, ...fault('limit', { message: reason }) }] })

/** A value that cannot be read: its fault has the code and the parameters of the reason among its own. */
export const badValue = (value: string, reason: FaultReason, message: string): FaultReason => ({
  code: 'bad_value',
  message,
  params: { ...reason.params, value: excerpt(value), reason: reason.code },
})

/** A parameter that takes other values than the one that was found. */
export const badParameter = (parameter: string, value: string, reason: FaultReason): Fault => ({
  parameter,
  ...badValue(value, reason, `'${parameter}' ${reason.message}, found ${quoted(value)}.`),
})

/** What the caller sent, short enough for a message. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text).toWellFormed()

export const quoted = (text: string): string => `'${excerpt(text)}'`

// From a name such as `film.pricingStrategy.name` to a path, as one caller sees it: what the caller may not read is
// answered exactly like what does not exist.

/** Where the caller named a member. */
export interface Mention {
  readonly parameter: string
  readonly name: string
  readonly position?: number
}

export const maxSteps = 5

export const memberOf = (resource: Resource, name: string, visibility: Visibility): Member | undefined =>
  visibility.view(resource).members.get(name === 'id' ? 'pk' : name)

/** A step into the related records; undefined when the member is not a relation, or the caller sees none of its records. */
export const stepInto = (relation: Member | undefined, visibility: Visibility): Step | undefined => {
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
    const step = stepInto(memberOf(here, name, scope.visibility), scope.visibility)
    if (!step) return noteUnknown({ mention, name, offset, here, wants: 'relation' }, scope)
    steps.push(step)
    here = step.target
    offset += name.length + 1
  }
  const path = endOf(steps, memberOf(here, last, scope.visibility), scope.visibility)
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

const endOf = (steps: readonly Step[], member: Member | undefined, visibility: Visibility): Path | null => {
  if (!member) return null
  const reached = steps.at(-1)
  if (!member.target) {
    // The reference itself holds the pk: no need to visit the related record.
    const isReference = reached && member === reached.target.pk && holdsPk(reached)
    return isReference
      ? { steps: steps.slice(0, -1), member: reached.relation }
      : { steps, member, ...counting(member, visibility) }
  }
  const step = stepInto(member, visibility)
  if (!step) return null
  return holdsPk(step) ? { steps, member } : { steps: [...steps, step], member: step.target.pk }
}

/** A count leaves out records that the caller cannot see, unless it is declared to count all of them. */
const counting = (member: Member, visibility: Visibility): Pick<Path, 'counting'> => {
  const counted = countedResource(member)
  const seen = counted === null || visibility.records(counted)
  if (seen === true) return {}
  return { counting: seen === false ? { op: 'const', value: false } : seen }
}

/** A to-one member is the related pk, unless a link filter must look at the related record. */
const holdsPk = ({ relation, linkFilter }: Step): boolean => relation.field.role === 'one' && !linkFilter

export const toName = ({ steps, member }: Path): string =>
  [...steps.map(step => step.relation.name), member.name].join('.')

interface Unknown {
  readonly mention: Mention
  readonly name: string
  readonly offset: number
  readonly here: Resource
  readonly wants: 'member' | 'relation'
}

/** Notes a member that is not there for this caller, and lists those that are. */
export const noteUnknown = (
  { mention, name, offset, here, wants }: Unknown,
  { visibility, faults }: QueryScope,
): null => {
  const offered = [...visibility.view(here).members.values()].filter(member =>
    member.target ? stepInto(member, visibility) : wants === 'member',
  )
  const known = offered.map(member => member.name)
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

// Which type of value a path leads to, which operators fit it, and how its text is read

const wholeNumber = integer({}).type

/** A reference is compared as the pk that it holds, a count as a whole number. */
export const typeOf = ({ field, target }: Member): ValueType => {
  if (field.role === 'value') return field.type
  return field.role === 'one' && target ? typeOf(target.pk) : wholeNumber
}

/** May `*` and `%` stand for any text? */
export const isTextual = (type: ValueType): boolean => type.wildcards || type.searchesEntries === true

export const isOrdered = (type: ValueType): boolean => type.column !== 'json' && type.column !== 'boolean'

/** The stored form of a text, or undefined after `report` was called with what is wrong with it. */
export const readValue = (text: string, type: ValueType, report: (reason: FaultReason) => void): unknown => {
  try {
    return type.readText(text)
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    const [reason] = error.faults
    if (reason) report(badValue(text, reason, `${quoted(text)} ${reason.message}.`))
    return undefined
  }
}
