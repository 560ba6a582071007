// A network of real processes: an operator and three members. Nodes are killed and cut off at random while they work. In
// the end all members agree with the operator, and no operation was lost or executed twice.

import { setTimeout as pause } from 'node:timers/promises'
import { extent } from '@plinth/test-kit/extent'
import { createRandom } from '@plinth/test-kit/random'
import { type Answer, startService, type TestService } from '@plinth/test-kit/service'
import { until } from '@plinth/test-kit/waiting'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NodeNetwork, startNodes } from './node-processes.ts'

const plans = [
  { name: 'operator', partyName: 'O=Operations, L=Athens, C=GR', role: 'operator' },
  { name: 'alpha', partyName: 'O=Alpha, L=London, C=GB', role: 'member' },
  { name: 'beta', partyName: 'O=Beta, L=Paris, C=FR', role: 'member' },
  { name: 'gamma', partyName: 'O=Gamma, L=Rome, C=IT', role: 'member' },
] as const
const memberNames = ['alpha', 'beta', 'gamma'] as const
const partyOf = (name: string): string => plans.find(plan => plan.name === name)?.partyName ?? ''

let network: NodeNetwork
let service: TestService
beforeAll(async () => {
  network = await startNodes(plans)
  const settings = {
    ...network.settings,
    'app.bnms.controllers': 'bnos,members',
    'app.bnms.timeoutMs': '3000',
    'app.log.level': 'silent',
  }
  service = await startService('sqlite', { settings })
}, 180_000)
afterAll(async () => {
  await service?.stop()
  await network?.close()
})

const operations = ['request', 'activate', 'suspend', 'amend', 'decline', 'revoke'] as const
type Operation = (typeof operations)[number]

const allowed: Record<Operation, readonly (string | undefined)[]> = {
  request: [undefined],
  activate: ['PENDING', 'SUSPENDED'],
  suspend: ['ACTIVE'],
  amend: ['ACTIVE'],
  decline: ['PENDING'],
  revoke: ['ACTIVE', 'SUSPENDED'],
}
/** Operations that end a membership for good are sent less often. */
const usual = ['request', 'activate', 'suspend', 'amend'] as const

const after: Record<Operation, string> = {
  request: 'PENDING',
  activate: 'ACTIVE',
  suspend: 'SUSPENDED',
  amend: 'ACTIVE',
  decline: 'DECLINED',
  revoke: 'REVOKED',
}

interface Order {
  readonly operation: Operation
  readonly member: string
  readonly networkId: string
  readonly serial: number
}

/** Sends the same order again until the nodes give a definite answer. */
const perform = async ({ operation, member, networkId, serial }: Order): Promise<Answer> => {
  const admin = service.as('admin')
  const headers = { 'Idempotency-Key': `order-${serial}`, 'Content-Type': 'application/json' }
  const operator = '/api/bnms/bnos/operator/memberships'
  const application = { party: 'Operations', networkId, membershipMetadata: { serial } }
  const decided = { member: partyOf(member), networkId }
  const send = (): Promise<Answer> => {
    const own = `/api/bnms/members/${member}/memberships`
    if (operation === 'request') return admin.post(own, application, headers)
    if (operation === 'amend') return admin.put(own, application, headers)
    if (operation === 'activate') return admin.put(operator, decided, headers)
    if (operation === 'suspend') return admin(operator, { method: 'DELETE', body: decided, headers })
    return admin.post(`${operator}/${operation}`, decided, headers)
  }
  return until(`${member} to ${operation} in ${networkId} (order ${serial})`, async () => {
    const answer = await send()
    if (answer.status !== 503) return answer
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    return null
  })
}

interface ListedMembership {
  readonly member: string
  readonly networkID: string
  readonly status: string
  readonly version: number
}

const keyOf = ({ member, networkID }: ListedMembership): string => `${member} ${networkID}`
const byKey = (records: readonly ListedMembership[]) =>
  [...records].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))

test('the four nodes are up, and each reports it at its own address', async () => {
  const { body } = await service.as('admin').get('/api/management/health')
  for (const { name } of plans) expect(body.nodes[name]).toMatchObject({ status: 'UP', kind: 'remote' })
  const listed = (await service.as('simple').get('/api/bnms/nodes')).body
  expect(listed).toContainEqual({
    name: 'alpha',
    party: partyOf('alpha'),
    organisation: 'Alpha',
    role: 'member',
    kind: 'remote',
    operators: [partyOf('operator')],
    health: { status: 'UP' },
    operations: { operator: null, member: '/api/bnms/members/alpha/memberships', header: 'X-Node' },
  })
  const { adminPort } = network.nodes.get('operator') ?? { adminPort: 0 }
  const health = await fetch(`http://127.0.0.1:${adminPort}/health`)
  expect([health.status, await health.json()]).toEqual([200, { status: 'UP' }])
})

const orders = extent(80, 200)

