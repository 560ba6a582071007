import type { Description } from '../../core/model/description.ts'

export const describeEvents: Description = {
  id: 'listenToEvents',
  summary: 'Listen to changes as server-sent events',
  description:
    'One event for each change that the caller may see: `{sequence, type, resource, pk, record?}`, with the sequence as its ' +
    'identifier. Whoever comes back with `Last-Event-ID` is told what was missed; when that is not kept any more, the ' +
    'only event is `reload`.',
  tag: 'realtime',
  query: {
    topic: {
      says: 'A resource, `films` or `films/{pk}`, or a destination such as `/user/queue/friendships`; may be repeated.',
      schema: { type: 'array', items: { type: 'string' } },
      required: true,
    },
    record: { says: 'Also tell the record as it is now.', schema: { type: 'boolean', default: false } },
    lastEventId: { says: 'As the header `Last-Event-ID`, for those who cannot send it.' },
  },
  headers: { 'Last-Event-ID': { says: 'The last identifier received.' } },
  answers: { 200: { says: 'The changes, as they happen.', content: { 'text/event-stream': { type: 'string' } } } },
}
