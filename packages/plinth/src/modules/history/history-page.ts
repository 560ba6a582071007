// The changes of a record in the view of a caller: who changed which fields, when and from where.

import { isAdmin } from '../../core/model/caller.ts'
import { historyFields, type RecordedEntry } from '../../core/model/history.ts'
import type { Json } from '../../core/model/json.ts'
import { linkFiltersOf } from '../../core/model/link-filters.ts'
import { among, both, everything, toFilter } from '../../core/model/query.ts'
import { type Link, linkIn, linksIn, type StoredRecord, sameValue } from '../../core/model/record.ts'
import type { Resource, ResourceField } from '../../core/model/resource.ts'
import { storedValue } from '../../core/model/resource.ts'
import { valueToJson } from '../../core/model/value-field.ts'
import { Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/context.ts'
import { users } from '../people/index.ts'

interface FieldChange {
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/** A change as callers see it. */
export interface ShownChange {
  readonly version: number
  readonly change: RecordedEntry['change']
  readonly time: string
  readonly by: { readonly pk: string; readonly username: string | null } | null
  readonly address: string | null
  readonly requestId: string | null
  readonly fields: readonly FieldChange[]
}

export interface HistoryRequest {
  readonly resource: Resource
  readonly pk: string
  readonly olderThan: string | null
  readonly size: number
}

interface ChangePage {
  readonly changes: readonly ShownChange[]
  /** The last entry, when older ones follow. */
  readonly next: string | null
}

/** A change, and what the record was before and after it. */
export interface RecordTransition {
  readonly entry: RecordedEntry
  readonly after: StoredRecord | null
}

export const readChanges = async (context: Context, selection: HistoryRequest): Promise<ChangePage> => {
  const { entries, hasMore } = await readTransitions(context, selection)
  const fields = visibleFields(context, selection.resource)
  const usernames = await usernamesOf(context, entries)
  const labels = await labelsOf(context, fields, entries)
  // Not the people behind the changes to a credential that may not read users.
  const showsPeople = context.visibility.records(context.platform.registry.resource(users)) !== false
  const changes = entries
    .filter(({ entry, after }) => !entry.isHidden || after !== null)
    .map(({ entry, after }): ShownChange => {
      const { version, change, time, by, address, requestId, before } = entry
      const isForAdmin = isAdmin(context.caller) && showsPeople
      return {
        version,
        change,
        time,
        by: by === null || !showsPeople ? null : { pk: by, username: usernames.get(by) ?? null },
        address: isForAdmin ? address : null,
        requestId: isForAdmin ? requestId : null,
        fields: entry.isHidden ? [] : fields.flatMap(field => fieldChange(field, { before, after, labels })),
      }
    })
  return { changes, next: hasMore ? (entries.at(-1)?.entry.entry ?? null) : null }
}

/** The entries with what followed each. Problem `not_found` when the caller may not read the record. */
export const readTransitions = async (
  context: Context,
  { resource, pk, olderThan, size }: HistoryRequest,
): Promise<{ readonly entries: readonly RecordTransition[]; readonly hasMore: boolean }> => {
  const { access, store } = context.platform
  const reader = context.tx ?? store
  const options = {
    visible: toFilter(access.permit(resource, 'read', context.caller)),
    linkFilters: linkFiltersOf(context.visibility.view(resource), context.visibility),
    requester: context.requester,
  }
  const present = await reader.get(resource, pk, options)
  if (!present && (await reader.get(resource, pk))) throw new Problem('not_found')
  const [latest] = await reader.history(resource, { pk, limit: 1 }, options)
  // A record without any change since its history began is as it is. A deleted one is judged by what it was last.
  if (!present && !latest?.before) throw new Problem('not_found')
  const found = await reader.history(resource, { pk, olderThan: olderThan ?? undefined, limit: size + 1 }, options)
  let after = olderThan === null ? present : await beforeOf(context, { resource, pk, olderThan, size: 1 }, options)
  const entries = found.slice(0, size).map(entry => {
    const transition = { entry, after }
    after = entry.before
    return transition
  })
  return { entries, hasMore: found.length > size }
}

/** The record before the entry that a page continues from. */
const beforeOf = async (
  { platform: { store }, tx }: Context,
  { resource, pk, olderThan }: HistoryRequest,
  options: Parameters<Context['platform']['store']['history']>[2],
): Promise<StoredRecord | null> => {
  // `~` follows all that entries are made of: the entry itself is the newest of those before it.
  const [entry] = await (tx ?? store).history(resource, { pk, olderThan: `${olderThan}~`, limit: 1 }, options)
  return entry?.before ?? null
}

/** What every change changes says nothing. */
const ofEveryChange = new Set(['pk', 'version', 'lastModifiedDate', 'lastModifiedBy'])

const visibleFields = ({ visibility }: Context, resource: Resource): readonly ResourceField[] => {
  const { fields } = visibility.view(resource)
  return historyFields(resource).filter(({ name }) => fields.has(name) && !ofEveryChange.has(name))
}

type Labels = ReadonlyMap<string, string | null>

interface States {
  readonly before: StoredRecord | null
  readonly after: StoredRecord | null
  /** The labels of linked records, by resource and pk. Those that the caller may not read are missing. */
  readonly labels: Labels
}

const fieldChange = (field: ResourceField, { before, after, labels }: States): readonly FieldChange[] => {
  const valueIn = (record: StoredRecord | null): unknown => (record ? (storedValue(field, record) ?? null) : null)
  if (sameValue(valueIn(before), valueIn(after))) return []
  const jsonIn = (record: StoredRecord | null): Json => (record ? toJson(field, record, labels) : null)
  const change = { field: field.name, before: jsonIn(before), after: jsonIn(after) }
  return sameValue(change.before, change.after) ? [] : [change]
}

const toJson = (field: ResourceField, record: StoredRecord, labels: Labels): Json => {
  const { definition, name, target } = field
  if (definition.role === 'value') return valueToJson(definition.type, record[name])
  const labelName = target?.label?.name
  const compact = (link: Link): Json => ({ pk: link.pk, ...(labelName && { [labelName]: link.label }) })
  if (definition.role === 'one') {
    const link = linkIn(record, name)
    return link && compact(link)
  }
  return linksIn(record, name).flatMap(({ pk }) => {
    const label = labels.get(`${target?.name} ${pk}`)
    return label === undefined ? [] : [compact({ pk, label })]
  })
}

const usernamesOf = async (
  context: Context,
  transitions: readonly RecordTransition[],
): Promise<ReadonlyMap<string, string>> => {
  const people = context.platform.registry.resource(users)
  const pks = transitions.flatMap(({ entry: { by } }) => by ?? [])
  const visible = context.visibility.records(people)
  if (pks.length === 0 || visible === false) return new Map()
  const which = both(among(people, [...new Set(pks)]), visible === true ? null : visible)
  const { records } = await context.platform.store.find(people, everything(people, which, pks.length))
  return new Map(records.flatMap(({ pk, username }) => (typeof username === 'string' ? [[pk, username] as const] : [])))
}

const labelOf = ({ label }: Resource, record: StoredRecord): string | null => {
  const text = label && record[label.name]
  return typeof text === 'string' ? text : null
}

/** Labels of records in lists. One that exists no longer has none; one that the caller may not read is left out. */
const labelsOf = async (
  { platform: { store }, visibility }: Context,
  fields: readonly ResourceField[],
  transitions: readonly RecordTransition[],
): Promise<Labels> => {
  const labels = new Map<string, string | null>()
  for (const { name, definition, target } of fields) {
    if (definition.role !== 'links' || !target) continue
    const states = transitions.flatMap(({ entry, after }) => [entry.before, after])
    const pks = [...new Set(states.flatMap(state => (state ? linksIn(state, name) : [])).map(({ pk }) => pk))]
    if (pks.length === 0) continue
    const seen = visibility.records(target)
    const all = await store.find(target, everything(target, among(target, pks), pks.length))
    const readable =
      seen === true
        ? all
        : await store.find(
            target,
            everything(
              target,
              both(among(target, pks), seen === false ? { op: 'const', value: false } : seen),
              pks.length,
            ),
          )
    const hidden = new Set(all.records.map(({ pk }) => pk))
    for (const record of readable.records) {
      hidden.delete(record.pk)
      labels.set(`${target.name} ${record.pk}`, labelOf(target, record))
    }
    for (const pk of pks)
      if (!hidden.has(pk) && !labels.has(`${target.name} ${pk}`)) labels.set(`${target.name} ${pk}`, null)
  }
  return labels
}
