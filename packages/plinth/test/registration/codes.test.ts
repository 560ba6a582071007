// Registration codes: made in batches, each good for one person, exported as a table.

import { featureDatabases } from '@plinth/test-kit/databases'
import { extent, testAll } from '@plinth/test-kit/extent'
import { bodyOf, json, newPerson, type RegistrationScene, setScene } from '@plinth/test-kit/registering'
import type { Client } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const batches = '/api/rest/registrationCodeBatches'
const codes = '/api/rest/userRegistrationCodes'

let serial = 0

const makeBatch = async (client: Client, more: object = {}) => {
  serial += 1
  const made = await client.post(batches, { name: `Batch ${serial}`, batchSize: 3, ...more }, json)
  expect(made).toHaveStatus(201)
  return made.body
}

const codesOf = async (client: Client, batch: { pk: string }): Promise<string[]> =>
  (await client.get(`${batches}/${batch.pk}/codes?_ps=500`, json)).body.content.map((one: { pk: string }) => one.pk)

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  let operator: Client
  let admin: Client
  beforeAll(async () => {
    scene = await setScene(database, { 'app.registration.forceCodes': 'true' })
    operator = scene.service.as('operator')
    admin = scene.service.as('admin')
  })
  afterAll(() => scene.stop())

  const register = (registrationCode: unknown, person = newPerson()) =>
    scene.anonymous.post('/api/auth/account', bodyOf(person, { registrationCode }))

  test('a batch is created with its codes, and no code can be guessed from another', async () => {
    const batch = await makeBatch(operator, { batchSize: 1000, description: 'For the fair' })
    expect(batch).toMatchObject({ batchSize: 1000, available: 1000, createdBy: { username: 'operator' } })
    const made = (await operator.get(`${codes}?batch=${batch.pk}&_ps=500`, json)).body
    expect(made.page.totalElements).toBe(1000)
    for (const { pk, available } of made.content) {
      expect(available).toBe(true)
      expect(pk).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })

  test('a code lets one person register and is counted as used', async () => {
    const batch = await makeBatch(operator)
    const [code = ''] = await codesOf(operator, batch)
    const person = newPerson()
    expect((await register(code.toUpperCase(), person)).status).toBe(201)
    expect((await operator.get(`${batches}/${batch.pk}`, json)).body.available).toBe(2)
    const used = (await operator.get(`${codes}/${code}`, json)).body
    expect(used).toMatchObject({ available: false, batch: { pk: batch.pk } })
    const credentials = await admin.get(`${codes}/${code}/credentials`, json)
    expect(credentials.body.user.username).toBe(person.username)
  })

  test('of many who use one code at once, one gets in', async () => {
    const batch = await makeBatch(operator, { batchSize: 1 })
    const [code] = await codesOf(operator, batch)
    const people = Array.from({ length: extent(20, 50) }, newPerson)
    const answers = await Promise.all(people.map(person => register(code, person)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 201)).toHaveLength(1)
    expect(statuses.filter(status => status === 422)).toHaveLength(people.length - 1)
    const names = people.map(({ username }) => username).join(',')
    const made = await admin.get(`/api/rest/users?filter=${encodeURIComponent(`username=in=(${names})`)}`, json)
    expect(made.body.content).toHaveLength(1)
  }, 120_000)

  test('used, unknown, odd and expired codes are refused alike, and none is a missing field', async () => {
    const batch = await makeBatch(operator, { expirationDate: '2030-01-01T12:00:00.000Z' })
    const [expired] = await codesOf(operator, batch)
    const good = await makeBatch(operator, { expirationDate: '2030-01-01T12:00:00.001Z' })
    const [code = ''] = await codesOf(operator, good)
    expect((await register(code)).status).toBe(201)
    const refused = []
    for (const one of [code, expired, '00000000-0000-4000-8000-000000000000', 'x', "' OR 1=1 --", batch.pk]) {
      const person = newPerson()
      const { status, body } = await register(one, person)
      refused.push([status, body.code, body.detail, body.errors[0].pointer].join())
      expect((await admin.get(`/api/rest/users?username=${person.username}`, json)).body.content).toEqual([])
    }
    expect(new Set(refused)).toEqual(new Set(['422,unprocessable,The registration code is invalid.,/registrationCode']))
    expect((await register(undefined)).body.errors[0]).toMatchObject({ pointer: '/registrationCode', code: 'required' })
    expect((await register({ a: 1 })).status).toBe(400)
  })

  testAll('the name and the size of a batch stay; its end can be moved', async () => {
    const batch = await makeBatch(operator)
    const address = `${batches}/${batch.pk}`
    for (const change of [{ name: 'other' }, { batchSize: 5 }])
      expect((await operator.patch(address, change, json)).status).toBe(400)
    expect((await operator.patch(address, { expirationDate: '2031-01-01T00:00:00Z' }, json)).status).toBe(200)
    expect((await operator.post(batches, { name: batch.name, batchSize: 1 }, json)).status).toBe(409)
    for (const batchSize of [0, 1001, 1.5, '3', null])
      expect((await operator.post(batches, { name: 'odd', batchSize }, json)).status).toBe(400)
    expect((await operator.patch(address, { available: 99 }, json)).status).toBe(204)
  })

  test('a batch goes with its unused codes, and stays while one is in use', async () => {
    const [unused, used] = [await makeBatch(operator), await makeBatch(operator)]
    const [[gone], [code]] = [await codesOf(operator, unused), await codesOf(operator, used)]
    expect((await operator.delete(`${batches}/${unused.pk}`)).status).toBe(204)
    expect((await operator.get(`${codes}/${gone}`)).status).toBe(404)
    await register(code)
    expect((await operator.delete(`${batches}/${used.pk}`)).status).toBe(409)
    expect(await codesOf(operator, used)).toHaveLength(3)
  })

  test('codes are for operators to read and for administrators to change', async () => {
    const batch = await makeBatch(operator)
    const [code] = await codesOf(operator, batch)
    for (const path of [
      `${codes}/${code}`,
      codes,
      `${batches}/${batch.pk}`,
      `${batches}/${batch.pk}/csv`,
      `${batches}/${batch.pk}/codes`,
    ]) {
      expect((await scene.anonymous.get(path)).status).toBe(401)
      for (const user of ['client', 'staff'] as const) expect((await scene.service.as(user).get(path)).status).toBe(403)
    }
    expect((await operator.post(codes, { batch: batch.pk }, json)).status).toBe(403)
    expect((await operator.delete(`${codes}/${code}`)).status).toBe(403)
    expect((await admin.post(codes, { batch: batch.pk }, json)).status).toBe(201)
    expect((await admin.patch(`${codes}/${code}`, { available: false, credentials: 'x' }, json)).status).toBe(204)
  })

  testAll('the export is a table with a row for each code, under the name of the batch and the hour', async () => {
    const batch = await makeBatch(operator, { name: 'Spring “fair” 2030' })
    const [code = ''] = await codesOf(operator, batch)
    const person = newPerson()
    await register(code, person)
    const table = await operator.get(`${batches}/${batch.pk}/csv`)
    expect([table.status, table.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(table.headers.get('content-disposition')).toBe(
      `attachment; filename="Spring _fair_ 2030_20300101120000.csv"; filename*=UTF-8''Spring%20%E2%80%9Cfair%E2%80%9D%202030_20300101120000.csv`,
    )
    const [head, ...rows] = table.text.trimEnd().split('\r\n')
    expect(head).toBe('pk,available,username,batchId,batchName')
    expect(rows).toHaveLength(3)
    expect(rows).toContain(`${code},false,${person.username},${batch.pk},Spring “fair” 2030`)
    expect((await operator.get(`${batches}/${batch.pk}/csv`, { Accept: 'text/csv' })).status).toBe(200)
    expect((await operator.get(`${batches}/${batch.pk}/csv`, { Accept: 'application/xml' })).status).toBe(406)
    expect((await operator.get(`${batches}/00000000-0000-7000-8000-000000000000/csv`)).status).toBe(404)
    expect((await operator.get(`${batches}/${batch.pk}/csv?x=../../etc`)).status).toBe(200)
  })

  test.each([
    ['=cmd|calc!A1', '_cmd_calc!A1'],
    ['+1+1', '+1+1'],
    ['@SUM(A1)', '@SUM(A1)'],
    ['../../etc/passwd', '__.._etc_passwd'],
    ['a";filename=evil.exe', 'a__filename=evil.exe'],
    ['line\r\nSet-Cookie: a=b', 'line__Set-Cookie_ a=b'],
    ['quote " and , comma', 'quote _ and , comma'],
  ])('a batch called %j breaks neither the table nor the header', async (name, plain) => {
    const made = await operator.post(batches, { name: `${name}`, batchSize: 1 }, json)
    expect(made.status).toBe(201)
    const table = await operator.get(`${batches}/${made.body.pk}/csv`)
    expect(table.headers.get('set-cookie')).toBeNull()
    const [, fileName = ''] = /filename="([^"]*)"/.exec(table.headers.get('content-disposition') ?? '') ?? []
    if (name.startsWith('=')) expect(fileName).toBe('=cmd_calc!A1_20300101120000.csv')
    else expect(fileName).toBe(`${plain}_20300101120000.csv`)
    expect(table.text).not.toMatch(/,[=+@-]/)
    expect(table.text.split('\r\n')[0]).toBe('pk,available,username,batchId,batchName')
  })
})

testAll('without the setting a code is not needed, and one that is given must still be good', async () => {
  const scene = await setScene('sqlite')
  try {
    expect((await scene.anonymous.post('/api/auth/account', bodyOf(newPerson()))).status).toBe(201)
    const wrong = bodyOf(newPerson(), { registrationCode: 'x' })
    expect((await scene.anonymous.post('/api/auth/account', wrong)).status).toBe(422)
  } finally {
    await scene.stop()
  }
})
