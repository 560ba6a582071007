// The customer is promised another day.

import { date, defineEndpoint } from 'plinth'
import { tickets } from './tickets.ts'

export const postponeTicket = defineEndpoint({
  method: 'POST',
  path: '/api/rest/tickets/{pk}/postpone',
  id: 'postponeTicket',
  summary: 'Promise another day',
  access: 'caller.signedIn',
  when: "record.state == 'received' || record.state == 'repairing'",
  // When parts are late, many customers wait longer: the button is there for several selected tickets, too.
  button: { title: { en: 'Postpone', de: 'Verschieben' }, bulk: true },
  body: { promisedFor: date({ required: true, title: { en: 'Promised for', de: 'Versprochen für' } }) },
  answers: { 200: tickets },
  problems: [404, 409],
  run: ({ params, body, records }) => records.update(tickets, params.pk, { promisedFor: body.promisedFor }),
})
