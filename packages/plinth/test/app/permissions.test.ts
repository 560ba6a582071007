// Who may do what on every resource, held against the table that was decided on. A resource without a row fails.

import { featureDatabases } from '@plinth/test-kit/databases'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { makeSample, sampleOf } from '@plinth/test-kit/samples'
import { type Client, type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRegistry } from '../../src/core/model/registry.ts'
import type { Resource } from '../../src/core/model/resource.ts'

const callers = ['anonymous', 'simple', 'staff', 'operator', 'admin'] as const
type Caller = (typeof callers)[number]

/** A letter for each caller in turn: `y` yes, `n` no, `o` for records of their own. */
type Rights = Readonly<Record<'read' | 'create' | 'replace' | 'patch' | 'delete', string>>

const rights = (read: string, write: string, other: Partial<Rights> = {}): Rights => ({
  read,
  create: write,
  replace: write,
  patch: write,
  delete: write,
  ...other,
})

const everyone = 'yyyyy'
const users = 'nyyyy'
const own = 'noooy'
const ownOrOperator = 'nooyy'
const operators = 'nnnyy'
const staff = 'nnyny'
const admins = 'nnnny'
const none = 'nnnnn'

const table: Readonly<Record<string, Rights>> = {
  users: rights(users, admins, { patch: ownOrOperator }),
  roles: rights(users, admins),
  userCredentials: rights(own, admins),
  apiKeys: rights(own, own, { create: users }),
  registrationCodeBatches: rights(operators, operators),
  userRegistrationCodes: rights(operators, admins),
  friendships: rights(own, own),
  contactDetails: rights(ownOrOperator, ownOrOperator),
  personalDetails: rights(ownOrOperator, ownOrOperator),
  continents: rights(everyone, operators),
  countries: rights(everyone, operators),
  localities: rights(users, operators),
  postalCodes: rights(users, operators),
  hosts: rights(users, admins),
  stompSessions: rights(ownOrOperator, admins, { delete: own }),
  userAgents: rights(operators, admins),
  errorLogs: rights(operators, admins),
  clientErrors: rights(ownOrOperator, operators, { create: everyone }),
  systemErrors: rights(operators, admins),
  allErrors: rights(ownOrOperator, admins),
  films: rights(users, staff),
  filmActors: rights(users, staff),
  filmCategories: rights(users, staff),
  filmPricingStrategies: rights(users, staff),
  filmInventoryEntries: rights(users, staff),
  clients: rights(users, staff),
  rentals: rights('noyoy', staff),
  payments: rights('noyoy', none, { create: staff }),
  webhooks: rights(own, own, { create: users }),
  // Callers read those of their own webhooks.
  webhookDeliveries: rights(users, none),
  // Written by the service alone.
  mails: rights(admins, none, { delete: admins }),
  memberships: rights(operators, none),
}

const registry = createRegistry(modulesFor(loadConfig({ env: {}, cwd: '/' })).flatMap(module => module.resources))
const resources = registry.resources.filter(({ definition }) => !definition.internal)

test('every resource that has routes has a row, and every row has a resource', () => {
  expect(Object.keys(table).sort()).toEqual(resources.map(({ name }) => name).sort())
})

interface Aim {
  readonly all: string
  readonly one: string
  /** A body for a new record of another user. */
  readonly strange: () => Promise<unknown>
}

interface Probe {
  readonly ask: (client: Client, aim: Aim) => ReturnType<Client>
  /** The requests instead of the above, to see whether a caller is kept to their own. */
  readonly askForOthers?: Probe['ask']
  /** What tells that the caller has passed the rule, without anything being written. */
  readonly yes: number
  /** What a caller meets who may do so only to records of their own. */
  readonly own: readonly number[]
}

const stale = { 'If-Match': '"0-stale"' }
const json = { 'Content-Type': 'application/json' }

const probes: Readonly<Record<keyof Rights, Probe>> = {
  read: { ask: (client, { one }) => client.get(one), yes: 200, own: [404] },
  create: {
    ask: (client, { all }) => client.post(all, []),
    askForOthers: async (client, { all, strange }) => client.post(all, await strange()),
    yes: 400,
    own: [403],
  },
  replace: {
    ask: (client, { one }) => client.put(one, {}, { ...json, ...stale }),
    // Of a record that is out of sight, every version is stale.
    askForOthers: (client, { one }) => client.put(one, {}, json),
    yes: 412,
    own: [403, 404],
  },
  // Which changes nothing: 204 in JSON, while JSON:API would answer with the document.
  patch: {
    ask: (client, { one }) => client.patch(one, {}, { ...json, Accept: 'application/json' }),
    yes: 204,
    own: [403, 404],
  },
  delete: { ask: (client, { one }) => client.delete(one, stale), yes: 412, own: [403, 404] },
}

const expectedOf = (letter: string | undefined, caller: Caller, probe: Probe): readonly number[] => {
  if (letter === 'y') return [probe.yes]
  if (letter === 'o') return probe.own
  return [caller === 'anonymous' ? 401 : 403]
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(database)
  })
  afterAll(() => service.stop())

  test.each(resources.map(resource => [resource.name, resource] as const))('%s', async (name, resource: Resource) => {
    const isMade = table[name]?.create.endsWith('y')
    const pk = isMade ? (await makeSample(service.as('admin'), resource)).body.pk : 'no-such-record'
    const aim = {
      all: `/api/rest/${name}`,
      one: `/api/rest/${name}/${encodeURIComponent(pk)}`,
      strange: () => sampleOf(service.as('admin'), resource),
    }
    const seen: string[] = []
    const missing: string[] = []
    for (const [operation, probe] of Object.entries(probes) as [keyof Rights, Probe][]) {
      for (const [at, caller] of callers.entries()) {
        const letter = table[name]?.[operation][at]
        const ask = (letter === 'o' && probe.askForOthers) || probe.ask
        const answer = await ask(service.as(caller as DemoUser | 'anonymous'), aim)
        // A caller who passed the rule gets 404 for a record that cannot be created.
        const status = !isMade && answer.status === 404 ? probe.yes : answer.status
        const expected = expectedOf(letter, caller, probe)
        seen.push(`${operation} ${caller} ${status}`)
        missing.push(`${operation} ${caller} ${expected.includes(status) ? status : expected.join(' or ')}`)
      }
    }
    expect(seen).toEqual(missing)
    expect((await service.as('admin').get(aim.one)).status).toBe(isMade ? 200 : 404)
  })

  test('internal tables of the service have no address, even for administrators', async () => {
    for (const { name, definition } of registry.resources) {
      if (!definition.internal) continue
      const replies = [
        await service.as('admin').get(`/api/rest/${name}`),
        await service.as('admin').get(`/api/rest/${name}/x`),
        await service.as('admin').post(`/api/rest/${name}`, {}),
      ]
      expect([name, ...replies.map(reply => reply.status)]).toEqual([name, 404, 404, 404])
    }
  })
})
