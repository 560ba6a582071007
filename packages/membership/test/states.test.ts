// Every state × operation × role, on both databases. `npm test` takes a third of the pairs of state and operation.

import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird, runsAll, testAll } from '@plinth/test-kit/extent'
import type { DemoUser } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actions, actions, membershipIn, type NetworkScene, parties, type State, startScene } from './scene.ts'

const operations = ['request', 'activate', 'suspend', 'decline', 'revoke', 'amend'] as const
type Operation = (typeof operations)[number]

const outcomes: Record<State, readonly number[]> = {
  //            request activate suspend decline revoke amend
  none: /*      */ [201, 404, 404, 404, 404, 404],
  PENDING: /*   */ [409, 200, 409, 200, 409, 409],
  ACTIVE: /*    */ [409, 409, 200, 409, 200, 200],
  SUSPENDED: /* */ [409, 200, 409, 409, 200, 409],
  DECLINED: /*  */ [409, 409, 409, 409, 409, 409],
  REVOKED: /*   */ [409, 409, 409, 409, 409, 409],
}

const results: Record<Operation, State> = {
  request: 'PENDING',
  activate: 'ACTIVE',
  suspend: 'SUSPENDED',
  decline: 'DECLINED',
  revoke: 'REVOKED',
  amend: 'ACTIVE',
}

const cases = (Object.keys(outcomes) as State[]).flatMap(state =>
  operations.map((operation, index) => [state, operation, outcomes[state][index] ?? 0] as const),
)

/** The users who may not, then one who may: the first leave everything as it was. */
const rounds: readonly (readonly [DemoUser | 'anonymous', number | null][])[] = [
  [
    ['anonymous', 401],
    ['simple', 403],
    ['client', 403],
    ['staff', 403],
    ['operator', null],
  ],
  [['admin', null]],
]

