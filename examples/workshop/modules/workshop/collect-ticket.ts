// The customer collects the device and pays. The web client shows it as a button on tickets that are ready.

import { choice, defineEndpoint } from 'plinth'
import { mailInvoice } from './invoice-mail.ts'
import { invoices } from './invoices.ts'
import { partUses } from './parts.ts'
import { workshopSettings } from './settings.ts'
import { tickets } from './tickets.ts'

const hour = 3600_000

export const collectTicket = defineEndpoint({
  method: 'POST',
  path: '/api/rest/tickets/{pk}/collect',
  id: 'collectTicket',
  summary: 'Collect a device',
  access: 'caller.signedIn',
  when: {
    rule: "record.state == 'ready'",
    message: { en: 'Only a device that is ready can be collected.', de: 'Abgeholt wird nur, was fertig ist.' },
  },
  button: { title: { en: 'Collect', de: 'Abholen' } },
  body: { paidBy: choice(['cash', 'card'], { required: true, title: { en: 'Paid by', de: 'Bezahlt mit' } }) },
  answers: { 200: invoices },
  problems: [409],
  run: ({ params, records, settings, now }) =>
    records.transaction(async inside => {
      const { hourlyRate, vatPercent } = settings(workshopSettings)
      // Of two clerks who press the button at once, the second finds the ticket collected: its state allows no other step.
      const ticket = await inside.update(tickets, params.pk, { state: 'collected' })
      const used = await inside.find(partUses, { where: { ticket: ticket.pk } })
      const work = Math.round(((ticket.work ?? 0) / hour) * hourlyRate)
      const net = used.reduce((sum, { count, price }) => sum + count * (price ?? 0), work)
      const tax = Math.round((net * vatPercent) / 100_00)
      const invoice = await inside.asService.create(invoices, {
        ...{ shop: ticket.shop.pk, ticket: ticket.pk, paid: now.toISOString() },
        ...{ net, tax, total: net + tax },
      })
      await mailInvoice(inside, invoice)
      return invoice
    }),
})
