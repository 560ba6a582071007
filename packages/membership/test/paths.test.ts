// Publication, the two path styles, and which node is meant.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testAll } from '@plinth/test-kit/extent'
import { loadConfig } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { nodeEntry } from '../src/node-process.ts'
import { type NetworkScene, nodeSettings, parties, startScene, startWithNodes } from './scene.ts'

const paths = {
  bno: '/api/bnms/bno/memberships',
  member: '/api/bnms/member/memberships',
  bnos: '/api/bnms/bnos/operator/memberships',
  members: '/api/bnms/members/alpha/memberships',
} as const
type Controller = keyof typeof paths
const controllers = Object.keys(paths) as Controller[]

describe('publication', () => {
  test('nothing is published unless it is named', async () => {
    const { 'app.bnms.controllers': _, ...settings } = nodeSettings
    const service = await startWithNodes('sqlite', { settings })
    for (const path of Object.values(paths)) expect((await service.as('admin').get(path)).status).toBe(404)
    await service.stop()
  })

  test.each(controllers)('%s alone can be published', async published => {
    const service = await startWithNodes('sqlite', { settings: { ...nodeSettings, 'app.bnms.controllers': published } })
    for (const controller of controllers) {
      const { status } = await service.as('anonymous').get(paths[controller])
      expect([controller, status]).toEqual([controller, controller === published ? 401 : 404])
    }
    await service.stop()
  })

  test('the demo has an operator and a member with everything published', async () => {
    const service = await startService('sqlite')
    const operator = service.as('operator')
    const application = await operator.post(paths.member, {
      party: 'Demo Operator',
      membershipMetadata: { name: 'we' },
    })
    expect([application.status, application.body.status]).toEqual([201, 'PENDING'])
    expect((await operator.put(paths.bno, { member: 'Demo Member' })).status).toBe(200)
    const listed = await service.as('simple').get('/api/bnms/members/member/memberships')
    expect(listed.body).toMatchObject([{ member: 'O=Demo Member, L=London, C=GB', status: 'ACTIVE' }])
    expect((await operator.delete(`${paths.bno}?member=Demo+Member&reason=over`)).body).toMatchObject({
      status: 'SUSPENDED',
      reason: 'over',
    })
    await service.stop()
  })

  const startAlone = async (role: 'operator' | 'member') => {
    const service = await startWithNodes('sqlite', {
      settings: {
        'app.bnms.controllers': 'bno,member',
        'app.nodes.alone.partyName': 'O=Alone, L=Rome, C=IT',
        'app.nodes.alone.role': role,
      },
    })
    onTestFinished(service.stop)
    return service.as('operator')
  }

  test('a node alone serves all five operations without being named', async () => {
    const operator = await startAlone('operator')
    const application = { party: 'Alone', membershipMetadata: { name: 'we' } }
    const body = { member: 'Alone' }
    const answers = [
      await operator.post(paths.member, application),
      await operator.put(paths.bno, body),
      await operator.get(paths.member),
      await operator.put(paths.member, { ...application, membershipMetadata: { name: 'others' } }),
      await operator(paths.bno, { method: 'DELETE', body }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200])
  })

  test('a member alone is asked, too, and may not act as an operator', async () => {
    const operator = await startAlone('member')
    const body = { member: 'Alone' }
    expect((await operator.put(paths.bno, body)).status).toBe(403)
    expect((await operator(paths.bno, { method: 'DELETE', body })).status).toBe(403)
  })

  test('a service without the module has none of it', async () => {
    const service = await startService('sqlite', { settings: { 'app.modules': '' } })
    for (const path of [...Object.values(paths), '/api/rest/memberships'])
      expect((await service.as('admin').get(path)).status).toBe(404)
    await service.stop()
  })
})

