// Deleting a record that others refer to: refused, unless the reference only says who wrote a record or is a link.

import { featureDatabases } from '@plinth/test-kit/databases'
import { testAll } from '@plinth/test-kit/extent'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { fresh } from '@plinth/test-kit/library'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { copyOf, people, strategyOf } from '@plinth/test-kit/rental-store'
import { type Client, clientFor, startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { derivedFrom, type ResourceDefinition } from '../../src/core/model/define.ts'
import type { OnDelete } from '../../src/core/model/field.ts'
import type { Parsed } from '../../src/testing/client.ts'

const json = { Accept: 'application/json' }

const make = async (client: Client, resource: string, fields: object): Promise<Parsed> => {
  const made = await client.post(`/api/rest/${resource}`, fields, json)
  expect(made).toHaveStatus(201)
  return made.body
}

interface Reference {
  /** The address of a record that another one refers to. */
  readonly target: string
  /** The address of the record that refers to it, and the field that does. */
  readonly referrer: string
  readonly field: string
}

const hostInCountry = async (admin: Client): Promise<Reference> => {
  await admin.put('/api/rest/countries/QM', { name: 'Quarantined', parent: 'EU' })
  const host = await make(admin, 'hosts', { name: `${fresh('host')}.example`, country: 'QM' })
  return { target: '/api/rest/countries/QM', referrer: `/api/rest/hosts/${host.pk}`, field: 'country' }
}

const errorWith = (field: 'userAgent' | 'errorLog', kind: 'clientErrors' | 'systemErrors') => async (admin: Client) => {
  const text = fresh('text')
  const target =
    field === 'userAgent'
      ? `/api/rest/userAgents/${(await make(admin, 'userAgents', { value: text })).pk}`
      : `/api/rest/errorLogs/${(await make(admin, 'errorLogs', { stacktrace: text })).pk}`
  const error = await make(admin, kind, { message: 'It broke.', [field]: target.split('/').at(-1) })
  return { target, referrer: `/api/rest/${kind}/${error.pk}`, field }
}

/** A rental that is over, of a film that has another price by now. */
const pastRental = async (admin: Client): Promise<Reference> => {
  const price = { initialPrice: 1, daysFree: 1, dailyPrice: 1 }
  const strategy = await make(admin, 'filmPricingStrategies', { name: fresh('price'), ...price })
  const film = await make(admin, 'films', { title: fresh('film'), pricingStrategy: strategy.pk })
  const copy = await make(admin, 'filmInventoryEntries', { film: film.pk })
  const rental = await make(admin, 'rentals', { customer: people.client, inventory: copy.pk })
  const returned = await admin.patch(`/api/rest/rentals/${rental.pk}`, { returnDate: new Date().toISOString() })
  expect(returned.status).toBe(200)
  await admin.patch(`/api/rest/films/${film.pk}`, { pricingStrategy: strategyOf('old') })
  return {
    target: `/api/rest/filmPricingStrategies/${strategy.pk}`,
    referrer: `/api/rest/rentals/${rental.pk}`,
    field: 'pricingStrategy',
  }
}

const references: readonly (readonly [string, (admin: Client) => Promise<Reference>])[] = [
  ['the country of a host', hostInCountry],
  ['the user agent of a client error', errorWith('userAgent', 'clientErrors')],
  ['the error log of a client error', errorWith('errorLog', 'clientErrors')],
  ['the user agent of a system error', errorWith('userAgent', 'systemErrors')],
  ['the error log of a system error', errorWith('errorLog', 'systemErrors')],
  ['the pricing strategy of a rental', pastRental],
]

const mustRefuse = async (admin: Client, { target, referrer, field }: Reference): Promise<void> => {
  const pk = target.split('/').at(-1)
  const answer = await admin.delete(target, json)
  expect([answer.status, answer.body?.code]).toEqual([409, 'referenced'])
  expect((await admin.get(target, json)).status).toBe(200)
  expect((await admin.get(referrer, json)).body[field]).toMatchObject({ pk })
}

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let service: TestService
  let admin: Client
  beforeAll(async () => {
    service = await startService(database)
    admin = service.as('admin')
  })
  afterAll(() => service.stop())

  test.each(references)('%s cannot be deleted before the record that refers to it', async (_, prepare) => {
    const reference = await prepare(admin)
    await mustRefuse(admin, reference)
    expect((await admin.delete(reference.referrer)).status).toBe(204)
    expect((await admin.delete(reference.target)).status).toBe(204)
  })

  test('a deleted user is cleared from the records that the user created and changed', async () => {
    const username = fresh('writer')
    const user = await admin.post('/api/rest/users', { username, password: 'wide open fields' }, json)
    const { content: roles } = (await admin.get('/api/rest/roles?name=ROLE_STAFF', json)).body
    expect((await admin.patch(`/api/rest/users/${user.body.pk}`, { roles })).status).toBe(200)
    const writer = clientFor(service.url, { Authorization: `Basic ${btoa(`${username}:wide open fields`)}` })
    const actor = await make(writer, 'filmActors', { firstName: 'Ann', lastName: 'Writer' })
    expect(actor).toMatchObject({ createdBy: { pk: user.body.pk }, lastModifiedBy: { pk: user.body.pk } })
    expect((await admin.delete(`/api/rest/users/${user.body.pk}`)).status).toBe(204)
    const left = await admin.get(`/api/rest/filmActors/${actor.pk}`, json)
    expect(left.body).toMatchObject({ createdBy: null, lastModifiedBy: null, lastName: 'Writer' })
  })

  test('a deleted actor is cleared from the films that link to it', async () => {
    const actor = await make(admin, 'filmActors', { firstName: 'Ann', lastName: 'Gone' })
    const film = await make(admin, 'films', {
      title: fresh('film'),
      pricingStrategy: strategyOf('old'),
      filmActors: [actor.pk],
    })
    expect((await admin.delete(`/api/rest/filmActors/${actor.pk}`)).status).toBe(204)
    expect((await admin.get(`/api/rest/films/${film.pk}`, json)).body.filmActors).toEqual([])
  })

  test('a copy loses its current rental when the rental is deleted', async () => {
    const rental = await make(admin, 'rentals', { customer: people.client, inventory: copyOf('Matrix 11') })
    expect((await admin.delete(`/api/rest/rentals/${rental.pk}`)).status).toBe(204)
    const copy = await admin.get(`/api/rest/filmInventoryEntries/${copyOf('Matrix 11')}`, json)
    expect(copy.body).toMatchObject({ currentRental: null, available: true })
  })
})

