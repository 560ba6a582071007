// Fields that the service makes at creation and shows in that answer alone.

import { keepFieldsThat } from '../model/keep-fields.ts'
import type { StoredRecord, Values } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import { whole } from './identify.ts'

const issuedFields = keepFieldsThat(({ definition }) => definition.role === 'value' && definition.issued === true)

/** The new record with what was issued with it. */
export const withIssued = (resource: Resource, record: StoredRecord, values: Values): StoredRecord => {
  const fields = issuedFields(resource)
  if (fields.length === 0) return record
  return { ...record, ...Object.fromEntries(fields.map(({ name }) => [name, values[name]])) }
}

/** The view in which the record shows what was issued with it; the given one when nothing was. */
export const viewWithIssued = (view: View, record: StoredRecord | undefined): View => {
  const fields = issuedFields(view.resource)
  if (!record || fields.every(({ name }) => record[name] === undefined)) return view
  let wider = whole.get(view)
  if (!wider) {
    wider = { ...view, fields: new Map([...view.fields, ...fields.map(one => [one.name, one] as const)]) }
    whole.set(view, wider)
  }
  return wider
}
