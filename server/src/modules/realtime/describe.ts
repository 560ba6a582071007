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
  problems: [400, 401, 403, 404, 406, 429],
  answers: { 200: { says: 'The changes, as they happen.', content: { 'text/event-stream': { type: 'string' } } } },
}

export const describeSocket: Description = {
  id: 'openSocket',
  summary: 'Open a WebSocket that speaks STOMP',
  description:
    'Takes the credentials of any request at the handshake. Subscribe to `/topic/{resource}`, `/topic/{resource}/{pk}`, ' +
    '`/user/queue/friendships`, `/user/queue/updates/state` or `/user/queue/updates/activity`; the header `record:true` ' +
    'adds the records, and `last-sequence` tells what was missed.',
  tag: 'realtime',
  headers: {
    'Sec-WebSocket-Protocol': { says: '`v12.stomp`, `v11.stomp` or `v10.stomp`.' },
  },
  answers: { 101: { says: 'The socket is open.', headers: { Upgrade: '`websocket`.' } } },
  problems: [401, 403, 426, 429],
}