const perform = (who: Actions, operation: Operation, networkId: string) => {
  if (operation === 'request' || operation === 'amend')
    return who[operation]('alpha', { party: parties.operator, networkId, membershipMetadata: { kind: 'second' } })
  return who[operation]('operator', { member: parties.alpha, networkId })
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: NetworkScene
  beforeAll(async () => {
    scene = await startScene(database)
  })
  afterAll(() => scene.service.stop())

  const recordIn = async (networkId: string) => (await scene.overview('operator', `?networkId=${networkId}`)).body[0]

  test.each(everyThird(cases))('a membership that is %s: %s gives %i', async (state, operation, status) => {
    // Administrators pass the same check as operators: where an act fails, `npm test` leaves them out.
    for (const round of rounds.slice(0, runsAll || status < 300 ? rounds.length : 1)) {
      const { networkId } = await membershipIn(state, scene)
      const before = await recordIn(networkId)
      for (const [role, refusal] of round) {
        const answer = await perform(actions(scene.service.as(role)), operation, networkId)
        expect([role, answer.status]).toEqual([role, refusal ?? status])
        const after = await recordIn(networkId)
        if (answer.status >= 300) {
          expect(after).toEqual(before)
          continue
        }
        expect(after).toEqual(answer.body)
        expect([after.status, after.version]).toEqual([results[operation], (before?.version ?? 0) + 1])
        // The member's own node knows the same.
        const own = await scene.list('alpha', `?bno=Operations&networkId=${networkId}&status=all`)
        expect(own.body).toEqual([after])
      }
    }
  })

  test('a record shows everything about a membership', async () => {
    const { networkId } = await membershipIn('PENDING', scene)
    const answer = await scene.activate('operator', { member: 'Alpha Works', networkId, reason: 'papers in order' })
    expect(answer.body).toEqual({
      member: parties.alpha,
      bno: parties.operator,
      membershipMetadata: { kind: 'first' },
      networkID: networkId,
      status: 'ACTIVE',
      issued: expect.stringMatching(/^\d{4}-.*Z$/),
      modified: expect.stringMatching(/^\d{4}-.*Z$/),
      linearId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      participants: [parties.alpha, parties.operator],
      reason: 'papers in order',
      version: 2,
    })
  })

  test.each(
    everyThird([
      ['activate', 'PENDING'],
      ['decline', 'PENDING'],
      ['suspend', 'ACTIVE'],
      ['revoke', 'ACTIVE'],
    ] as const),
  )('a stale version stops %s, the present one does not', async (operation, state) => {
    const { networkId, body } = await membershipIn(state, scene)
    const { version } = await recordIn(networkId)
    const stale = await scene[operation]('operator', { ...body, version: version + 1 })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect((await scene[operation]('operator', { ...body, version })).status).toBe(200)
  })

  test('only the operator of a membership decides on it', async () => {
    const { body } = await membershipIn('PENDING', scene)
    expect((await scene.activate('operator', { ...body, bno: parties.rival })).status).toBe(403)
    expect((await scene.activate('rival', { ...body, bno: parties.operator })).status).toBe(403)
    expect((await scene.activate('rival', body)).status).toBe(404)
    expect((await scene.activate('alpha', body)).status).toBe(403)
    expect((await scene.overview('alpha')).status).toBe(403)
    expect((await scene.activate('operator', { ...body, bno: parties.operator })).status).toBe(200)
  })

  testAll('an amendment that changes nothing is refused, whatever the order of its members', async () => {
    const { networkId } = await membershipIn('ACTIVE', scene)
    const amend = (membershipMetadata: unknown) =>
      scene.amend('alpha', { party: 'Operations', networkId, membershipMetadata })
    expect((await amend({ a: 1, b: [{ c: 2, d: null }] })).status).toBe(200)
    expect((await amend({ b: [{ d: null, c: 2 }], a: 1 })).status).toBe(409)
    expect((await amend({ a: 1, b: [{ c: 2 }] })).body).toMatchObject({ version: 4, membershipMetadata: { a: 1 } })
  })

  test('an operator may be a member of its own network', async () => {
    const networkId = 'own'
    const application = await scene.request('operator', { party: 'Operations', networkId })
    expect([application.status, application.body.participants]).toEqual([201, [parties.operator]])
    expect((await scene.activate('operator', { member: 'Operations', networkId })).status).toBe(200)
    const listed = await scene.list('operator', `?bno=Operations&networkId=${networkId}`)
    expect(listed.body.map((one: { member: string }) => one.member)).toEqual([parties.operator])
  })

  test('a list activates all of them or none', async () => {
    const [first, second] = [await membershipIn('PENDING', scene), await membershipIn('PENDING', scene)]
    const states = async () => [(await recordIn(first.networkId)).status, (await recordIn(second.networkId)).status]
    const missing = await scene.activate('operator', [first.body, { member: parties.beta, networkId: 'none' }])
    expect(missing.status).toBe(404)
    const twice = await scene.activate('operator', [first.body, first.body])
    expect([twice.status, twice.body.errors[0].pointer]).toEqual([422, '/1'])
    expect(await states()).toEqual(['PENDING', 'PENDING'])
    const done = await scene.activate('operator', [first.body, second.body])
    expect([done.status, done.body.map((one: { status: string }) => one.status)]).toEqual([200, ['ACTIVE', 'ACTIVE']])
    expect(await states()).toEqual(['ACTIVE', 'ACTIVE'])
  })

  test('an order with a key is carried out once, and another order under the same key is refused', async () => {
    const { networkId, body } = await membershipIn('PENDING', scene)
    const headers = { 'Idempotency-Key': `key-${networkId}` }
    const path = '/api/bnms/bnos/operator/memberships'
    const [first, again] = [await scene.admin.put(path, body, headers), await scene.admin.put(path, body, headers)]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body).toEqual(first.body)
    expect((await scene.admin.put(path, { ...body, reason: 'other' }, headers)).status).toBe(422)
    // The same key of another person is another order.
    expect((await scene.service.as('operator').put(path, body, headers)).status).toBe(409)
    const application = { party: 'Operations', networkId: `${networkId}-asked` }
    const asking = () => scene.admin.post('/api/bnms/members/alpha/memberships', application, headers)
    const [one, two] = [await asking(), await asking()]
    expect([one.status, two.status, two.body]).toEqual([201, 201, one.body])
  })

  test('of many who act at once exactly one succeeds', async () => {
    const { networkId, body } = await membershipIn('PENDING', scene)
    const all = await Promise.all(Array.from({ length: 20 }, () => scene.activate('operator', body)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect((await recordIn(networkId)).version).toBe(2)
    const application = { party: 'Operations', networkId }
    const requests = await Promise.all(Array.from({ length: 20 }, () => scene.request('beta', application)))
    expect(requests.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  testAll('operators can read the records like any resource, and no user can change them', async () => {
    const { networkId } = await membershipIn('ACTIVE', scene)
    const query = `/api/rest/memberships?filter=networkID==${networkId};node==operator`
    const { body } = await scene.service.as('operator').get(query, { Accept: 'application/json' })
    expect(body.content).toMatchObject([
      { member: parties.alpha, status: 'ACTIVE', membershipMetadata: { kind: 'first' } },
    ])
    const item = `/api/rest/memberships/${body.content[0].pk}`
    expect((await scene.service.as('simple').get(query)).status).toBe(403)
    expect((await scene.admin.patch(item, { status: 'REVOKED' })).status).toBe(403)
    expect((await scene.admin.delete(item)).status).toBe(403)
    expect((await scene.admin.post('/api/rest/memberships', body.content[0])).status).toBe(403)
  })
})
