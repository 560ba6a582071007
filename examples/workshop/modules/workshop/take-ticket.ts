// A technician takes over a repair that has been received.

import { defineEndpoint } from 'plinth'
import { tickets } from './tickets.ts'

export const takeTicket = defineEndpoint({
  method: 'POST',
  path: '/api/rest/tickets/{pk}/take',
  id: 'takeTicket',
  summary: 'Take over a repair',
  access: 'caller.signedIn',
  when: "record.state == 'received'",
  button: { title: { en: 'Take over', de: 'Übernehmen' } },
  answers: { 200: tickets },
  problems: [404, 409],
  run: ({ params, caller, records }) =>
    records.update(tickets, params.pk, { technician: caller.pk, state: 'repairing' }),
})
