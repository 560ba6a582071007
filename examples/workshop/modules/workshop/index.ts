// The module: everything that the workshop adds to the service.

import { defineModule } from 'plinth'
import { collectTicket } from './collect-ticket.ts'
import { customers } from './customers.ts'
import { demoShop } from './demo-shop.ts'
import { devices } from './devices.ts'
import { invoiceMail } from './invoice-mail.ts'
import { invoices } from './invoices.ts'
import { mailRevenue, revenueMail } from './mail-revenue.ts'
import { monthlyRevenue } from './monthly-revenue.ts'
import { parts, partUses } from './parts.ts'
import { postponeTicket } from './postpone-ticket.ts'
import { workshopProblem } from './problems.ts'
import { workshopSettings } from './settings.ts'
import { shops, staff } from './shops.ts'
import { takeTicket } from './take-ticket.ts'
import { tickets } from './tickets.ts'

export const workshop = defineModule({
  name: 'workshop',
  title: { en: 'Workshop', de: 'Werkstatt' },
  about: { en: 'Repairs in several shops.', de: 'Reparaturen in mehreren Filialen.' },
  settings: [workshopSettings],
  problems: workshopProblem.table,
  rules: { sameShop: 'record.shop == caller.user.shop' },
  resources: [shops, customers, devices, tickets, parts, partUses, invoices],
  extensions: [staff],
  endpoints: [takeTicket, postponeTicket, collectTicket],
  mails: [invoiceMail, revenueMail],
  jobs: [mailRevenue],
  reports: [monthlyRevenue],
  seeds: [demoShop],
  web: './web/index.tsx',
})
