// What others hear of memberships: subscribers, auditors, and those who look after the service.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { type Connected, connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { membershipIn, type NetworkScene, nodeSettings, parties, startScene, startWithNodes } from './scene.ts'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: NetworkScene
  const open: Connected[] = []
  const as = async (user: Parameters<typeof credentialsOf>[0]) => {
    const connected = await connect(scene.service.url, credentialsOf(user))
    open.push(connected)
    return connected
  }
  beforeAll(async () => {
    scene = await startScene(database)
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.disconnect()
  })
  afterAll(() => scene.service.stop())

  test('site operators hear of every change, at the operator and at the member', async () => {
    const inbox = await (await as('operator')).listen('/topic/memberships', { record: 'true' })
    // A message shows the record as it is when it is sent: so each change is received before the next is made.
    const { networkId, body } = await membershipIn('PENDING', scene)
    await inbox.until(2)
    await scene.activate('operator', body)
    await inbox.until(4)
    await scene.suspend('operator', body)
    const events = (await inbox.until(6)).map(({ type, record }) => [record.node, type, record.status])
    const steps = [
      ['created', 'PENDING'],
      ['updated', 'ACTIVE'],
      ['updated', 'SUSPENDED'],
    ]
    for (const node of ['operator', 'alpha'])
      expect(events.filter(([at]) => at === node)).toEqual(steps.map(step => [node, ...step]))
    expect(inbox.bodies().every(({ record }) => record.networkID === networkId)).toBe(true)
  })

  test.each(['simple', 'client', 'staff'] as const)('%s gets no membership events', async user => {
    const connected = await as(user)
    connected.listen('/topic/memberships').catch(() => undefined)
    expect((await connected.error).headers.message).toBeTruthy()
  })

  test.each([
    ['request', 'PENDING', 'MEMBERSHIP_REQUESTED'],
    ['activate', 'ACTIVE', 'MEMBERSHIP_ACTIVATED'],
    ['suspend', 'SUSPENDED', 'MEMBERSHIP_SUSPENDED'],
    ['decline', 'DECLINED', 'MEMBERSHIP_DECLINED'],
    ['revoke', 'REVOKED', 'MEMBERSHIP_REVOKED'],
    ['amend', 'ACTIVE', 'MEMBERSHIP_AMENDED'],
  ] as const)('who did the %s is kept for the auditors', async (act, state, type) => {
    const { networkId } = await membershipIn(state, scene)
    if (act === 'amend')
      await scene.amend('alpha', { party: 'Operations', networkId, membershipMetadata: { kind: 'other' } })
    const { body } = await scene.admin.get(`/api/management/auditevents?type=${type}&principal=admin`)
    const events: { data: Record<string, string> }[] = body.events
    expect(events.filter(({ data }) => data.networkID === networkId)).toMatchObject([
      { type, principal: 'admin', data: { member: parties.alpha, bno: parties.operator, status: state } },
    ])
  })

  test('administrators find the nodes in info and in health, others do not', async () => {
    const { nodes } = (await scene.admin.get('/api/management/info')).body
    expect(nodes).toContainEqual({
      name: 'alpha',
      party: parties.alpha,
      organisation: 'Alpha Works',
      role: 'member',
      kind: 'embedded',
    })
    expect(nodes.map(({ name }: { name: string }) => name).sort()).toEqual(['alpha', 'beta', 'operator', 'rival'])
    const { body } = await scene.admin.get('/api/management/health')
    expect(body.nodes.operator).toMatchObject({ status: 'UP', role: 'operator', party: parties.operator })
    for (const path of ['info', 'health'])
      expect((await scene.service.as('simple').get(`/api/management/${path}`)).body).not.toHaveProperty('nodes')
  })
})

test('who is signed in can see which nodes there are, and with whom they deal', async () => {
  const whitelist = { 'app.nodes.beta.bnoWhitelist': parties.rival }
  const service = await startWithNodes('sqlite', { settings: { ...nodeSettings, ...whitelist } })
  expect((await service.as('anonymous').get('/api/bnms/nodes')).status).toBe(401)
  const { body } = await service.as('simple').get('/api/bnms/nodes')
  expect(body).toHaveLength(4)
  expect(body).toContainEqual({
    name: 'alpha',
    party: parties.alpha,
    organisation: 'Alpha Works',
    role: 'member',
    kind: 'embedded',
    operators: [parties.operator, parties.rival],
    health: { status: 'UP' },
    operations: { operator: null, member: '/api/bnms/members/alpha/memberships', header: 'X-Node' },
  })
  const [first] = (await service.as('operator').get('/api/bnms/nodes')).body
  expect(first).toMatchObject({
    health: { status: 'UP', states: 0, partiesBehind: 0 },
    operations: { operator: '/api/bnms/bnos/operator/memberships' },
  })
  expect(body).toContainEqual(expect.objectContaining({ name: 'beta', operators: [parties.rival] }))
  const xml = await service.as('simple').get('/api/bnms/nodes', { Accept: 'application/xml' })
  expect(xml.text).toContain('<nodes><node><name>operator</name>')
  await service.stop()
})

testAll('where only the single style is published, the nodes lead to it', async () => {
  const settings = { ...nodeSettings, 'app.bnms.controllers': 'member' }
  const service = await startWithNodes('sqlite', { settings })
  const [first] = (await service.as('admin').get('/api/bnms/nodes')).body
  expect(first.operations).toEqual({ operator: null, member: '/api/bnms/member/memberships', header: 'X-Node' })
  await service.stop()
})

testAll('where no controllers are published, the nodes are not found', async () => {
  const settings = { ...nodeSettings, 'app.bnms.controllers': '' }
  const service = await startWithNodes('sqlite', { settings })
  expect((await service.as('admin').get('/api/bnms/nodes')).status).toBe(404)
  await service.stop()
})
