// Slow work on a field, such as hashing a password: callers who may not write the field do not trigger it, and other
// writes do not wait for it.

import { featureDatabases } from '@plinth/test-kit/databases'
import { column, fresh, make } from '@plinth/test-kit/library'
import { modules } from '@plinth/test-kit/platform'
import { type Answer, type Client, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { input, ref, secret, text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'

let starts: string[] = []
let duringPreparation: () => Promise<unknown> = async () => {}

const vaults = defineResource('vaults', {
  about: 'What opens to a code.',
  label: 'name',
  fields: {
    name: text({ required: true, max: 100 }),
    code: input(secret({ max: 20 }), async plain => {
      starts.push(String(plain))
      await duringPreparation()
      return `slowly made of ${plain}`
    }),
    lock: text({ serverOwned: true }),
    behind: ref('vaults'),
  },
  hooks: {
    beforeCreate: ({ values }) => {
      if (values.code !== undefined) values.lock = values.code
    },
    beforeUpdate: ({ values }) => {
      if (values.code !== undefined) values.lock = values.code
    },
  },
  access: { read: 'true', write: "caller.has('ROLE_STAFF')" },
})

const path = '/api/rest/vaults'
const mediaType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const atomic = { 'Content-Type': mediaType, Accept: mediaType }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let staff: Client
  let pk: string
  beforeAll(async () => {
    const module = defineModule({ name: 'vaults', about: 'Vaults.', resources: [vaults] })
    service = await startService(database, { modules: [...modules, module] })
    staff = service.as('staff')
    pk = (await make(staff, 'vaults', { name: 'there' })).pk
  })
  afterAll(() => service.stop())
  beforeEach(() => {
    starts = []
    duringPreparation = async () => {}
  })

  const perform = (client: Client, operations: object[], key: Record<string, string> = {}) =>
    client.post('/api/rest/operations', { 'atomic:operations': operations }, { ...atomic, ...key })
  const adding = (name: string, more: object = {}) => ({
    op: 'add',
    data: { type: 'vaults', attributes: { name, code: '1234' }, ...more },
  })
  const key = () => ({ 'Idempotency-Key': crypto.randomUUID() })

  /** Each sends the code 1234 for a vault of this name. */
  const ways: readonly [string, (client: Client, name: string) => Promise<Answer>][] = [
    ['a new record', (client, name) => client.post(path, { name, code: '1234' })],
    ['a new record, once', (client, name) => client.post(path, { name, code: '1234' }, key())],
    ['a list, once', (client, name) => client.post(path, [{ name, code: '1234' }], key())],
    ['a replacement', (client, name) => client.put(`${path}/${pk}`, { name, code: '1234' })],
    ['a patch', (client, name) => client.patch(`${path}/${pk}`, { name, code: '1234' })],
    ['an atomic addition', (client, name) => perform(client, [adding(name)])],
    ['an atomic addition, once', (client, name) => perform(client, [adding(name)], key())],
    [
      'an atomic addition that names another',
      (client, name) => {
        const behind = { data: { type: 'vaults', lid: 'first' } }
        const first = { op: 'add', data: { type: 'vaults', lid: 'first', attributes: { name: `${name} first` } } }
        return perform(client, [first, adding(name, { relationships: { behind } })])
      },
    ],
    [
      'an atomic change',
      (client, name) =>
        perform(client, [{ op: 'update', data: { type: 'vaults', id: pk, attributes: { name, code: '1234' } } }]),
    ],
  ]

  test.each(ways)('%s is refused before it begins', async (_, write) => {
    expect((await write(service.as('anonymous'), fresh('v'))).status).toBe(401)
    expect((await write(service.as('simple'), fresh('v'))).status).toBe(403)
    expect(starts).toEqual([])
  })

  test.each(ways)('while %s has it done, others write', async (_, write) => {
    const [name, other] = [fresh('v'), fresh('other')]
    duringPreparation = () => make(staff, 'vaults', { name: other })
    expect((await write(staff, name)).status).toBeLessThan(300)
    expect(starts).toEqual(['1234'])
    expect(column(await staff.get(`${path}?name=${name}`), 'lock')).toEqual(['slowly made of 1234'])
    expect(column(await staff.get(`${path}?name=${other}`), 'lock')).toEqual([null])
  })

  test('one operation that is not the caller’s to do leaves all of them undone', async () => {
    const refused = await perform(staff, [adding(fresh('v')), { op: 'add', data: { type: 'roles', attributes: {} } }])
    expect([refused.status, starts]).toEqual([403, []])
  })

  test('a request that is repeated has it done once', async () => {
    const [name, headers] = [fresh('v'), key()]
    for (let round = 0; round < 2; round++)
      expect((await staff.post(path, { name, code: '1234' }, headers)).status).toBe(201)
    expect(starts).toEqual(['1234'])
  })
})
