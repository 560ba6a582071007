// The default families of the interface, by resource and operation.

import { allModules } from '@plinth/test-kit/platform'
import { expect, test } from 'vitest'
import { familyOf, type GenericOperation } from '../../src/core/model/family.ts'

const operations: readonly GenericOperation[] = [
  'create',
  'search',
  'find',
  'replace',
  'delete',
  'patch',
  'relationship',
  'related',
]

/** J: JSON and HAL. A: JSON:API. X: XML and JSON. */
const letters = { json: 'J', jsonApi: 'A', xml: 'X' } as const

const families: Readonly<Record<string, string>> = {
  clientErrors: 'J J A J J J J J',
  contactDetails: 'A J A J A J J J',
  continents: 'J A A J J J A J',
  countries: 'J A J J A A A J',
  errorLogs: 'J J A J A J A J',
  allErrors: 'J J A J A A A J',
  friendships: 'A A J J A J J J',
  hosts: 'J J A J A A A A',
  localities: 'A A J J A A A J',
  personalDetails: 'A J A J A J J J',
  postalCodes: 'A J J J J A J J',
  registrationCodeBatches: 'A X X X X X A X',
  roles: 'A A J J J J A A',
  stompSessions: 'J J A J J A A J',
  systemErrors: 'J A A J J A A A',
  userAgents: 'A J A J J A J J',
  userCredentials: 'A A J J J A A J',
  userRegistrationCodes: 'A J A J A A A A',
  users: 'J A A J J J A A',
}

test('every resource of the interface has the default families of its table', () => {
  const definitions = allModules.flatMap(module => module.resources)
  const declared = Object.keys(families).map(name => {
    const definition = definitions.find(one => one.name === name)
    return [name, operations.map(operation => letters[familyOf(definition ?? {}, operation)]).join(' ')]
  })
  expect(Object.fromEntries(declared)).toEqual(families)
})

test('other resources have JSON by default', () => {
  const others = allModules.flatMap(module => module.resources).filter(({ name }) => !Object.hasOwn(families, name))
  expect(others.filter(({ families }) => families !== undefined)).toEqual([])
})
