// Reading an operator's whole list into a member's copy: cheap however long it is, and never at the price of belief.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type NetworkScene, parties, startScene } from './scene.ts'
import { createStranger } from './stranger.ts'

const operator = createStranger('O=Far Operator, L=Bern, C=CH', 'operator')
const impostor = createStranger('O=Far Operator, L=Bern, C=CH', 'operator')
const bno = operator.entry.partyName
const pageSize = 500

const nameOf = (serial: number) =>
  serial === 0 ? parties.alpha : `O=Far Member ${String(serial).padStart(4, '0')}, L=Rome, C=IT`

/** The operator's state of this number; the first is that of alpha itself. */
const stateOf = (serial: number, { version = 1, status = 'ACTIVE', sequence = serial + 1 } = {}) => ({
  bno,
  sequence,
  previous: `before ${sequence}`,
  act: version === 1 ? 'request' : 'amend',
  record: {
    member: nameOf(serial),
    bno,
    membershipMetadata: { serial },
    networkID: null,
    status,
    issued: '2026-01-01T00:00:00.000Z',
    modified: '2026-01-01T00:00:00.000Z',
    linearId: `00000000-0000-7000-8000-${String(serial).padStart(12, '0')}`,
    participants: [nameOf(serial), bno],
    reason: null,
    version,
  },
})

type Signed = ReturnType<typeof operator.state>

const count = 1200
const honest = Array.from({ length: count }, (_, serial) => operator.state(stateOf(serial)))
let listed: readonly Signed[] = honest
/** Further pages wait for it. */
let gate: Promise<void> = Promise.resolve()

/** The operator's node, as far as it is asked for its list. */
const startOperator = async (): Promise<{ server: Server; address: string }> => {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const message = JSON.parse(text) as { kind: string; body: { after: string | null } }
    const linearIdOf = ({ entry }: Signed): string => JSON.parse(entry).record.linearId
    const { after } = message.body
    if (after) await gate
    const from = after ? listed.findIndex(one => linearIdOf(one) === after) + 1 : 0
    const entries = listed.slice(from, from + pageSize)
    const last = entries.at(-1)
    const next = last && from + pageSize < listed.length ? linearIdOf(last) : null
    const body = message.kind === 'list' ? { own: honest.slice(0, 1), entries, next } : {}
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(operator.answer(message, body)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, address: `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` }
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let folder: string
  let server: Server
  let scene: NetworkScene
  const lines: string[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plinth-refresh-'))
    const started = await startOperator()
    server = started.server
    const file = join(folder, 'map.json')
    await writeFile(file, JSON.stringify({ parties: [{ ...operator.entry, address: started.address }] }))
    scene = await startScene(database, {
      settings: { 'app.nodes.alpha.networkMap': file, 'app.log.level': 'warn' },
      logTo: { write: line => void lines.push(line) },
    })
  })
  afterAll(async () => {
    await scene.service.stop()
    await new Promise(resolve => server.close(resolve))
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    listed = honest
  })

  const list = (more: string) =>
    scene.list('alpha', `?bno=${encodeURIComponent(bno)}&filterOutMissingFromNetworkMap=false${more}`)
  const refresh = () => list('&forceRefresh=true')
  const copy = async () => (await list('')).body as { member: string; status: string; version: number }[]
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    const { store } = scene.service.app.platform
    const before = store.statements
    await work()
    return store.statements - before
  }

  test('the first takes in everything by the hundred, and a further one writes nothing', async () => {
    const first = await costOf(async () => expect((await refresh()).body).toHaveLength(count))
    // The realtime feed reads what was written, in statements that count here too.
    expect(first).toBeLessThan(count / 3)
    expect((await copy()).map(({ member }) => member)).toEqual(Array.from({ length: count }, (_, at) => nameOf(at)))
    const kept = (await scene.admin.get('/api/rest/memberships?filter=node==alpha&_ps=1')).body
    expect(kept.page.totalElements).toBe(count)
    const again = await costOf(async () => expect((await refresh()).body).toHaveLength(count))
    expect(again).toBeLessThan(40)
    expect((await scene.admin.get('/api/rest/memberships?filter=node==alpha;version!=1')).body.content).toEqual([])
  })

  test('it is passed on page by page, as it comes', async () => {
    let open = () => {}
    gate = new Promise(resolve => {
      open = resolve
    })
    const query = `?bno=${encodeURIComponent(bno)}&filterOutMissingFromNetworkMap=false&forceRefresh=true`
    const response = await fetch(`${scene.service.url}/api/bnms/members/alpha/memberships${query}`, {
      headers: { authorization: `Basic ${btoa('admin:admin')}` },
    })
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      // The operator holds back the next page until the whole of this one has arrived.
      if (text.includes(nameOf(pageSize - 1))) open()
    }
    expect(JSON.parse(text)).toHaveLength(count)
  })

  test('what has changed is taken over, and what is older changes nothing', async () => {
    const changed = [7, 700].map((serial, at) =>
      operator.state(stateOf(serial, { version: 3, status: 'SUSPENDED', sequence: count + 1 + at })),
    )
    listed = [...honest.filter((_, serial) => serial !== 7 && serial !== 700), ...changed]
    expect((await refresh()).body).toHaveLength(count - 2)
    expect(await copy()).toHaveLength(count - 2)
    // The states before, which the operator has issued as well, and one between that was never heard of.
    listed = [...honest, operator.state(stateOf(7, { version: 2, sequence: count + 3 }))]
    expect((await refresh()).status).toBe(200)
    const found = (await copy()).map(({ member }) => member)
    expect([found.length, found.includes(nameOf(7)), found.includes(nameOf(700))]).toEqual([count - 2, false, false])
  })

  test.each<[string, () => Signed]>(
    everyThird([
      [
        'was changed after it was signed',
        () => ({ ...honest[9], entry: honest[9]?.entry.replace('ACTIVE', 'REVOKED') }) as Signed,
      ],
      ['another has signed', () => impostor.state(stateOf(2000))],
      [
        'bears the signature of another state',
        () => ({ ...operator.state(stateOf(2000)), signature: honest[1]?.signature ?? '' }),
      ],
      ['bears no signature', () => ({ ...operator.state(stateOf(2000)), signature: '' })],
      [
        'is known, under a signature that is not its own',
        () => ({ entry: honest[3]?.entry ?? '', signature: honest[4]?.signature ?? '' }),
      ],
      ['is no state at all', () => ({ entry: '{', signature: honest[0]?.signature ?? '' })],
      ['has the number of another', () => operator.state(stateOf(2000, { sequence: 5 }))],
    ]),
  )('a list with a state that %s is not believed', async (_, forge) => {
    await refresh()
    const before = await copy()
    const since = lines.length
    listed = [...honest.slice(0, 20), operator.state(stateOf(3000)), forge()]
    const answer = await refresh()
    expect([answer.status, answer.body.detail]).toEqual([503, expect.stringMatching(/sent an invalid response/)])
    expect(lines.slice(since).join('')).toMatch(/answer refused/)
    expect(await copy()).toEqual(before)
  })
})
