// No role hears over /ws what REST would not show it: every resource × every role, created, updated and deleted.

import { tmpdir } from 'node:os'
import { featureDatabases } from '@plinth/test-kit/databases'
import { everyThird } from '@plinth/test-kit/extent'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { makeSample } from '@plinth/test-kit/samples'
import { type Client, type DemoUser, startService, type TestService } from '@plinth/test-kit/service'
import { type Connected, connect, credentialsOf, type ReceivedChanges } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRegistry } from '../../src/core/model/registry.ts'
import type { Resource } from '../../src/core/model/resource.ts'
import type { Parsed } from '../../src/testing/client.ts'

const roles: readonly DemoUser[] = ['admin', 'operator', 'staff', 'client', 'simple']
const resources = createRegistry(
  modulesFor(loadConfig({ env: {}, cwd: tmpdir() })).flatMap(module => module.resources),
).resources.filter(
  ({ definition: { internal, access } }) => !internal && (access.create ?? access.write ?? 'false') !== 'false',
)
const json = { Accept: 'application/json' }
const sending = { ...json, 'Content-Type': 'application/json' }

describe.each(featureDatabases(import.meta.url))('on %s', database => {
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

  const asSeen = async (item: string): Promise<Map<DemoUser, Parsed>> => {
    const seen = new Map()
    for (const role of roles) {
      const found = await service.as(role).get(item, json)
      seen.set(role, found.status === 200 ? found.body : null)
    }
    return seen
  }
  let updated = 0

  const tested = everyThird(resources.map(resource => [resource.name, resource] as const))
  test.each(tested)('%s', async (name, resource) => {
    const inboxes = new Map<DemoUser, ReceivedChanges | null>()
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
    const seen = await asSeen(item)
    const isUpdated = (await admin.patch(item, changed(resource), sending)).status === 200
    if (isUpdated) updated += 1
    const later = isUpdated ? await asSeen(item) : seen
    const isDeleted = (await admin.delete(item)).status === 204
    // A sample that comes with another record is created, deleted and created again. A change that a role must not see would
    // have been sent by the time the others have received everything.
    const expected = ['created', ...(isUpdated ? ['updated'] : []), ...(isDeleted ? ['deleted'] : [])]
    const changesFor = (role: DemoUser) => (inboxes.get(role)?.bodies() ?? []).filter(change => change.pk === pk)
    for (const role of roles.filter(one => seen.get(one)))
      await expect
        .poll(() =>
          changesFor(role)
            .map(change => change.type)
            .slice(-expected.length),
        )
        .toEqual(expected)
    for (const role of roles.filter(one => !seen.get(one))) expect([role, changesFor(role)]).toEqual([role, []])
    for (const role of roles) {
      for (const { record } of changesFor(role).filter(change => change.record)) {
        const message = [seen.get(role), later.get(role)].find(
          one => one?.version === record.version && one?.lastModifiedDate === record.lastModifiedDate,
        )
        expect([role, message ? record : Object.keys(record)]).toEqual([
          role,
          message ?? Object.keys(seen.get(role) ?? {}),
        ])
      }
    }
    for (const role of roles) {
      for (const [id] of Object.entries(subscriptionsOf(connections.get(role) as Connected))) {
        connections.get(role)?.stomp.unsubscribe(id)
      }
    }
  })

  test('most of them could be updated, so that the table is none of empty rows', () => {
    expect(updated).toBeGreaterThan(tested.length / 2)
  })
})

const subscriptionsOf = (connected: Connected): Record<string, unknown> =>
  // biome-ignore lint/complexity/useLiteralKeys: the library has no list of its subscriptions
  (connected.stomp as unknown as Record<string, { _subscriptions: Record<string, unknown> }>)['_stompHandler']
    ?._subscriptions ?? {}

/** A new value for a text that every user who may change the record may change. */
const changed = ({ fields, definition: { identifier } }: Resource): Record<string, string> => {
  for (const { name, definition } of fields.values()) {
    if (definition.role !== 'value' || definition.compute || !/^(text|longText)$/.test(definition.type.name)) continue
    const { serverOwned, writeOnly, fixed, unique } = definition.options
    const isIdentity = identifier.kind === 'hashed' && identifier.of === name
    const isRestricted = definition.type.schema.format !== undefined || definition.type.schema.pattern !== undefined
    if (!serverOwned && !writeOnly && !fixed && !unique && !isIdentity && !isRestricted) return { [name]: 'other' }
  }
  return {}
}