describe('which node is meant', () => {
  let scene: NetworkScene
  beforeAll(async () => {
    // Only one member is left beside the two operators.
    scene = await startScene('sqlite')
    await scene.request('alpha', { party: 'Operations' })
  })
  afterAll(() => scene.service.stop())

  test.each([
    ['operator'],
    ['OPERATOR'],
    ['Operations'],
    ['  Operations '],
    [parties.operator],
    ['C=GR,L=Athens,O=Operations'],
    ['c=gr; l=Athens ;o=Operations'],
    ['O=\\4Fperations,L=Athens,C=GR'],
  ])('%j is the operator, in the path, the header and the cookie', async name => {
    const encoded = encodeURIComponent(name)
    const expected = (await scene.overview('operator')).body
    expect(expected).toHaveLength(1)
    expect((await scene.admin.get(`/api/bnms/bnos/${encoded}/memberships`)).body).toEqual(expected)
    expect((await scene.admin.get(paths.bno, { 'X-Node': encoded })).body).toEqual(expected)
    expect((await scene.admin.get(paths.bno, { Cookie: `a=b; node=${encoded}; c=d` })).body).toEqual(expected)
  })

  test.each([['nobody'], ['O=Nobody, L=Rome, C=IT'], ['O=Operations'], ['__proto__'], ['..'], ['%']])(
    '%j is no node',
    async name => {
      expect((await scene.admin.get(`/api/bnms/bnos/${encodeURIComponent(name)}/memberships`)).status).toBe(404)
      expect((await scene.admin.get(paths.bno, { 'X-Node': encodeURIComponent(name) })).status).toBe(404)
    },
  )

  test('where several would fit, one must be named', async () => {
    for (const path of [paths.bno, paths.member])
      expect((await scene.admin.get(path, { Accept: 'application/problem+json' })).body).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/several/),
      })
  })

  test('a header goes before a cookie, and a malformed one is refused', async () => {
    const headers = { 'X-Node': 'operator', Cookie: 'node=nobody' }
    expect((await scene.admin.get(paths.bno, headers)).status).toBe(200)
    expect((await scene.admin.get(paths.bno, { 'X-Node': '%E0%A4' })).status).toBe(400)
  })

  test('another header and cookie can be chosen', async () => {
    const other = await startScene('sqlite', {
      settings: { 'app.bnms.nodeHeader': 'X-Ledger', 'app.bnms.nodeCookie': 'ledger' },
    })
    expect((await other.admin.get(paths.bno, { 'x-ledger': 'rival' })).status).toBe(200)
    expect((await other.admin.get(paths.bno, { Cookie: 'ledger="rival"' })).status).toBe(200)
    expect((await other.admin.get(paths.bno, { 'X-Node': 'rival' })).status).toBe(400)
    await other.service.stop()
  })

  test('a node acts in its own name, whichever path leads to it', async () => {
    expect((await scene.admin.put('/api/bnms/bnos/beta/memberships', { member: 'Alpha Works' })).status).toBe(403)
    expect((await scene.admin.put(paths.bno, { member: 'Alpha Works' }, { 'X-Node': 'rival' })).status).toBe(404)
    expect((await scene.admin.put(paths.bno, { member: 'Alpha Works' }, { 'X-Node': 'operator' })).status).toBe(200)
  })

  testAll('a name that two nodes share must be qualified', async () => {
    const twin = await startScene('sqlite', { settings: { 'app.nodes.twin.partyName': 'O=Beta, L=Berlin, C=DE' } })
    expect((await twin.list('Beta', '?bno=Operations&status=all')).status).toBe(200)
    expect((await twin.list('O=Beta, L=Berlin, C=DE', '?bno=Operations&status=all')).status).toBe(200)
    const { 'app.nodes.beta.partyName': _, ...others } = nodeSettings
    const both = await startWithNodes('sqlite', {
      settings: {
        ...others,
        'app.nodes.one.partyName': 'O=Twins, L=Berlin, C=DE',
        'app.nodes.two.partyName': 'O=Twins, L=Bonn, C=DE',
      },
    })
    expect((await both.as('admin').get('/api/bnms/members/Twins/memberships?bno=Operations')).status).toBe(400)
    const activation = await both.as('admin').put('/api/bnms/bnos/operator/memberships', { member: 'Twins' })
    expect([activation.status, activation.body.errors[0].member]).toEqual([400, 'member'])
    await both.stop()
    await twin.service.stop()
  })

  test('OPTIONS tells the methods of each path', async () => {
    const allow = async (path: string) =>
      (await scene.service.as('anonymous')(path, { method: 'OPTIONS' })).headers.get('allow')?.split(', ').sort()
    expect(await allow(paths.bnos)).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'])
    expect(await allow(paths.members)).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
  })
})

test.each([
  [{ 'server.port': '8123' }, 'http://127.0.0.1:8123'],
  [{ 'app.baseUrl': 'https://plinth.example' }, 'https://plinth.example'],
])('with %j the entry of a node within the service leads to the service', async (settings, address) => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-entry-'))
  const overrides = { ...nodeSettings, ...settings, 'app.dataDir': folder }
  expect(await nodeEntry(loadConfig({ env: {}, cwd: folder, overrides }), 'operator')).toEqual({
    partyName: parties.operator,
    role: 'operator',
    address,
    publicKey: expect.stringMatching(/^MCow/),
  })
  await rm(folder, { recursive: true })
})
