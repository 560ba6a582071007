// Nodes that lie, repeat, forge or pretend: refused, logged, and nothing is changed.

import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { everyThird, extent, runsAll, testAll } from '@plinth/test-kit/extent'
import { loadConfig } from '@plinth/test-kit/platform'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyNode } from '../src/node-process.ts'
import { type NodeNetwork, startNodes, username } from './node-processes.ts'
import { type NetworkScene, parties, startScene, startWithNodes } from './scene.ts'
import { createStranger } from './stranger.ts'

const stranger = createStranger()
const foreignOperator = createStranger('O=Foreign Operator, L=Bern, C=CH', 'operator')
const anonymous = createStranger('O=Nobody, L=Bern, C=CH')

let folder: string
let scene: NetworkScene
const lines: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-hostile-'))
  const file = join(folder, 'map.json')
  await writeFile(file, JSON.stringify({ parties: [stranger.entry, foreignOperator.entry] }))
  const settings = {
    'app.nodes.operator.networkMap': file,
    'app.nodes.alpha.networkMap': file,
    'app.log.level': 'warn',
  }
  scene = await startScene('sqlite', { settings, logTo: { write: line => void lines.push(line) } })
})
afterAll(async () => {
  await scene.service.stop()
  await rm(folder, { recursive: true })
})

const logged = (since: number) => lines.slice(since).join('')

const asking = (networkId: string) => ({
  to: parties.operator,
  kind: 'request',
  body: { operationId: networkId, networkId, metadata: { from: 'stranger' } },
})

const membershipsOf = async (networkId: string) =>
  (await scene.overview('operator', `?networkId=${networkId}`)).body as { member: string; version: number }[]

