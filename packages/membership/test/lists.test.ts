// Who sees which memberships, from where, and in which form.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { actions, membershipIn, type NetworkScene, newNetwork, parties, startScene } from './scene.ts'
import { createStranger } from './stranger.ts'

interface ListedMembership {
  readonly member: string
  readonly status: string
  readonly linearId: string
}

const members = ({ body }: { body: ListedMembership[] }) => body.map(({ member }) => member)

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: NetworkScene
  beforeAll(async () => {
    scene = await startScene(database)
  })
  afterAll(() => scene.service.stop())

  const of = (networkId: string, more = '') => `?bno=Operations&networkId=${networkId}${more}`

  test('anyone who is signed in may list, as long as the node may', async () => {
    const { networkId } = await membershipIn('ACTIVE', scene)
    for (const user of ['admin', 'operator', 'staff', 'client', 'simple'] as const) {
      const answer = await actions(scene.service.as(user)).list('alpha', of(networkId))
      expect([user, answer.status, members(answer)]).toEqual([user, 200, [parties.alpha]])
      expect((await actions(scene.service.as(user)).list('beta', of(networkId))).status).toBe(403)
    }
    expect((await actions(scene.service.as('anonymous')).list('alpha', of(networkId))).status).toBe(401)
  })

  test('a node that is not active sees its own membership and nothing else', async () => {
    const { networkId } = await membershipIn('ACTIVE', scene)
    await membershipIn('PENDING', scene, { member: 'beta', networkId })
    expect((await scene.list('beta', of(networkId))).status).toBe(403)
    expect((await scene.list('beta', of(networkId, '&status=ACTIVE'))).status).toBe(403)
    expect((await scene.list('beta', of(networkId, '&forceRefresh=true'))).status).toBe(403)
    const path = `/api/bnms/members/beta/memberships${of(networkId)}`
    expect((await scene.admin.get(path, { Accept: 'image/png' })).status).toBe(403)
    for (const query of ['&status=all', '&status=PENDING', '&status=pending,suspended', '&member=Beta'])
      expect([query, members(await scene.list('beta', of(networkId, query)))]).toEqual([query, [parties.beta]])
    expect((await scene.list('beta', of(networkId, '&status=SUSPENDED'))).body).toEqual([])
    expect((await scene.list('beta', of(newNetwork(), '&status=all'))).body).toEqual([])
  })

  test('an active member sees the active ones, and no other state but its own', async () => {
    const { networkId } = await membershipIn('ACTIVE', scene)
    await membershipIn('SUSPENDED', scene, { member: 'beta', networkId })
    for (const query of ['', '&status=all', '&status=SUSPENDED,ACTIVE'])
      expect([query, members(await scene.list('alpha', of(networkId, query)))]).toEqual([query, [parties.alpha]])
    expect((await scene.list('alpha', of(networkId, '&status=SUSPENDED'))).body).toEqual([])
    const overview = await scene.overview('operator', `?networkId=${networkId}`)
    expect(overview.body.map(({ status }: ListedMembership) => status)).toEqual(['ACTIVE', 'SUSPENDED'])
    expect(members(await scene.overview('operator', `?networkId=${networkId}&status=SUSPENDED`))).toEqual([
      parties.beta,
    ])
    await scene.activate('operator', { member: 'Beta', networkId })
    expect(members(await scene.list('alpha', of(networkId)))).toEqual([parties.alpha, parties.beta])
    expect(members(await scene.list('beta', of(networkId)))).toEqual([parties.alpha, parties.beta])
  })

  test('what happened while a node was suspended is known once it is active again', async () => {
    const { networkId, body } = await membershipIn('ACTIVE', scene)
    await membershipIn('ACTIVE', scene, { member: 'beta', networkId })
    expect(members(await scene.list('alpha', of(networkId)))).toEqual([parties.alpha, parties.beta])
    await scene.suspend('operator', body)
    expect((await scene.list('alpha', of(networkId))).status).toBe(403)
    await scene.suspend('operator', { member: 'Beta', networkId })
    await scene.activate('operator', body)
    expect(members(await scene.list('alpha', of(networkId)))).toEqual([parties.alpha])
    expect(members(await scene.list('alpha', of(networkId, '&forceRefresh=true')))).toEqual([parties.alpha])
  })

  testAll('a list can be read piece by piece', async () => {
    const { networkId } = await membershipIn('ACTIVE', scene)
    await membershipIn('ACTIVE', scene, { member: 'beta', networkId })
    for (const node of ['alpha', 'beta', 'operator']) {
      for (const more of ['', '&forceRefresh=true']) {
        const behind = (one: { body: ListedMembership[] }) => `&_after=${one.body[0]?.linearId}`
        const first = await scene.list(node, of(networkId, `&_ps=1${more}`))
        const second = await scene.list(node, of(networkId, `&_ps=1${behind(first)}${more}`))
        const third = await scene.list(node, of(networkId, `&_ps=1${behind(second)}${more}`))
        expect([first, second, third].map(members)).toEqual([[parties.alpha], [parties.beta], []])
      }
    }
  })

  testAll('XML holds the same records, and JSON:API has no place for them', async () => {
    const { networkId } = await membershipIn('ACTIVE', scene)
    const path = `/api/bnms/members/alpha/memberships${of(networkId)}`
    const xml = await scene.admin.get(path, { Accept: 'application/xml' })
    expect(xml.headers.get('content-type')).toBe('application/xml')
    expect(xml.text).toMatch(/<memberships><membership><member>O=Alpha Works, L=London, C=GB<\/member>/)
    expect((await scene.admin.get(path, { Accept: 'application/vnd.api+json' })).status).toBe(406)
  })

  test('the operator may be left out only where there is one', async () => {
    expect((await scene.list('alpha', '?status=all')).status).toBe(400)
    expect((await scene.list('alpha', '?bno=Alpha+Works')).status).toBe(404)
    expect((await scene.list('alpha', '?bno=Nobody')).status).toBe(404)
    expect((await scene.list('alpha', '?bno=O%3DNobody,L%3DRome,C%3DIT')).status).toBe(404)
  })
})

