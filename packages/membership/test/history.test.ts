// How a membership came to be what it is.

import { featureDatabases } from '@plinth/test-kit/databases'
import { rewriteRows } from '@plinth/test-kit/rewrite-rows'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { membershipIn, type NetworkScene, parties, startScene } from './scene.ts'

interface State {
  readonly sequence: number
  readonly act: string
  readonly record: { readonly status: string; readonly version: number; readonly reason: string | null }
  readonly signer: string
  readonly signature: string
  readonly hash: string
  readonly previous: string
  readonly isSigned: boolean | null
  readonly isLinked: boolean | null
}

const judged = (states: readonly State[]) => states.map(({ isSigned, isLinked }) => [isSigned, isLinked])

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: NetworkScene
  beforeAll(async () => {
    scene = await startScene(database)
  })
  afterAll(() => scene.service.stop())

  const linearIdIn = async (networkId: string): Promise<string> =>
    (await scene.overview('operator', `?networkId=${networkId}`)).body[0].linearId

  const historyAt = (path: string, linearId: string, user: 'admin' | 'operator' | 'staff' | 'anonymous' = 'admin') =>
    scene.service.as(user).get(`/api/bnms/${path}/memberships/${linearId}/history`)

  test('the operator shows every state, signed and hanging on the one before', async () => {
    const { networkId, body } = await membershipIn('ACTIVE', scene)
    await scene.suspend('operator', { ...body, reason: 'Fees are due' })
    const linearId = await linearIdIn(networkId)
    const { status, body: states } = await historyAt('bnos/operator', linearId)
    expect(status).toBe(200)
    expect(states.map(({ act, record }: State) => [act, record.status, record.version, record.reason])).toEqual([
      ['request', 'PENDING', 1, null],
      ['activate', 'ACTIVE', 2, null],
      ['suspend', 'SUSPENDED', 3, 'Fees are due'],
    ])
    expect(judged(states)).toEqual(Array(3).fill([true, true]))
    expect(states[0].signer).toBe(parties.operator)
    expect([states[1].previous, states[2].previous]).toEqual([states[0].hash, states[1].hash])
    expect(states[2].signature).toMatch(/^[A-Za-z0-9+/]{86}==$/)
  })

  test('a member shows what it received, and does not judge links to other entries', async () => {
    // What happens to others in between is none of its business.
    await membershipIn('ACTIVE', scene, { member: 'beta' })
    const { networkId } = await membershipIn('PENDING', scene)
    await membershipIn('PENDING', scene, { member: 'beta' })
    await scene.activate('operator', { member: parties.alpha, networkId })
    const linearId = await linearIdIn(networkId)
    await expect.poll(async () => (await historyAt('members/alpha', linearId)).body.length).toBe(2)
    expect(judged((await historyAt('members/alpha', linearId)).body)).toEqual([
      [true, null],
      [true, null],
    ])
  })

  test('what was changed behind the back of the node does not bear its signature any more', async () => {
    const { networkId } = await membershipIn('ACTIVE', scene)
    const linearId = await linearIdIn(networkId)
    await rewriteRows(scene.service.app, 'membershipEntries', ({ node, entry }) => {
      const isMeant = node === 'operator' && String(entry).includes(linearId) && String(entry).includes('"PENDING"')
      return isMeant ? { entry: String(entry).replace('"PENDING"', '"REVOKED"') } : null
    })
    const { body } = await historyAt('bnos/operator', linearId)
    expect(body.map(({ record, isSigned }: State) => [record.status, isSigned])).toEqual([
      ['REVOKED', false],
      ['ACTIVE', true],
    ])
  })

  test('the history is for those who run the network, and of what the node knows', async () => {
    const { networkId } = await membershipIn('PENDING', scene)
    const linearId = await linearIdIn(networkId)
    expect((await historyAt('bnos/operator', linearId, 'operator')).status).toBe(200)
    expect((await historyAt('bnos/operator', linearId, 'staff')).status).toBe(403)
    expect((await historyAt('members/alpha', linearId, 'anonymous')).status).toBe(401)
    expect((await historyAt('members/beta', linearId)).status).toBe(404)
    expect((await historyAt('bnos/operator', 'nothing')).status).toBe(404)
  })
})
