// Changes of records as events: in one order, with what rules and subscribers need to know of a record.

import type { Access } from './access.ts'
import type { Comparison, Filter, Path, Pattern } from './query.ts'
import type { Registry } from './registry.ts'
import type { Member, Resource } from './resource.ts'

export type ChangeType = 'created' | 'updated' | 'deleted'

/** Values of a record's members in stored form, to-one members as pks: what rules on the record ask for. */
export type Image = Readonly<Record<string, unknown>>

export interface ChangeEvent {
  /** Counts up by one, without a gap, in the order in which events are delivered. */
  readonly sequence: number
  /** When the change took its place in the order, by the database's clock. */
  readonly time: string
  readonly type: ChangeType
  /** The resource that holds the record; its parts (`storedIn`) differ in `seen`. */
  readonly resource: string
  readonly pk: string
  /** The announced members after the change; at a deletion as they were last. Null when none are announced. */
  readonly seen: Image | null
  /** The same before an update that changed any of them, else null. */
  readonly was: Image | null
}

/** Sequences that can still be read: from `oldest` to `latest`; `oldest` is `latest` + 1 when there are none. */
interface EventWindow {
  readonly oldest: number
  readonly latest: number
}

export interface EventSelection {
  /** Only what comes after this sequence … */
  readonly after: number
  /** … up to and with this one. */
  readonly upTo: number
  readonly limit: number
  readonly resource?: string
  readonly pk?: string
}

export interface EventRetention {
  readonly hours: number
  readonly rows: number
}

/** The durable log of changes. The store writes to it in the transaction of each change. */
export interface EventLog {
  /** Gives what was committed its place in the order; until then it cannot be read. */
  arrange(): Promise<void>
  read(selection: EventSelection): Promise<readonly ChangeEvent[]>
  window(): Promise<EventWindow>
  /** Takes away a bounded number of events that need not be kept; answers how many. */
  prune(retention: EventRetention): Promise<number>
  /** Calls back after each commit of events here, and when another instance notifies of some. Returns how to stop. */
  watch(wake: () => void): Promise<() => Promise<void>>
}

// Which members accompany the events of a resource: those that its read rule looks at, and those that it names itself

/** By the resource that holds the records; empty where no rule looks at them. */
export type EventMembers = ReadonlyMap<Resource, readonly Member[]>

export const eventMembers = (registry: Registry, access: Access): EventMembers => {
  const names = new Map<Resource, Set<string>>()
  for (const resource of registry.resources) {
    if (!hasEvents(resource)) continue
    const held = names.get(holderOf(resource)) ?? new Set()
    names.set(holderOf(resource), held)
    for (const path of access.rule(resource, 'read').paths) held.add(imageNameOf(path) ?? '')
    for (const name of resource.definition.eventFields ?? []) held.add(name)
    if (resource.definition.storedIn) held.add(resource.definition.storedIn.where.member)
  }
  return new Map([...names].map(([resource, held]) => [resource, [...held].flatMap(name => fitting(resource, name))]))
}

/** The members that events must have, so that a filter can be applied to their images. */
export const membersJudged = (resource: Resource, filter: Filter): readonly Member[] => {
  const names = new Set(pathsIn(filter).map(path => imageNameOf(path) ?? ''))
  return [...names].flatMap(name => fitting(holderOf(resource), name))
}

const pathsIn = (filter: Filter): readonly Path[] => {
  switch (filter.op) {
    case 'const':
      return []
    case 'not':
      return pathsIn(filter.part)
    case 'and':
    case 'or':
      return filter.parts.flatMap(pathsIn)
    default:
      return [filter.path]
  }
}

/** A secret is kept in no further place, and the pk stands in every event. */
const fitting = (resource: Resource, name: string): Member[] => {
  const member = resource.members.get(name)
  const isKept = member && member !== resource.pk && !member.field.options.writeOnly
  return isKept && (member.field.role === 'value' || member.field.role === 'one') ? [member] : []
}

/** Internal tables have events only when they ask for them. */
export const hasEvents = ({ definition }: Resource): boolean =>
  !definition.internal || definition.eventFields !== undefined

/** The resource whose table holds the records. */
export const holderOf = (resource: Resource): Resource => resource.holder ?? resource

// A filter on a record, applied to an image of it without the database. What the image does not hold is unknown: null.

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
const imageNameOf = ({ steps, member }: Path): string | null => {
  const [step, further] = steps
  if (!step) return member.field.role === 'value' || member.field.role === 'one' ? member.name : null
  const isReference = !further && !step.linkFilter && step.relation.field.role === 'one' && member === step.target.pk
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
