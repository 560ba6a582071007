// The revenue of the last month: on the first of each month, every shop gets its own by mail, with the numbers as a file.

import { defineJob, defineMail, queueMail } from 'plinth'
import { invoices } from './invoices.ts'
import { shops } from './shops.ts'

interface RevenueContent {
  readonly shop: string
  readonly month: string
  readonly invoices: number
  readonly total: string
}

export const revenueMail = defineMail<RevenueContent>('workshopRevenue', {
  isUrgent: false,
  // The service has made them: a point in a number begins no address.
  trusted: ['month', 'total'],
  texts: {
    en: ({ shop, month, invoices, total }) => ({
      subject: `Revenue of ${month}`,
      greeting: `Hello ${shop},`,
      paragraphs: [`in ${month} you wrote ${invoices} invoices of ${total} together.`],
      note: 'You get this e-mail on the first of each month.',
    }),
    de: ({ shop, month, invoices, total }) => ({
      subject: `Umsatz ${month}`,
      greeting: `Guten Tag ${shop},`,
      paragraphs: [`${month} haben Sie ${invoices} Rechnungen über zusammen ${total} geschrieben.`],
      note: 'Sie erhalten diese E-Mail am Ersten jedes Monats.',
    }),
  },
})

const timeZone = 'Europe/Berlin'

const amount = (cents: number | null): string => ((cents ?? 0) / 100).toFixed(2)

export const mailRevenue = defineJob({
  name: 'mail-revenue',
  about: {
    en: 'Mails each shop its revenue of the last month.',
    de: 'Sendet jeder Filiale ihren Umsatz des letzten Monats.',
  },
  cron: '0 6 1 * *',
  timeZone,
  run: async ({ records, now }) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7)
    const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 0)).toISOString()
    const groups = await records.aggregate(invoices, {
      where: { paid: { ge: since } },
      group: ['shop', 'paid:month'],
      count: true,
      sum: ['net', 'tax', 'total'],
      timeZone,
    })
    for (const { group, count, sum } of groups) {
      const shop = group.shop === null ? null : await records.first(shops, { where: { pk: group.shop } })
      if (!group['paid:month']?.startsWith(month) || shop?.email == null) continue
      const { name, email: recipient } = shop
      const table = ['invoices,net,tax,total', [count, ...[sum.net, sum.tax, sum.total].map(amount)].join(',')]
      await records.transaction(inside =>
        queueMail(inside, revenueMail, {
          ...{ recipient, locale: 'en' },
          content: { shop: name, month, invoices: count, total: amount(sum.total) },
          attachments: [{ name: `revenue-${month}.csv`, mediaType: 'text/csv', content: `${table.join('\n')}\n` }],
        }),
      )
    }
  },
})
