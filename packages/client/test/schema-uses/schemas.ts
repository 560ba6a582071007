// The applications whose schemas are used: that of this repository, and both examples.

import type { UsedResource, UsedSchema } from './used-resource.ts'

const version = { name: 'version', type: 'number' }
const name = { name: 'name', type: 'string' }

const countries: UsedResource = {
  name: 'countries',
  create: "{ pk: 'FR', name: 'France' }",
  text: 'name',
  number: version,
  one: { name: 'parent', target: 'continents', field: name, optional: true },
  many: { name: 'children', target: 'localities', field: name },
}
const localities: UsedResource = {
  name: 'localities',
  create: "{ pk: 'paris', name: 'Paris' }",
  text: 'name',
  number: version,
  one: { name: 'parent', target: 'countries', field: name, optional: true },
  many: { name: 'children', target: 'postalCodes', field: name },
}

const platform: UsedSchema = {
  name: 'this repository',
  app: 'plinth.config.ts',
  resources: [
    countries,
    localities,
    {
      name: 'films',
      create: "{ title: 'Metropolis', pricingStrategy: '1' }",
      text: 'title',
      number: { name: 'releaseYear', type: 'number | null' },
      one: { name: 'pricingStrategy', target: 'filmPricingStrategies', field: name },
      many: { name: 'copies', target: 'filmInventoryEntries', field: { name: 'barcode', type: 'string | null' } },
    },
  ],
  wrong: [
    { code: 'client.endpoints.submitOrder()', named: "'submitOrder'" },
    { code: "client.call('POST /api/rest/order/order')", named: '"POST /api/rest/order/order"' },
    { code: '(await client.endpoints.describeStore()).curency', named: "'curency'" },
    { code: 'client.endpoints.describeStore({ body: {} })', named: "'body'" },
  ],
  right: [
    {
      code: 'await client.endpoints.describeStore()',
      type: '{ readonly currency: string; readonly timeZone: string }',
    },
    { code: '(await client.endpoints.readCurrentUser()).username', type: 'string' },
  ],
}

const library: UsedSchema = {
  name: 'the library',
  app: 'examples/library/plinth.config.ts',
  resources: [
    countries,
    {
      name: 'books',
      create: "{ title: 'Emma', author: '1' }",
      text: 'title',
      number: { name: 'copies', type: 'number' },
      one: { name: 'author', target: 'authors', field: name },
    },
    {
      name: 'authors',
      create: "{ name: 'Jane Austen' }",
      text: 'name',
      number: { name: 'born', type: 'number | null' },
      many: { name: 'books', target: 'books', field: { name: 'title', type: 'string' } },
    },
  ],
  wrong: [
    { code: 'client.endpoints.returnLoan()', named: 'arguments' },
    { code: 'client.endpoints.returnLoans()', named: "'returnLoans'" },
    { code: "client.endpoints.returnLoan({ params: { id: '1' } })", named: "'id'" },
    { code: "client.loans.create({ book: '1', due: '2026-01-01' })", named: "'due'" },
    { code: "client.loans.create({ book: '1', borrower: '1' })", named: "'borrower'" },
  ],
  right: [
    { code: "(await client.endpoints.returnLoan({ params: { pk: '1' } })).returned", type: 'string | null' },
    { code: "(await client.loans.get('1')).overdue", type: 'boolean' },
  ],
}

const workshop: UsedSchema = {
  name: 'the workshop',
  app: 'examples/workshop/plinth.config.ts',
  resources: [
    {
      name: 'tickets',
      create: "{ shop: '1', device: '1', damage: 'Broken', broughtOn: '2026-01-01' }",
      text: 'damage',
      number: { name: 'estimate', type: 'number | null' },
      one: { name: 'device', target: 'devices', field: name },
      many: { name: 'parts', target: 'partUses', field: { name: 'count', type: 'number' } },
    },
    {
      name: 'customers',
      create: "{ shop: '1', name: 'Ada' }",
      text: 'name',
      number: version,
      one: { name: 'shop', target: 'shops', field: name },
      many: { name: 'devices', target: 'devices', field: name },
    },
    {
      name: 'parts',
      create: "{ shop: '1', name: 'Screw', price: 0.5 }",
      text: 'name',
      number: { name: 'stock', type: 'number' },
      one: { name: 'shop', target: 'shops', field: name },
    },
  ],
  wrong: [
    { code: "client.endpoints.collectTicket({ params: { pk: '1' }, body: { paidBy: 'gold' } })", named: '"gold"' },
    { code: "client.endpoints.collectTicket({ params: { pk: '1' } })", named: "'body'" },
    { code: "client.tickets.update('1', { state: 'lost' })", named: '"lost"' },
    {
      code: "client.tickets.create({ shop: '1', device: '1', damage: 'A', broughtOn: '2026-01-01', state: 'ready' })",
      named: '"ready"',
    },
    { code: "client.tickets.update('1', { number: '7' })", named: "'number'" },
    { code: "client.devices.create({ shop: '1', owner: '1', name: 'A', kind: 'car' })", named: '"car"' },
    { code: 'client.invoices.create({ total: 7 })', named: "'total'" },
  ],
  right: [
    { code: "(await client.endpoints.takeTicket({ params: { pk: '1' } })).state", type: 'State' },
    { code: "(await client.tickets.get('1')).state", type: 'State' },
    { code: "(await client.tickets.get('1')).number", type: 'string' },
    { code: "(await client.invoices.get('1')).total", type: 'number | null' },
  ],
}

export const schemas: readonly UsedSchema[] = [platform, library, workshop]
