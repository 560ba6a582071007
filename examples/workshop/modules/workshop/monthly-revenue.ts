import { defineReport } from 'plinth'
import { invoices } from './invoices.ts'

export const monthlyRevenue = defineReport(invoices, {
  name: 'monthly-revenue',
  title: { en: 'Revenue by month', de: 'Umsatz nach Monaten' },
  chart: 'bar',
  card: true,
  group: ['paid:month', 'shop.name'],
  count: true,
  sum: ['net', 'tax', 'total'],
  timeZone: 'Europe/Berlin',
})