describe('messages', () => {
  test('a party on the map is heard, in its own name alone', async () => {
    const answer = await stranger.send(scene.service.url, asking('heard'))
    const reply = (await answer.json()) as { from: string; body: { entries: unknown[] }; signature: string }
    expect([answer.status, reply.from, reply.body.entries.length]).toEqual([200, parties.operator, 1])
    expect(await membershipsOf('heard')).toMatchObject([{ member: stranger.entry.partyName, status: 'PENDING' }])
  })

  test('the member is the sender, whatever the message claims', async () => {
    const { to, kind, body } = asking('claimed')
    const message = { to, kind, body: { ...body, member: parties.beta, from: parties.beta } }
    expect((await stranger.send(scene.service.url, message)).status).toBe(200)
    expect(await membershipsOf('claimed')).toMatchObject([{ member: stranger.entry.partyName }])
  })

  test('a message that is nested too deeply is refused before its signature is checked', async () => {
    const nested = '['.repeat(50_000) + ']'.repeat(50_000)
    const text = JSON.stringify(stranger.seal({ ...asking('deep') })).replace('"stranger"', nested)
    const { url } = scene.service
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/bnms/messages`, { method: 'POST', headers, body: text })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('more than 64 levels')])
  })

  const age = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const sealed = stranger.seal({ ...asking('forged') })

  test.each<[string, Record<string, unknown>, number, RegExp]>([
    ['of an unknown party', anonymous.seal({ ...asking('forged') }), 401, /not on the network map/],
    ['in the name of another', stranger.seal({ ...asking('forged'), from: parties.beta }), 401, /signature/],
    [
      'with another body than was signed',
      { ...sealed, body: { ...asking('forged').body, metadata: 1 } },
      401,
      /signature/,
    ],
    ['with another kind', { ...sealed, kind: 'amend' }, 401, /signature/],
    ['with another nonce', { ...sealed, nonce: randomUUID() }, 401, /signature/],
    ['without a signature', { ...sealed, signature: '' }, 401, /signature/],
    ['with a signature of nonsense', { ...sealed, signature: 'A'.repeat(88) }, 401, /signature/],
    ['that is old', stranger.seal({ ...asking('forged'), sentAt: age(-6) }), 401, /just now/],
    ['from the future', stranger.seal({ ...asking('forged'), sentAt: age(6) }), 401, /just now/],
    ['of no time', stranger.seal({ ...asking('forged'), sentAt: 'yesterday' }), 401, /just now/],
    ['for an unknown node', stranger.seal({ ...asking('forged'), to: 'O=Elsewhere, L=Rome, C=IT' }), 404, /^$/],
    ['of an unknown kind', stranger.seal({ ...asking('forged'), kind: 'obey' }), 400, /^$/],
    ['without a body', stranger.seal({ ...asking('forged'), body: null }), 400, /^$/],
  ])('a message %s is refused', async (_, message, status, words) => {
    const since = lines.length
    expect((await stranger.post(scene.service.url, message)).status).toBe(status)
    expect(logged(since)).toMatch(words)
    expect(await membershipsOf('forged')).toEqual([])
  })

  test('a message that is played back is refused', async () => {
    const message = stranger.seal({ ...asking('played') })
    expect((await stranger.post(scene.service.url, message)).status).toBe(200)
    const since = lines.length
    const again = await Promise.all(Array.from({ length: 5 }, () => stranger.post(scene.service.url, message)))
    expect(again.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409])
    expect(logged(since)).toMatch(/came before/)
    expect(await membershipsOf('played')).toMatchObject([{ version: 1 }])
  })

  test('an order that is sent again as a new message is carried out once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => stranger.send(scene.service.url, asking('repeated'))),
    )
    const replies = (await Promise.all(answers.map(answer => answer.json()))) as { body: unknown }[]
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await membershipsOf('repeated')).toMatchObject([{ version: 1 }])
  })

  test('a party that is not a member sees only itself', async () => {
    await scene.request('beta', { party: 'Operations', networkId: 'heard' })
    await scene.activate('operator', { member: 'Beta', networkId: 'heard' })
    const answer = await stranger.send(scene.service.url, { to: parties.operator, kind: 'list', body: { after: null } })
    const { body } = (await answer.json()) as { body: { entries: { entry: string }[] } }
    const members = body.entries.map(({ entry }) => JSON.parse(entry).record.member)
    expect([...new Set(members)]).toEqual([stranger.entry.partyName])
  })
})

describe('notices', () => {
  const record = {
    member: parties.alpha,
    bno: foreignOperator.entry.partyName,
    membershipMetadata: null,
    networkID: 'foreign',
    status: 'ACTIVE',
    issued: '2026-01-01T00:00:00.000Z',
    modified: '2026-01-01T00:00:00.000Z',
    linearId: '0198c1a2-7f3e-7c44-9d1b-5a2e8f60b7d3',
    participants: [parties.alpha, foreignOperator.entry.partyName],
    reason: null,
    version: 1,
  }
  const state = { bno: record.bno, sequence: 1, previous: '', act: 'request', record }
  const foreign = encodeURIComponent(record.bno)
  const known = async () => (await scene.list('alpha', `?bno=${foreign}&status=all&member=Alpha+Works`)).body
  const notify = async (from: typeof stranger, entries: readonly unknown[]) => {
    const answer = await from.send(scene.service.url, { to: parties.alpha, kind: 'notify', body: { entries } })
    return (await answer.json()) as { problem?: { code: string } }
  }

  test.each<[string, () => Promise<{ problem?: { code: string } }>, string]>(
    everyThird([
      ['of a party that is no operator', () => notify(stranger, [stranger.state(state)]), 'forbidden'],
      ['that another has signed', () => notify(foreignOperator, [stranger.state(state)]), 'unprocessable'],
      [
        'in the name of another operator',
        () => notify(foreignOperator, [foreignOperator.state({ ...state, bno: parties.operator })]),
        'unprocessable',
      ],
      [
        "of another operator's membership",
        () =>
          notify(foreignOperator, [foreignOperator.state({ ...state, record: { ...record, bno: parties.operator } })]),
        'unprocessable',
      ],
      [
        'of a state that does not exist',
        () => notify(foreignOperator, [foreignOperator.state({ ...state, record: { ...record, status: 'KING' } })]),
        'unprocessable',
      ],
      ['of nothing', () => notify(foreignOperator, [{}]), 'unprocessable'],
    ]),
  )('a notice %s changes nothing', async (_, send, code) => {
    const since = lines.length
    expect((await send()).problem?.code).toBe(code)
    expect(logged(since)).toMatch(/without effect/)
    const rows = await scene.admin.get('/api/rest/memberships?filter=networkID==foreign')
    expect(rows.body.content).toEqual([])
  })

  test('notices that come twice or in the wrong order end in the latest state; a second history is refused', async () => {
    const suspended = { ...record, status: 'SUSPENDED', version: 2 }
    const [first, second] = [state, { ...state, sequence: 2, previous: 'x', record: suspended }].map(
      foreignOperator.state,
    )
    for (const entries of [[second], [first], [second, first], [first, first]])
      expect((await notify(foreignOperator, entries)).problem).toBeUndefined()
    expect(await known()).toMatchObject([{ status: 'SUSPENDED', version: 2 }])
    const other = foreignOperator.state({ ...state, sequence: 2, previous: 'y', record: { ...suspended, version: 3 } })
    const since = lines.length
    expect((await notify(foreignOperator, [other])).problem?.code).toBe('conflict')
    expect(logged(since)).toMatch(/two different states/)
    expect(await known()).toMatchObject([{ status: 'SUSPENDED', version: 2 }])
  })
})

describe('a node of its own', () => {
  let network: NodeNetwork
  beforeAll(async () => {
    network = await startNodes([
      { name: 'operator', partyName: parties.operator, role: 'operator' },
      { name: 'alpha', partyName: parties.alpha, role: 'member' },
    ])
  }, 180_000)
  afterAll(() => network?.close())

  const nodeNamed = (name: string) => {
    const node = network.nodes.get(name)
    if (!node) throw new Error(`no node ${name}`)
    return node
  }

  test('takes no order without its login', async () => {
    const { port, said } = nodeNamed('operator')
    const ask = (authorization?: string) =>
      fetch(`http://127.0.0.1:${port}/api/bnms/bno/memberships`, { headers: authorization ? { authorization } : {} })
    expect((await ask()).status).toBe(401)
    for (const login of [`${username}:wrong`, `${username}:`, 'admin:admin', ''])
      expect((await ask(`Basic ${btoa(login)}`)).status).toBe(401)
    expect((await ask('Bearer x')).status).toBe(401)
    // The node is a process of its own: what it writes arrives when it arrives.
    await vi.waitFor(() => expect(said()).toMatch(/wrong login/))
  })

  test('a wrong password of a node is logged, and callers only see that the node is unavailable', async () => {
    const heard: string[] = []
    const service = await startWithNodes('sqlite', {
      settings: {
        ...network.settings,
        'app.nodes.operator.password': 'wrong-canary',
        'app.bnms.controllers': 'bnos',
        'app.log.level': 'error',
      },
      logTo: { write: line => void heard.push(line) },
    })
    const answer = await service.as('admin').get('/api/bnms/bnos/operator/memberships')
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect(heard.join('')).toMatch(/refuses its configured login/)
    expect(heard.join('') + answer.text).not.toContain('canary')
    await service.stop()
  })

  test('tells what was done to its history', async () => {
    const service = await startWithNodes('sqlite', {
      settings: { ...network.settings, 'app.bnms.controllers': 'bnos,members' },
    })
    const admin = service.as('admin')
    for (const networkId of ['a', 'b', 'c'])
      await admin.post('/api/bnms/members/alpha/memberships', { party: 'Operations', networkId })
    await admin.put('/api/bnms/bnos/operator/memberships', { member: 'Alpha Works', networkId: 'b' })
    await service.stop()
    const node = nodeNamed('operator')
    await node.stop()
    const overrides = { ...network.settings, 'app.dataDir': node.folder }
    const config = loadConfig({ env: {}, cwd: node.folder, overrides })
    const verify = async () => (await verifyNode(config, 'operator')).faults.join('\n')
    const tamper = (sql: string) => {
      const database = new DatabaseSync(join(node.folder, 'node-operator.db'))
      database.exec(sql)
      database.close()
      return verify()
    }
    // Another test runs the command on a whole history.
    if (runsAll) {
      const whole = await node.run('node', 'verify', 'operator')
      expect([whole.code, whole.out]).toEqual([
        0,
        expect.stringMatching(/^Node operator: 4 states, 3 memberships\.\nAll/),
      ])
    }
    expect(await verify()).toBe('')
    const entries = '"membershipEntries"'
    const steps: readonly (readonly [string, RegExp])[] = [
      [
        `UPDATE ${entries} SET entry = replace(entry, '"PENDING"', '"ACTIVE"') WHERE sequence = 1`,
        /state 1 .*signature is wrong/,
      ],
      [`UPDATE ${entries} SET entry = replace(entry, '"ACTIVE"', '"PENDING"') WHERE sequence = 1`, /^$/],
      [`UPDATE "memberships" SET status = 'ACTIVE' WHERE "networkID" = 'a'`, /is not as state 1 says/],
      [`UPDATE "memberships" SET status = 'PENDING' WHERE "networkID" = 'a'`, /^$/],
      [`UPDATE ${entries} SET sequence = 9 WHERE sequence = 2`, /state 2 is missing/],
      [`UPDATE ${entries} SET sequence = 2 WHERE sequence = 9`, /^$/],
      [`UPDATE "membershipNodes" SET head = 'x' || head`, /end of the history is not the one/],
      [`UPDATE "membershipNodes" SET head = substr(head, 2)`, /^$/],
      [`DELETE FROM ${entries} WHERE sequence = 4`, /3 states of its own; 4 were issued/],
    ]
    // Of four changes, the first, which is undone, and the last.
    for (const [sql, said] of extent([...steps.slice(0, 2), ...steps.slice(-1)], steps))
      expect([sql, await tamper(sql)]).toEqual([sql, expect.stringMatching(said)])
    const broken = await node.run('node', 'verify', 'operator')
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/is invalid/)])
  }, 120_000)

  testAll('judges what it keeps by the network map, also where its settings hold a node of the service', async () => {
    const { folder, run } = nodeNamed('alpha')
    const shared = [`--app.nodes.operator.partyName=${parties.operator}`, '--app.nodes.operator.role=operator']
    const { code, out } = await run('node', 'verify', 'alpha', ...shared)
    expect([code, out]).toEqual([0, expect.stringMatching(/^Node alpha: [34] states, 3 memberships\.\nAll/)])
    expect((await readdir(folder)).filter(name => name.endsWith('.key'))).toEqual(['node-alpha.key'])
  })
})
