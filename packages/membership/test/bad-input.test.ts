// What cannot be read is refused with every fault named, and changes nothing.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { everyThird } from '@plinth/test-kit/extent'
import { createApp, loadConfig } from '@plinth/test-kit/platform'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readNodeSettings } from '../src/settings.ts'
import { type NetworkScene, nodeSettings, parties, startScene, startWithNodes } from './scene.ts'

let scene: NetworkScene
beforeAll(async () => {
  scene = await startScene('sqlite')
  await scene.request('alpha', { party: 'Operations' })
})
afterAll(() => scene.service.stop())

const operator = '/api/bnms/bnos/operator/memberships'
const member = '/api/bnms/members/alpha/memberships'
const long = (length: number) => 'x'.repeat(length)

describe('bodies', () => {
  test.each<[string, string, unknown, number, readonly string[]]>(
    everyThird([
      ['PUT', operator, {}, 400, ['/member']],
      ['PUT', operator, { member: null }, 400, ['/member']],
      ['PUT', operator, { member: 7 }, 400, ['/member']],
      ['PUT', operator, { member: ' ' }, 400, ['/member']],
      ['PUT', operator, { member: long(1001) }, 400, ['/member']],
      ['PUT', operator, { member: 'O=Alpha' }, 400, ['/member']],
      ['PUT', operator, { member: 'O=A\u0000b,L=x,C=GB' }, 400, ['/member']],
      ['PUT', operator, { member: 'O=Alpha,L=London,C=QQ' }, 400, ['/member']],
      ['PUT', operator, { member: 'Unheard of' }, 404, []],
      ['PUT', operator, { member: parties.alpha, bno: 'O=x' }, 400, ['/bno']],
      ['PUT', operator, { member: parties.alpha, bno: [] }, 400, ['/bno']],
      ['PUT', operator, { member: parties.alpha, version: '1' }, 400, ['/version']],
      ['PUT', operator, { member: parties.alpha, version: 0 }, 400, ['/version']],
      ['PUT', operator, { member: parties.alpha, version: 1.5 }, 400, ['/version']],
      ['PUT', operator, { member: parties.alpha, reason: long(501) }, 400, ['/reason']],
      ['PUT', operator, { member: parties.alpha, networkId: long(101) }, 400, ['/networkId']],
      [
        'PUT',
        operator,
        { member: 1, networkId: {}, reason: [], version: {} },
        400,
        ['/member', '/networkId', '/reason', '/version'],
      ],
      ['PUT', operator, [{ member: parties.alpha }, { member: 3 }], 400, ['/1/member']],
      ['PUT', operator, [], 400, []],
      ['PUT', operator, [7], 400, []],
      ['PUT', operator, 'text', 400, []],
      ['PUT', operator, '"text"', 400, []],
      ['PUT', operator, '{', 400, []],
      ['PUT', operator, '', 400, []],
      ['PUT', operator, Array(501).fill({ member: parties.alpha }), 400, []],
      ['POST', `${operator}/revoke`, {}, 400, ['/member']],
      ['POST', `${operator}/decline`, {}, 400, ['/member']],
      ['DELETE', operator, {}, 400, ['/member']],
      ['DELETE', `${operator}?member=`, undefined, 400, []],
      ['DELETE', `${operator}?member=Alpha+Works&version=x`, undefined, 400, []],
      ['DELETE', `${operator}?member=Alpha+Works&member=Beta`, undefined, 400, []],
      ['DELETE', `${operator}?membr=Alpha+Works`, undefined, 400, []],
      ['POST', member, {}, 400, ['/party']],
      ['POST', member, { party: 'Unknown' }, 404, []],
      ['POST', member, { party: 'Beta' }, 404, []],
      ['POST', member, { party: 'O=Far,L=Away,C=GB' }, 404, []],
      ['POST', member, [], 400, []],
      ['POST', member, { party: 'Rivals', membershipMetadata: long(20_000) }, 400, ['/membershipMetadata']],
      ['POST', member, { party: 'Rivals', membershipMetadata: { a: 'x\u0000' } }, 400, ['/membershipMetadata']],
      ['POST', member, '{"party":"Rivals","membershipMetadata":{"__proto__":1}}', 400, ['/membershipMetadata']],
      ['POST', member, '{"party":"Rivals","membershipMetadata":"\\ud800"}', 400, ['/membershipMetadata']],
      [
        'POST',
        member,
        `{"party":"Rivals","membershipMetadata":${'['.repeat(60)}${']'.repeat(60)}}`,
        400,
        ['/membershipMetadata'],
      ],
      ['PUT', member, { party: 'Operations' }, 400, ['/membershipMetadata']],
      ['GET', `${member}?bno=O%3Dx`, undefined, 400, ['/bno']],
      ['GET', `${member}?bno=Operations&networkId=a%00b`, undefined, 400, []],
      ['GET', `${member}?bno=Operations&member=a%0ab`, undefined, 400, []],
      ['GET', `${member}?bno=Operations&status=sleepy`, undefined, 400, []],
      ['GET', `${member}?bno=Operations&forceRefresh=maybe`, undefined, 400, []],
      ['GET', `${member}?bno=Operations&filterOutMissingFromNetworkMap=1`, undefined, 400, []],
      ['GET', `${member}?bno=Operations&_ps=0`, undefined, 400, []],
      ['GET', `${member}?bno=Operations&_ps=501`, undefined, 400, []],
      ['GET', `${member}?bno=Operations&page=no`, undefined, 400, []],
      ['GET', `${member}?bno=Operations&bno=Rivals`, undefined, 400, []],
    ]),
  )('%s %s with %j gives %i', async (method, path, body, status, pointers) => {
    const before = (await scene.overview('operator')).body
    const headers = { 'Content-Type': 'application/json' }
    const answer = await scene.admin(path, { method, ...(body !== undefined && { body, headers }) })
    expect(answer.status).toBe(status)
    const named = (answer.body?.errors ?? []).flatMap((fault: { pointer?: string }) => fault.pointer ?? [])
    expect(named).toEqual(pointers)
    expect((await scene.overview('operator')).body).toEqual(before)
    expect((await scene.overview('rival')).body).toEqual([])
  })

  test('a body of another type is refused', async () => {
    const typed = (type: string) =>
      scene.admin(operator, { method: 'PUT', body: '<x/>', headers: { 'Content-Type': type } })
    expect((await typed('application/xml')).status).toBe(415)
    const document = { data: { type: 'memberships', attributes: { member: 'Alpha Works' } } }
    const jsonApi = { 'Content-Type': 'application/vnd.api+json' }
    expect((await scene.admin.put(operator, document, jsonApi)).status).toBe(415)
  })
})

