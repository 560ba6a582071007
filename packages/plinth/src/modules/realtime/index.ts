import { defineModule } from '../../core/module.ts'
import { realtimeSettings } from './limits.ts'
import { stompInstances, stompSessions } from './presence.ts'
import { createRealtime } from './realtime.ts'
import { eventsEndpoint } from './server-sent-events.ts'
import { plainSocketEndpoint, stompRoute } from './stomp-route.ts'
import { realtimeFault } from './topics.ts'

export { createChangeTopic, readVisibleRecord } from './change-topic.ts'
export { EventBatch, type Topic } from './topic.ts'

export const realtime = defineModule({
  name: 'realtime',
  title: { de: 'Echtzeit' },
  about: {
    en: 'Realtime updates: STOMP over WebSockets, and server-sent events.',
    de: 'Änderungen in Echtzeit: STOMP über WebSockets und Server-Sent Events.',
  },
  reservedNames: ['events'],
  faults: realtimeFault.table,
  settings: [realtimeSettings],
  resources: [stompSessions, stompInstances],
  create: service => {
    const realtime = createRealtime(service)
    return {
      endpoints: [eventsEndpoint(service, realtime), plainSocketEndpoint],
      sockets: () => [stompRoute(service, realtime)],
      start: realtime.start,
    }
  },
})