describe('with further settings', () => {
  test('an operator that is not on the whitelist is not dealt with', async () => {
    const scene = await startScene('sqlite', {
      settings: { 'app.nodes.alpha.bnoWhitelist': 'C=GR,O=Operations,L=Athens; O=Third, L=Rome, C=IT' },
    })
    const application = { party: 'Rivals', membershipMetadata: {} }
    expect((await scene.request('alpha', application)).status).toBe(403)
    expect((await scene.amend('alpha', application)).status).toBe(403)
    expect((await scene.list('alpha', '?bno=Rivals')).status).toBe(403)
    expect((await scene.request('beta', application)).status).toBe(201)
    expect((await scene.request('alpha', { party: 'Operations' })).status).toBe(201)
    await scene.service.stop()
  })

  testAll('what an operator that is not on the whitelist sends of itself is not kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plinth-map-'))
    const file = join(folder, 'map.json')
    const pushy = createStranger('O=Pushy, L=Oslo, C=NO', 'operator')
    await writeFile(file, JSON.stringify({ parties: [pushy.entry] }))
    const scene = await startScene('sqlite', {
      settings: {
        'app.nodes.alpha.networkMap': file,
        'app.nodes.beta.networkMap': file,
        'app.nodes.alpha.bnoWhitelist': parties.operator,
      },
    })
    const bno = pushy.entry.partyName
    const notify = async (member: string) => {
      const record = {
        member,
        bno,
        membershipMetadata: null,
        networkID: null,
        status: 'PENDING',
        issued: '2026-01-01T00:00:00.000Z',
        modified: '2026-01-01T00:00:00.000Z',
        linearId: '0198c1a2-7f3e-7c44-9d1b-5a2e8f60b7d3',
        participants: [member, bno],
        reason: null,
        version: 1,
      }
      const entries = [pushy.state({ bno, sequence: 1, previous: '', act: 'request', record })]
      const answer = await pushy.send(scene.service.url, { to: member, kind: 'notify', body: { entries } })
      return (await answer.json()) as { problem?: { code: string } }
    }
    expect((await notify(parties.alpha)).problem?.code).toBe('forbidden')
    expect((await notify(parties.beta)).problem).toBeUndefined()
    const kept = (await scene.admin.get(`/api/rest/memberships?bno=${encodeURIComponent(bno)}`)).body.content
    expect(kept.map((one: { node: string }) => one.node)).toEqual(['beta'])
    await scene.service.stop()
    await rm(folder, { recursive: true })
  })

  test('members that are not on the network map are dropped unless they are asked for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plinth-map-'))
    const file = join(folder, 'map.json')
    const stranger = createStranger('O=Aardvark, L=Oslo, C=NO')
    await writeFile(file, JSON.stringify({ parties: [stranger.entry] }))
    const scene = await startScene('sqlite', { settings: { 'app.nodes.operator.networkMap': file } })
    const application = await stranger.send(scene.service.url, {
      to: parties.operator,
      kind: 'request',
      body: { operationId: 'one', networkId: null, metadata: null },
    })
    expect(application.status).toBe(200)
    await scene.activate('operator', { member: 'Aardvark' })
    expect(members(await scene.overview('operator'))).toEqual([stranger.entry.partyName])
    await writeFile(file, JSON.stringify({ parties: [] }))
    await expect.poll(async () => members(await scene.overview('operator'))).toEqual([])
    // Of a page that the missing would fill, the next ones are shown.
    await scene.request('beta', { party: 'Operations' })
    await scene.activate('operator', { member: 'Beta' })
    expect(members(await scene.overview('operator', '?_ps=1'))).toEqual([parties.beta])
    const whole = await scene.overview('operator', '?_ps=1&filterOutMissingFromNetworkMap=false')
    expect(members(whole)).toEqual([stranger.entry.partyName])
    expect((await scene.suspend('operator', { member: 'Aardvark' })).status).toBe(404)
    expect((await scene.suspend('operator', { member: 'C=NO,L=Oslo,O=Aardvark' })).status).toBe(200)
    await scene.service.stop()
    await rm(folder, { recursive: true })
  })
})