describe(`after ${orders} orders amid kills and partitions`, () => {
  const random = createRandom()
  const model = new Map<string, { status: string; version: number }>()
  let carriedOut = 0
  let restarts = 0

  const disturbances = ['kill', 'cut', 'lose', 'stop', 'cut', 'lose'] as const

  /** Breaks one thing. Returns its repair. */
  const disturb = async (kind: (typeof disturbances)[number]): Promise<() => Promise<void>> => {
    const name = random.pick(plans).name
    const other = random.pick(plans.filter(plan => plan.name !== name)).name
    const node = network.nodes.get(name)
    if (kind === 'kill' || kind === 'stop') {
      await (kind === 'kill' ? node?.kill() : node?.stop())
      restarts++
      return async () => node?.start()
    }
    const ways = [network.link(name, other), network.link(other, name)]
    if (kind === 'lose') {
      for (const way of ways) way.loseAnswer()
      return async () => {}
    }
    for (const way of ways) way.cut()
    return async () => {
      for (const way of ways) way.mend()
    }
  }

  beforeAll(async () => {
    let repaired: Promise<void> = Promise.resolve()
    for (let serial = 0; serial < orders; serial++) {
      if (serial % 8 === 2) {
        await repaired
        // In turns, so that every run has each of them. When and where is random.
        const repair = await disturb(disturbances[Math.floor(serial / 8) % disturbances.length] ?? 'kill')
        // Orders go on. Those that need what is broken wait for the repair.
        repaired = pause(random.next() * 1500).then(repair)
      }
      const member = random.pick(memberNames)
      const networkId = `net-${Math.floor(random.next() * 8)}`
      const key = `${partyOf(member)} ${networkId}`
      const known = model.get(key)
      const fitting = usual.filter(operation => allowed[operation].includes(known?.status))
      const order = {
        operation: random.pick(random.next() < 0.7 && fitting.length > 0 ? fitting : operations),
        member,
        networkId,
        serial,
      }
      const isAllowed = allowed[order.operation].includes(known?.status)
      const answer = await perform(order)
      const expected = isAllowed ? (order.operation === 'request' ? 201 : 200) : known ? 409 : 404
      expect([order, known?.status, answer.status]).toEqual([order, known?.status, expected])
      if (!isAllowed) continue
      carriedOut++
      const now = { status: after[order.operation], version: (known?.version ?? 0) + 1 }
      expect(answer.body).toMatchObject(now)
      model.set(key, now)
    }
    await repaired
    for (const { name } of plans)
      for (const other of plans) if (name !== other.name) network.link(name, other.name).mend()
  }, 600_000)

  test('enough nodes were restarted and enough orders carried out', () => {
    expect(restarts).toBeGreaterThan(orders / 30)
    expect(carriedOut).toBeGreaterThan(orders * 0.4)
  })

  test('the operator has carried out every order once', async () => {
    const { body } = await service.as('admin').get('/api/bnms/bnos/operator/memberships')
    const found = Object.fromEntries(
      body.map((one: ListedMembership) => [keyOf(one), { status: one.status, version: one.version }]),
    )
    expect(found).toEqual(Object.fromEntries(model))
    const total = [...model.values()].reduce((sum, { version }) => sum + version, 0)
    expect(total).toBe(carriedOut)
  })

  test.each(memberNames)('%s agrees with the operator, in its copies and after a refresh', async name => {
    const { body } = await service.as('admin').get('/api/bnms/bnos/operator/memberships')
    const all: readonly ListedMembership[] = body
    const own = all.filter(({ member }) => member === partyOf(name))
    const networks = own.filter(({ status }) => status === 'ACTIVE').map(({ networkID }) => networkID)
    const visible = byKey(
      all.filter(one => one.member === partyOf(name) || (one.status === 'ACTIVE' && networks.includes(one.networkID))),
    )
    const list = async (query: string) =>
      byKey((await service.as('admin').get(`/api/bnms/members/${name}/memberships?status=all${query}`)).body)
    await expect.poll(() => list(''), { timeout: 60_000 }).toEqual(visible)
    expect(await list('&forceRefresh=true')).toEqual(visible)
  })

  test.each(plans.map(({ name }) => name))(
    'the signatures and links of everything that %s stores are valid',
    async name => {
      const node = network.nodes.get(name)
      const verified = await node?.run('node', 'verify', name)
      expect([verified?.code, verified?.out]).toEqual([0, expect.stringMatching(/All signatures and links are valid/)])
      if (name === 'operator') expect(verified?.out).toContain(`${carriedOut} states`)
    },
    120_000,
  )

  test('no node has printed its password', () => {
    for (const node of network.nodes.values()) expect(node.said()).not.toContain('canary')
  })
})

test('while a node is down its operations are refused with Retry-After, and other nodes respond', async () => {
  const admin = service.as('admin')
  await network.nodes.get('gamma')?.kill()
  const gone = await admin.get('/api/bnms/members/gamma/memberships')
  expect([gone.status, gone.body.code]).toEqual([503, 'unavailable'])
  expect(Number(gone.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await admin.get('/api/bnms/bnos/operator/memberships')).status).toBe(200)
  expect((await admin.get('/api/bnms/nodes')).body).toContainEqual(
    expect.objectContaining({ name: 'gamma', operators: null }),
  )
  await until('the health to show gamma as down', async () => {
    const health = await admin.get('/api/management/health')
    expect(health.status).toBe(200)
    return health.body.nodes.gamma.status === 'DOWN'
  })
  await network.nodes.get('gamma')?.start()
  await until('the memberships of gamma', async () => {
    const { status } = await admin.get('/api/bnms/members/gamma/memberships?status=all')
    return status === 200
  })
}, 120_000)

test('the service shows the history that a node of another process keeps', async () => {
  const admin = service.as('admin')
  const [member] = memberNames
  const application = { party: 'Operations', networkId: 'told' }
  const { body } = await admin.post(`/api/bnms/members/${member}/memberships`, application)
  for (const path of ['bnos/operator', `members/${member}`]) {
    const history = await admin.get(`/api/bnms/${path}/memberships/${body.linearId}/history`)
    const found = history.body.map(({ act, isSigned }: { act: string; isSigned: boolean }) => [act, isSigned])
    expect([path, found]).toEqual([path, [['request', true]]])
  }
})