describe('metadata of a schema', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 2 }, mail: { type: 'string', format: 'email' } },
    additionalProperties: false,
  }
  const typed = (name: string) => ({
    [`app.nodes.${name}.bnmsServiceType`]: 'json-schema',
    [`app.nodes.${name}.metadataSchema`]: JSON.stringify(schema),
  })

  test.each(everyThird(['alpha', 'operator']))('is held to it by the node of %s', async node => {
    const other = await startScene('sqlite', { settings: typed(node) })
    const application = { party: 'Operations' }
    for (const membershipMetadata of [
      undefined,
      7,
      {},
      { name: 'x' },
      { name: 'xy', more: 1 },
      { name: 'xy', mail: 'x' },
    ])
      expect((await other.request('alpha', { ...application, membershipMetadata })).status).toBe(400)
    const faulty = await other.request('alpha', { ...application, membershipMetadata: { name: 'x', mail: 'x' } })
    expect(faulty.body.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      '/membershipMetadata/mail',
      '/membershipMetadata/name',
    ])
    expect((await other.request('alpha', { ...application, membershipMetadata: { name: 'xy' } })).status).toBe(201)
    await other.activate('operator', { member: 'Alpha Works' })
    expect((await other.amend('alpha', { ...application, membershipMetadata: { name: '' } })).status).toBe(400)
    expect(
      (await other.amend('alpha', { ...application, membershipMetadata: { name: 'we', mail: 'a@b.example' } })).status,
    ).toBe(200)
    await other.service.stop()
  })
})