/** References that earlier versions cleared when their target was deleted. */
const formerly: Readonly<Record<string, readonly string[]>> = {
  hosts: ['country'],
  allErrors: ['userAgent', 'errorLog'],
  clientErrors: ['userAgent', 'errorLog'],
  systemErrors: ['userAgent', 'errorLog'],
  rentals: ['pricingStrategy'],
}

const withOnDelete = (definition: ResourceDefinition, onDelete: OnDelete): ResourceDefinition => {
  const cleared = formerly[definition.name] ?? []
  const fields = Object.entries(definition.fields).map(([name, field]) =>
    cleared.includes(name) && field.role === 'one' ? [name, { ...field, onDelete }] : [name, field],
  )
  return derivedFrom(definition, { ...definition, fields: Object.fromEntries(fields) })
}

describe.each(featureDatabases(import.meta.url))('a database on %s in which these references are cleared', database => {
  testAll('refuses after the next start, and keeps its records', async () => {
    const kept = await keepDatabase(database)
    onTestFinished(kept.remove)
    const present = modulesFor(loadConfig({ env: {}, cwd: '/' }))
    const former = present.map(module => ({
      ...module,
      resources: module.resources.map(definition => withOnDelete(definition, 'clear')),
    }))
    const before = await startService(database, { modules: former, settings: kept.settings })
    const made: Reference[] = []
    for (const [, prepare] of references) made.push(await prepare(before.as('admin')))
    await before.stop()
    const after = await startService(database, { settings: kept.settings })
    onTestFinished(after.stop)
    for (const reference of made) await mustRefuse(after.as('admin'), reference)
  })
})
