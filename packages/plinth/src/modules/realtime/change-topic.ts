// /topic/{resource} and /topic/{resource}/{pk}: changes of records, to each subscriber as far as they may read them.
//
// A change is published as the subscriber may see it, by the same rule, link filters and view as REST: a record that
// becomes visible is `created`, one that stops being visible `deleted`. Whether it was visible before is judged by the
// fields that the rule looks at, kept with the event. Where the rule looks further, at other records, the database is
// asked; of what is gone nothing can be asked, so such a deletion is sent only to those whom no rule restricts.

import { formatsByName } from '../../core/formats/index.ts'
import type { ChangeEvent, ChangeType } from '../../core/model/event.ts'
import { linkFiltersOf } from '../../core/model/link-filters.ts'
import { matchesImage } from '../../core/model/match-image.ts'
import { both, type Filter, type LinkFilters, toFilter } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Context } from '../../core/rest/context.ts'
import { type Audience, callerKey, idOf, type Key, type Message, type Topic } from './topic.ts'

export interface ChangeTopic {
  readonly resource: Resource
  readonly pk?: string
  /** Restricts the topic to records that match: one that begins to match is `created`, one that ceases to `deleted`. */
  readonly filterFor?: (context: Context) => Filter | null
  /** Restricts the topic to events that pass, such as those of the caller's own records. */
  readonly only?: (event: ChangeEvent, audience: Audience) => boolean
}

export const createChangeTopic = (destination: string, { resource, pk, only, filterFor }: ChangeTopic): Topic => {
  const holder = resource.holder
  const isOurs = isPartOf(resource)
  return {
    key: destination,
    holders: [holder.name],
    ...(pk !== undefined && { pk }),
    audienceFor: listener => ({ ...listener, key: audienceKey(resource, listener, only !== undefined) }),
    messages: async (batch, audience) => {
      const relevant = batch
        .of(holder.name)
        .filter(event => (pk === undefined || event.pk === pk) && isOurs(event) && (only?.(event, audience) ?? true))
      if (relevant.length === 0) return []
      const look = createLook(resource, audience, filterFor?.(audience.context) ?? null)
      const messages = await Promise.all(relevant.map(event => toMessage(event, { look, resource, audience })))
      return messages.filter(message => message !== null)
    },
  }
}

/** Records that share a table are distinguished by one of its fields. */
const isPartOf = ({ definition: { storedIn } }: Resource): ((event: ChangeEvent) => boolean) =>
  storedIn ? ({ seen }) => seen?.[storedIn.where.field] === storedIn.where.equals : () => true

/** The key of an audience: callers whom no rule restricts share all messages; others get their own. */
const audienceKey = (resource: Resource, listener: Omit<Audience, 'key'>, isPersonal: boolean): Key => {
  const { context, base, wantsRecord } = listener
  const decision = context.platform.access.permit(resource, 'read', context.caller)
  const view = context.visibility.view(resource)
  const isOpen = decision === true && !isPersonal && linkFiltersOf(view, context.visibility).size === 0
  return [wantsRecord ? [base, idOf(view)] : null, isOpen ? null : callerKey(context)]
}

/** One audience's look at a resource, for the length of a batch. */
interface Look {
  readonly filter: Filter | null
  /** The record as it is now, if the audience may see it. */
  record(pk: string): Promise<StoredRecord | null>
  text(record: StoredRecord): string
}

const createLook = (
  resource: Resource,
  { context, base }: Pick<Audience, 'context' | 'base'>,
  matching: Filter | null = null,
): Look => {
  const { platform, caller, visibility } = context
  const filter = both(toFilter(platform.access.permit(resource, 'read', caller)), matching)
  const view = visibility.view(resource)
  const linkFilters: LinkFilters = linkFiltersOf(view, visibility)
  const records = new Map<string, Promise<StoredRecord | null>>()
  return {
    filter,
    record: pk => {
      const found = records.get(pk) ?? platform.store.get(resource, pk, { visible: filter, linkFilters })
      records.set(pk, found)
      return found
    },
    text: record => formatsByName.json.item({ view, record, included: [] }, base),
  }
}

interface RecordToRead extends Pick<Audience, 'context' | 'base'> {
  readonly resource: Resource
  readonly pk: string
}

/** The record as the caller of the context may see it now, as JSON; null when there is none. */
export const readVisibleRecord = async ({ resource, pk, ...audience }: RecordToRead): Promise<string | null> => {
  const look = createLook(resource, audience)
  const record = await look.record(pk)
  return record && look.text(record)
}

interface Telling {
  readonly look: Look
  readonly resource: Resource
  readonly audience: Audience
}

const toMessage = async (event: ChangeEvent, { look, resource, audience }: Telling): Promise<Message | null> => {
  const type = look.filter ? await typeInSight(event, look, look.filter) : event.type
  if (type === null) return null
  const { sequence, pk } = event
  const start = `{"sequence":${sequence},"type":"${type}","resource":"${resource.name}","pk":${JSON.stringify(pk)}`
  const record = audience.wantsRecord && type !== 'deleted' ? await look.record(pk) : null
  return { sequence, body: record ? `${start},"record":${look.text(record)}}` : `${start}}` }
}

const typeInSight = async (event: ChangeEvent, look: Look, filter: Filter): Promise<ChangeType | null> => {
  const { type, pk, seen, was } = event
  const after = matchesImage(filter, pk, seen)
  if (type === 'deleted') return after === true ? 'deleted' : null
  const isVisible = after ?? (await look.record(pk)) !== null
  if (type === 'created') return isVisible ? 'created' : null
  const wasVisible = was ? matchesImage(filter, pk, was) : null
  if (isVisible) return wasVisible === false ? 'created' : 'updated'
  return wasVisible === true ? 'deleted' : null
}