describe('settings that stop the start', () => {
  const login = { 'app.nodes.alpha.username': 'u', 'app.nodes.alpha.password': 'p' }
  const starting = (settings: Record<string, string>) =>
    startWithNodes('sqlite', { settings: { ...nodeSettings, ...settings } }).then(
      service => service.stop().then(() => 'started'),
      (error: Error) => error.message,
    )

  test.each<[Record<string, string>, RegExp]>(
    everyThird([
      [
        { 'app.nodes.alpha.bnmsServiceType': 'unheard-of' },
        /alpha\.bnmsServiceType.*expected one of json, json-schema/,
      ],
      [{ 'app.nodes.alpha.bnmsServiceType': 'json-schema' }, /needs metadataSchema/],
      [{ 'app.nodes.alpha.bnmsServiceType': 'json-schema', 'app.nodes.alpha.metadataSchema': '{"type":7}' }, /schema/],
      [
        { 'app.nodes.alpha.bnmsServiceType': 'json-schema', 'app.nodes.alpha.metadataSchema': 'no-such-file' },
        /ENOENT/,
      ],
      [{ 'app.nodes.alpha.partyName': 'O=Alpha' }, /alpha\.partyName.*needs L/],
      [{ 'app.nodes.alpha.partyName': 'C=FR, O=Beta,L=Paris' }, /another node/],
      [{ 'app.nodes.gamma.role': 'operator' }, /gamma\.partyName.*required/],
      [{ 'app.nodes.alpha.role': 'king' }, /operator, member/],
      [{ 'app.nodes.alpha.address': 'localhost:1' }, /alpha\.username.*required[\s\S]*alpha\.password.*required/],
      [{ 'app.nodes.alpha.adapter': 'unheard-of' }, /alpha\.adapter.*expected one of remote/],
      [{ 'app.nodes.alpha.adapter': 'remote' }, /alpha\.address.*host:port/],
      [
        {
          'app.nodes.alpha.address': 'localhost:1',
          'app.nodes.alpha.username': 'u',
          'app.nodes.alpha.password': 'p',
          'app.nodes.alpha.tlsKey': 'key.pem',
        },
        /alpha\.tlsKey.*come together/,
      ],
      [{ 'app.nodes.alpha.address': 'no address' }, /alpha\.address.*host:port/],
      [
        { ...login, 'app.nodes.alpha.address': 'http://192.0.2.7:9100' },
        /alpha\.address.*https.*app\.bnms\.allowPlainHttp/,
      ],
      [{ ...login, 'app.nodes.alpha.address': 'http://node.example:9100' }, /alpha\.address.*allowPlainHttp/],
      [{ ...login, 'app.nodes.alpha.address': 'http://127.0.0.1.example:9100' }, /alpha\.address.*allowPlainHttp/],
      [
        { ...login, 'app.nodes.alpha.address': '[::1]:1', 'app.nodes.alpha.adminAddress': 'http://192.0.2.7:1' },
        /alpha\.adminAddress.*allowPlainHttp/,
      ],
      [{ 'app.nodes.alpha.bnoWhitelist': 'Operations' }, /alpha\.bnoWhitelist/],
      [{ 'app.nodes.alpha.networkMap': 'no-such-file' }, /no-such-file/],
      [{ 'app.bnms.controllers': 'bno,kings' }, /bno, member, bnos, members/],
    ]),
  )('%j', async (settings, message) => {
    expect(await starting(settings)).toMatch(message)
  })

  test.each<Record<string, string>>([
    { 'app.nodes.alpha.address': 'http://192.0.2.7:9100', 'app.bnms.allowPlainHttp': 'true' },
    { 'app.nodes.alpha.address': 'https://192.0.2.7:9100' },
    { 'app.nodes.alpha.address': '[::1]:9100' },
    { 'app.nodes.alpha.address': 'localhost:9100' },
  ])('nothing is wrong with %j', settings => {
    const overrides = { ...nodeSettings, ...login, ...settings }
    expect(readNodeSettings(loadConfig({ env: {}, cwd: '/nowhere', overrides }))).toHaveLength(4)
  })

  test.each([
    ['node.example:9100', 'https://node.example:9100'],
    ['192.0.2.7:9100', 'https://192.0.2.7:9100'],
    ['localhost:9100', 'http://localhost:9100'],
    ['[::1]:9100', 'http://[::1]:9100'],
  ])('an address without a scheme is https beyond loopback: %s', (address, url) => {
    const overrides = { ...nodeSettings, ...login, 'app.nodes.alpha.address': address }
    const nodes = readNodeSettings(loadConfig({ env: {}, cwd: '/nowhere', overrides }))
    expect(nodes.find(({ name }) => name === 'alpha')).toMatchObject({ remote: { url } })
  })

  test.each(
    everyThird([
      ['http://192.0.2.7:9100', /party 1 of .*plain http/],
      ['192.0.2.7:9100', /^started$/],
      ['https://192.0.2.7:9100', /^started$/],
      ['127.0.0.1:9100', /^started$/],
    ]),
  )('a network map with %s', async (address, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'plinth-map-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'map.json')
    await writeFile(file, JSON.stringify({ parties: [{ partyName: parties.operator, address }] }))
    expect(await starting({ 'app.nodes.alpha.networkMap': file })).toMatch(message)
  })

  test('every fault is named at once, and no password with them', async () => {
    const said = await starting({
      'app.nodes.alpha.partyName': 'x',
      'app.nodes.beta.partyName': 'y',
      'app.nodes.beta.address': '?',
      'app.nodes.beta.password': 'canary-password',
    })
    for (const name of ['alpha.partyName', 'beta.partyName', 'beta.address', 'beta.username'])
      expect(said).toContain(name)
    expect(said).not.toContain('canary')
  })

  test('a ledger is not opened with another key than before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plinth-key-'))
    const app = () =>
      createApp(
        loadConfig({
          env: {},
          cwd: folder,
          overrides: { ...nodeSettings, 'server.port': '0', 'app.dataDir': folder, 'app.log.level': 'silent' },
        }),
      )
    const first = await app()
    await first.listen()
    await first.close()
    await rm(join(folder, 'node-operator.key'))
    const second = await app()
    await expect(second.listen()).rejects.toThrow(/another key/)
    await second.close()
    await rm(folder, { recursive: true })
  })
})
