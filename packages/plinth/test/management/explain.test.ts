import { featureDatabases } from '@plinth/test-kit/databases'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const path = '/api/rest/explain'
const clientPk = '00000000-0000-7000-8000-000000000004'
const staffPk = '00000000-0000-7000-8000-000000000003'

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  const explain = async (query: Record<string, string>) => {
    const reply = await service.as('admin').get(`${path}?${new URLSearchParams(query)}`)
    expect(reply).toHaveStatus(200)
    return reply.body
  }
  beforeAll(async () => {
    service = await startService(database, {
      settings: { 'app.modules': 'rental', 'app.access.hosts.read': "caller.has('ROLE_SITE_OPERATOR')" },
    })
  })
  afterAll(() => service.stop())

  test('tells the rule, the decision, and whether the record matches', async () => {
    const own = await explain({ resource: 'users', operation: 'patch', user: 'client', pk: clientPk })
    expect(own).toMatchObject({
      user: { pk: clientPk, username: 'client', roles: ['ROLE_USER'], active: true },
      rule: { expression: "record.pk == caller.pk || caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')", from: 'model' },
      decision: 'some',
      record: { pk: clientPk, exists: true, visible: true, matches: true },
    })
    expect(own.notWritable).toEqual(
      expect.arrayContaining([
        { member: 'username', rule: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')" },
        { member: 'roles', rule: "caller.has('ROLE_ADMIN')" },
        { member: 'emailHash', rule: 'false' },
        { member: 'active', rule: 'false' },
        { member: 'version', rule: 'false' },
      ]),
    )
    expect(own.hidden).toEqual([
      { member: 'email', rule: 'false' },
      { member: 'password', rule: 'false' },
      { member: 'emailHash', rule: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')" },
    ])
    const other = await explain({ resource: 'users', operation: 'patch', user: 'client@plinth.example', pk: staffPk })
    expect(other.record).toEqual({ pk: staffPk, exists: true, visible: true, matches: false })
    const hidden = await explain({ resource: 'userCredentials', operation: 'read', user: clientPk, pk: staffPk })
    expect(hidden.record).toEqual({ pk: staffPk, exists: true, visible: false, matches: false })
  })

  test.each([
    [{ resource: 'hosts', operation: 'read', user: 'staff' }, 'no', 'configuration'],
    [{ resource: 'hosts', operation: 'read', user: 'operator' }, 'yes', 'configuration'],
    [{ resource: 'users', operation: 'read' }, 'no', 'model'],
    [{ resource: 'countries', operation: 'read' }, 'yes', 'model'],
    [{ resource: 'users', operation: 'delete', user: 'admin' }, 'yes', 'model'],
  ])('%o: %s by %s', async (query, decision, from) => {
    const { record, ...said } = await explain(query)
    expect([said.decision, said.rule.from, record]).toEqual([decision, from, null])
  })

  test('names the rule that hides a field, and only where it hides it', async () => {
    const question = { resource: 'clients', operation: 'read' }
    const rule = "caller.has('ROLE_STAFF')"
    expect((await explain({ ...question, user: 'simple' })).hidden).toEqual([
      { member: 'cardBarcode', rule },
      { member: 'balance', rule },
    ])
    expect((await explain({ ...question, user: 'staff' })).hidden).toEqual([])
  })

  test('what is given at creation for good is out of reach afterwards', async () => {
    const notWritable = async (operation: string) =>
      (await explain({ resource: 'users', operation, user: 'admin' })).notWritable.map(
        ({ member: field }: { member: string }) => field,
      )
    expect(await notWritable('create')).not.toContain('email')
    expect(await notWritable('patch')).toEqual(expect.arrayContaining(['email', 'password']))
  })

  test('whose account is inactive may do nothing, whatever the rules say', async () => {
    const credentials = `/api/rest/userCredentials/${staffPk}`
    const own = { resource: 'users', operation: 'patch', user: 'staff', pk: staffPk }
    const setActive = async (active: boolean) =>
      expect((await service.as('admin').patch(credentials, { active }, json)).status).toBe(200)
    expect((await explain(own)).record.matches).toBe(true)
    await setActive(false)
    expect(await explain(own)).toMatchObject({
      user: { username: 'staff', active: false },
      decision: 'no',
      record: { exists: true, visible: false, matches: false },
    })
    expect(await explain({ resource: 'countries', operation: 'read', user: 'staff' })).toMatchObject({
      rule: { expression: 'true' },
      decision: 'no',
    })
    await setActive(true)
    expect((await explain(own)).record.matches).toBe(true)
  })

  test.each([
    'resource=users',
    'resource=none&operation=read',
    'resource=secrets&operation=read',
    'resource=users&operation=own',
    'resource=users&operation=read&user=none',
  ])('refuses %s', async query => {
    expect((await service.as('admin').get(`${path}?${query}`)).status).toBe(400)
  })

  test('is for administrators', async () => {
    const query = '?resource=users&operation=read'
    expect((await service.as('anonymous').get(path + query)).status).toBe(401)
    expect((await service.as('operator').get(path + query)).status).toBe(403)
  })
})
