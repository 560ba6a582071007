import { defineModule } from '../../core/module.ts'
import { realtimeOf } from './realtime.ts'
import { eventsRoute } from './server-sent-events.ts'
import { plainRoute, stompRoute } from './stomp-route.ts'
import { stompInstances, stompSessions } from './stomp-sessions.ts'
import { realtimeFault } from './topics.ts'
import { realtimeSettings } from './user-limits.ts'

export const realtime = defineModule({
  name: 'realtime',
  title: { de: 'Echtzeit' },
  about: {
    en: 'Changes as they happen: STOMP over WebSockets, and server-sent events.',
    de: 'Änderungen, sobald sie geschehen: STOMP über WebSockets und Server-Sent Events.',
  },
  reservedNames: ['events'],
  faults: realtimeFault.table,
  settings: [realtimeSettings],
  resources: [stompSessions, stompInstances],
  routes: service => [eventsRoute(service), plainRoute(service)],
  sockets: service => [stompRoute(service)],
  start: service => realtimeOf(service).start(),
})
