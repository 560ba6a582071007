// Registrations that nobody confirms are removed, and their codes can be used again. Those that other records refer to stay,
// and may yet be confirmed.

import { everything, upTo, where } from '../../../core/model/query.ts'
import { oneByOne, repeatedly } from '../../../core/rest/background.ts'
import type { Service } from '../../../core/rest/service.ts'
import { isUnconfirmed } from '../../contacts/index.ts'
import { removeUnconfirmed } from './turn-away.ts'

const name = 'removing old registrations'
const pause = 3600_000
const keptFor = 7 * 24 * 3600_000

export const startPurging = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name, pause, round: () => purge(service) })

const purge = async (service: Service): Promise<void> => {
  const { store, registry, clock } = service.platform
  const users = registry.resource('users')
  const before = new Date(clock().getTime() - keptFor).toISOString()
  const old = { op: 'and', parts: [where(users, { active: false }), upTo(users, 'createdDate', before)] } as const
  for await (const all of store.stream(users, everything(users, old))) {
    await oneByOne(service, { name, all }, ({ pk }) =>
      store.transaction(async tx => {
        if (isUnconfirmed(await tx.lock(tx.resource('userCredentials'), pk))) await removeUnconfirmed(tx, pk, clock())
      }),
    )
  }
}
