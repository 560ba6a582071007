// Two shops for demo mode; `staff` works in the first of them.

import { cents, type Seed } from 'plinth'
import { customers } from './customers.ts'
import { devices } from './devices.ts'
import { parts } from './parts.ts'
import { shops, staff } from './shops.ts'
import { tickets } from './tickets.ts'

export const demoShop: Seed = {
  name: 'workshop.demo',
  demo: true,
  run: async ({ records, now }) => {
    const harbour = await records.create(shops, { name: 'Harbour', address: '1 Quay Street' })
    await records.create(shops, { name: 'Old Town', address: '9 Market Square' })
    const clerk = await records.first(staff, { where: { username: 'staff' } })
    if (clerk) await records.update(staff, clerk.pk, { shop: harbour.pk })
    const shop = harbour.pk
    const nora = await records.create(customers, { shop, name: 'Nora Lind', email: 'nora@example.org' })
    const bicycle = await records.create(devices, { shop, owner: nora.pk, name: 'Brompton C Line', kind: 'bicycle' })
    await records.create(parts, { shop, name: 'Brake cable', price: cents(7.9), stock: 12 })
    await records.create(parts, { shop, name: 'Chain', price: cents(24.5), stock: 3 })
    const broughtOn = now.toISOString().slice(0, 10)
    await records.create(tickets, { shop, device: bicycle.pk, damage: 'The rear brake does not hold.', broughtOn })
  },
}
