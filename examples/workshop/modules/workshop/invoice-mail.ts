// The invoice, by mail to the customer.

import { defineMail, queueMail, type Row, type TransactionRecords } from 'plinth'
import { customers } from './customers.ts'
import { devices } from './devices.ts'
import type { invoices } from './invoices.ts'
import { tickets } from './tickets.ts'

interface InvoiceContent {
  readonly customer: string
  readonly device: string
  readonly number: string
  readonly total: string
}

export const invoiceMail = defineMail<InvoiceContent>('workshopInvoice', {
  // The service has made them: a point in a number begins no address.
  trusted: ['number', 'total'],
  texts: {
    en: ({ customer, device, number, total }) => ({
      subject: `Your invoice ${number}`,
      greeting: `Hello ${customer},`,
      paragraphs: [`thank you for your visit. The repair of “${device}” was ${total}.`],
      note: 'You get this e-mail because you collected a device.',
    }),
    de: ({ customer, device, number, total }) => ({
      subject: `Ihre Rechnung ${number}`,
      greeting: `Guten Tag ${customer},`,
      paragraphs: [`danke für Ihren Besuch. Die Reparatur von „${device}“ hat ${total} gekostet.`],
      note: 'Sie erhalten diese E-Mail, weil Sie ein Gerät abgeholt haben.',
    }),
  },
})

/** Mails the invoice to the customer, if there is an address. */
export const mailInvoice = async (records: TransactionRecords, invoice: Row<typeof invoices>): Promise<void> => {
  const ticket = await records.get(tickets, invoice.ticket.pk)
  const device = await records.get(devices, ticket.device.pk)
  const customer = await records.get(customers, device.owner.pk)
  if (customer.email === null) return
  const total = `${((invoice.total ?? 0) / 100).toFixed(2)}`
  await queueMail(records, invoiceMail, {
    recipient: customer.email,
    locale: 'en',
    content: { customer: customer.name, device: device.name, number: invoice.number ?? '', total },
  })
}
