// The library at work: started on a real database, with what its tests make again and again.

import { expect } from 'vitest'
import type { Parsed } from '../../plinth/src/testing/client.ts'
import type { TestedDatabase } from './databases.ts'
import { library } from './library-module.ts'
import { modules } from './platform.ts'
import {
  type Answer,
  type Client,
  type DemoUser,
  type ServiceOptions,
  startService,
  type TestService,
} from './service.ts'

export const jsonApi = 'application/vnd.api+json'
/** Answers and bodies in JSON:API. */
export const speaking = { Accept: jsonApi, 'Content-Type': jsonApi } as const

export const startLibrary = (database: TestedDatabase, options: ServiceOptions = {}): Promise<TestService> =>
  startService(database, { modules: [...modules, library], ...options })

type Fields = Readonly<Record<string, unknown>>

/** Makes a record and gives its JSON; a refusal fails the test with the answer in full. */
export const make = async (client: Client, resource: string, fields: Fields): Promise<Parsed> => {
  const made = await client.post(`/api/rest/${resource}`, fields)
  expect(made).toHaveStatus(201)
  return made.body
}

let serial = 0

/** A word that no other record has. */
export const fresh = (word: string): string => `${word}-${++serial}-${Math.random().toString(36).slice(2, 8)}`

export const freshCopy = (): string => `C-${Math.floor(Math.random() * 1e9)}`

export const accountOf = async (service: TestService, user: DemoUser): Promise<string> => {
  const found = await service.as('admin').get(`/api/rest/users?username=${user}`, { Accept: 'application/json' })
  return found.body.content[0].pk
}

/** The values of one field on a page, in its order. */
export const column = (answer: Answer, field: string): unknown[] => {
  expect(answer).toHaveStatus(200)
  return answer.body.content.map((record: Fields) => record[field])
}

/** The pointers of a refusal, in JSON or JSON:API. */
export const pointers = (answer: Answer): string[] =>
  (answer.body?.errors ?? []).map((fault: { pointer?: string; source?: { pointer?: string } }) =>
    String(fault.pointer ?? fault.source?.pointer),
  )

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
