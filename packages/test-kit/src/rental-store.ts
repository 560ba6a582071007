// The demo store as tests meet it: a counter with a clock that they set.

import type { TestedDatabase } from './databases.ts'
import { type Answer, type Client, startService, type TestService } from './service.ts'

export const people = {
  admin: '00000000-0000-7000-8000-000000000001',
  staff: '00000000-0000-7000-8000-000000000003',
  client: '00000000-0000-7000-8000-000000000004',
  simple: '00000000-0000-7000-8000-000000000005',
} as const

/** Three copies of each, free at the start. */
export const demoTitles = ['Matrix 11', 'Spider-Man', 'Spider-Man 2', 'Out of Africa'] as const

export const copyOf = (title: (typeof demoTitles)[number], which = 0): string =>
  `00000000-0000-7000-a005-${String(demoTitles.indexOf(title) * 3 + which).padStart(12, '0')}`

export const strategyPk = { new: 0, regular: 1, old: 2 } as const
export const strategyOf = (kind: keyof typeof strategyPk): string =>
  `00000000-0000-7000-a001-00000000000${strategyPk[kind]}`

export const unknownPk = '0198c1a2-7f3e-7c44-9d1b-5a2e8f60b7d3'

export interface TestStore extends TestService {
  readonly staff: Client
  readonly admin: Client
  /** The clock's hands. */
  readonly time: { now: Date; forward(days: number): void; set(instant: string): void }
  quote(copy: string, days?: number): Promise<Answer>
  /** Quotes each copy, then submits what was quoted. */
  rent(copies: readonly (readonly [copy: string, days: number])[], customer?: string): Promise<Answer>
  bringBack(copies: readonly string[], customer?: string): Promise<Answer>
  submit(items: readonly unknown[], customer?: string | null, more?: object): Promise<Answer>
  /** How many records each collection of the counter holds, and the state of every copy: unchanged when nothing was written. */
  books(): Promise<string>
}

const dayLength = 24 * 3600_000

export const openStore = async (
  database: TestedDatabase,
  settings: Record<string, string> = {},
): Promise<TestStore> => {
  const time = {
    now: new Date('2024-05-17T10:00:00.000Z'),
    forward: (days: number) => {
      time.now = new Date(time.now.getTime() + days * dayLength)
    },
    set: (instant: string) => {
      time.now = new Date(instant)
    },
  }
  const service = await startService(database, { clock: () => time.now, settings })
  const [staff, admin] = [service.as('staff'), service.as('admin')]
  const quote = (copy: string, days = 1) => staff.get(`/api/rest/order/orders/${copy}?days=${days}`)
  const submit = (items: readonly unknown[], customer: string | null = people.client, more: object = {}) =>
    staff.post('/api/rest/order/orders', { items, ...(customer !== null && { customer }), ...more })
  return {
    ...service,
    staff,
    admin,
    time,
    quote,
    submit,
    rent: async (copies, customer) => {
      const items = []
      for (const [copy, days] of copies) items.push((await quote(copy, days)).body)
      return submit(items, customer)
    },
    bringBack: async (copies, customer) => {
      const items = []
      for (const copy of copies) items.push((await quote(copy)).body)
      return submit(items, customer)
    },
    books: async () => {
      const whole = async (name: string) =>
        (await admin.get(`/api/rest/${name}?_ps=500&sort=pk`, { Accept: 'application/json' })).text
      return (await Promise.all(['rentals', 'payments', 'clients', 'filmInventoryEntries'].map(whole))).join('\n')
    },
  }
}
