// Fields that the service makes at creation and shows in that answer alone.

import type { StoredRecord, Values } from '../model/record.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import { whole } from './identify.ts'

const known = new WeakMap<Resource, readonly Member[]>()

const issuedMembers = (resource: Resource): readonly Member[] => {
  let members = known.get(resource)
  if (!members) {
    members = [...resource.members.values()].filter(({ field }) => field.role === 'value' && field.issued)
    known.set(resource, members)
  }
  return members
}

/** The new record with what was issued with it. */
export const withIssued = (resource: Resource, record: StoredRecord, values: Values): StoredRecord => {
  const members = issuedMembers(resource)
  if (members.length === 0) return record
  return { ...record, ...Object.fromEntries(members.map(({ name }) => [name, values[name]])) }
}

/** The view in which the record shows what was issued with it; the given one when nothing was. */
export const viewWithIssued = (view: View, record: StoredRecord | undefined): View => {
  const members = issuedMembers(view.resource)
  if (!record || members.every(({ name }) => record[name] === undefined)) return view
  let wider = whole.get(view)
  if (!wider) {
    wider = { ...view, members: new Map([...view.members, ...members.map(one => [one.name, one] as const)]) }
    whole.set(view, wider)
  }
  return wider
}
