// No role hears over /ws what REST would not show it: every resource × every role, created, updated and deleted.

import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modulesFor } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { createRegistry } from '../../src/core/model/registry.ts'
import { makeSample } from '../support/samples.ts'
import { type Client, type DemoUser, databases, startService, type TestService } from '../support/service.ts'
import { type Change, type Connected, connect, credentialsOf, type Inbox } from './subscriber.ts'

const roles: readonly DemoUser[] = ['admin', 'operator', 'staff', 'client', 'simple']
const resources = createRegistry(
  modulesFor(loadConfig({ env: {}, cwd: tmpdir() })).flatMap(module => module.resources),
).resources.filter(
  ({ definition: { internal, access } }) => !internal && (access.create ?? access.write ?? 'false') !== 'false',
)
const json = { Accept: 'application/json' }

describe.each(databases)('on %s', database => {
  let service: TestService
  let admin: Client
  const connections = new Map<DemoUser, Connected>()
  beforeAll(async () => {
    service = await startService(database)
    admin = service.as('admin')
    for (const role of roles) connections.set(role, await connect(service.url, credentialsOf(role)))
  })
  afterAll(async () => {
    for (const connected of connections.values()) await connected.disconnect()
    await service.stop()
  })

  test.each(resources.map(resource => [resource.name, resource] as const))('%s', async (name, resource) => {
    const inboxes = new Map<DemoUser, Inbox | null>()
    for (const role of roles) {
      const connected = connections.get(role) as Connected
      const inbox = await connected.listen(`/topic/${name}`, { record: 'true' }).catch(() => null)
      const mayRead = (await service.as(role).get(`/api/rest/${name}?_ps=1`)).status === 200
      expect([role, inbox !== null]).toEqual([role, mayRead])
      inboxes.set(role, inbox)
      // An ERROR ends the connection.
      if (!inbox) connections.set(role, await connect(service.url, credentialsOf(role)))
    }
    const { pk } = (await makeSample(admin, resource)).body
    const item = `/api/rest/${name}/${encodeURIComponent(pk)}`
    const seen = new Map<DemoUser, unknown>()
    for (const role of roles) {
      const found = await service.as(role).get(item, json)
      seen.set(role, found.status === 200 ? found.body : null)
    }
    const isDeleted = (await admin.delete(item)).status === 204
    // Whatever else there was to tell has been told by the time the administrator has heard of the last change.
    await inboxes.get('admin')?.find(change => change.pk === pk && (!isDeleted || change.type === 'deleted'))
    for (const role of roles) {
      const changes = (inboxes.get(role)?.bodies() ?? []).filter(change => change.pk === pk)
      const types = [...new Set(changes.map(change => change.type))]
      const expected = seen.get(role) ? ['created', ...(isDeleted ? ['deleted'] : [])] : []
      expect([role, types.filter(type => type !== 'updated')]).toEqual([role, expected])
      expect([role, recordsIn(changes).every(record => sameMembers(record, seen.get(role)))]).toEqual([role, true])
    }
    for (const role of roles) {
      for (const [id] of Object.entries(subscriptionsOf(connections.get(role) as Connected))) {
        connections.get(role)?.stomp.unsubscribe(id)
      }
    }
  })
})

const subscriptionsOf = (connected: Connected): Record<string, unknown> =>
  // biome-ignore lint/complexity/useLiteralKeys: the library has no list of its subscriptions
  (connected.stomp as unknown as Record<string, { _subscriptions: Record<string, unknown> }>)['_stompHandler']
    ?._subscriptions ?? {}

const recordsIn = (changes: readonly Change[]): object[] => changes.flatMap(change => change.record ?? [])

/** The record may be a later one by then; what it shows must be what REST shows. */
const sameMembers = (record: object, shown: unknown): boolean =>
  Object.keys(record).join() === Object.keys(shown as object).join()
