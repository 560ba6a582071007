// What groups are made by and what is computed of them: names → keys and measures, as one caller sees the fields.

import { type FaultReason, fault } from '../fault.ts'
import {
  type AggregateFunction,
  aggregateFunctions,
  amountOf,
  type GroupKey,
  isComputed,
  type Measure,
} from '../model/aggregation.ts'
import type { Path } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { type BucketUnit, bucketUnits } from '../model/time-buckets.ts'
import { isScalar } from '../model/value-field.ts'
import { nearestName } from '../nearest-name.ts'
import { badValue, excerpt, note, quoted } from './query-faults.ts'
import { type Mention, readPath } from './query-path.ts'
import { isOrdered, typeOf } from './query-value.ts'
import type { QueryScope } from './scope.ts'

const isToOne = ({ steps, field }: Path): boolean =>
  [...steps.map(({ relation }) => relation), field].every(
    ({ definition }) => definition.role !== 'links' && definition.role !== 'inverse',
  )

/** `state`, `shop.name`, or `createdDate:month`. Null after noting the fault. */
export const readGroupKey = (mention: Mention, resource: Resource, scope: QueryScope): GroupKey | null => {
  const at = mention.name.lastIndexOf(':')
  const name = at < 0 ? mention.name : mention.name.slice(0, at)
  const path = readPath({ ...mention, name }, resource, scope)
  if (!path) return null
  const refuse = (reason: FaultReason): null => {
    note(scope.faults, { parameter: mention.parameter, member: name, ...positionOf(mention), ...reason })
    return null
  }
  const bucket = at < 0 ? null : readUnit(mention.name.slice(at + 1))
  if (at >= 0 && bucket === null) return refuse(unknownUnit(mention.name.slice(at + 1)))
  const key: GroupKey = { name: mention.name, path, bucket }
  const reason = whyNoKey(key)
  return reason === null ? key : refuse(fault('ungroupable', { member: mention.name, reason }))
}

/** Why records cannot be grouped by it; null if they can. */
export const whyNoKey = ({ path, bucket }: GroupKey): string | null => {
  if (!isToOne(path)) return 'it refers to several records'
  const type = typeOf(path.field)
  const { column } = type
  if (!isScalar(type)) return 'its values are lists or maps'
  if (bucket === null || column === 'timestamp') return null
  if (column !== 'date') return 'its values are not times'
  return bucket === 'hour' ? 'a day has no hours' : null
}

const readUnit = (text: string): BucketUnit | null => bucketUnits.find(unit => unit === text) ?? null

const unknownUnit = (text: string): FaultReason => {
  const nearest = nearestName(bucketUnits, text)
  const hint = nearest ? ` Did you mean '${nearest}'?` : ''
  const reason = fault('choice', { choices: bucketUnits })
  return badValue(text, reason, `The period ${quoted(text)} ${reason.message}.${hint}`)
}

const positionOf = ({ position }: Mention) => (position === undefined ? {} : { position })

/** The measure of a function over a field. Null after noting the fault. */
export const readFieldMeasure = (
  kind: AggregateFunction,
  mention: Mention,
  { resource, scope }: { readonly resource: Resource; readonly scope: QueryScope },
): Measure | null => {
  const path = readPath(mention, resource, scope)
  if (!path) return null
  const reason = whyNot(kind, path)
  if (reason === null)
    return { kind, name: mention.name, path, unit: isComputed(kind) ? (amountOf(path.field)?.unit ?? 1) : 1 }
  const unfit = fault('unfit_measure', { function: kind, member: mention.name, reason })
  note(scope.faults, { parameter: mention.parameter, member: mention.name, ...positionOf(mention), ...unfit })
  return null
}

/** Why the function has no meaning for the values of the field; null if it has one. */
export const whyNot = (kind: AggregateFunction, path: Path): string | null => {
  if (!isToOne(path)) return 'it refers to several records'
  const type = typeOf(path.field)
  if (!isScalar(type)) return 'its values cannot be compared'
  if (kind === 'distinct') return null
  if (kind === 'min' || kind === 'max') return isOrdered(type) ? null : 'its values have no order'
  return amountOf(path.field) ? null : 'its values are not numbers'
}

/** `count`, or `sum.total`. Null without a fault where the name is that of no measure. */
export const readMeasure = (mention: Mention, resource: Resource, scope: QueryScope): Measure | null => {
  if (mention.name === 'count') return { kind: 'count' }
  const kind = aggregateFunctions.find(one => mention.name.startsWith(`${one}.`))
  if (!kind) return null
  const offset = kind.length + 1
  const field = { ...mention, name: mention.name.slice(offset) }
  const at = mention.position === undefined ? field : { ...field, position: mention.position + offset }
  return readFieldMeasure(kind, at, { resource, scope })
}

/** Names in a list that commas part, with their positions. */
export const namesIn = (parameter: string, text: string): readonly Mention[] => {
  let position = 0
  return text.split(',').flatMap(entry => {
    const name = entry.trim()
    const mention = { parameter, name, position: position + entry.length - entry.trimStart().length }
    position += entry.length + 1
    return name === '' ? [] : [mention]
  })
}

export const unknownMeasure = (name: string): FaultReason => fault('unknown_measure', { name: excerpt(name) })
