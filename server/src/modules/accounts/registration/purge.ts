// Registrations that nobody confirms are removed, and their codes can be used again.

import { everything, upTo, where } from '../../../core/model/query.ts'
import { repeatedly } from '../../../core/rest/background.ts'
import type { Service } from '../../../core/rest/service.ts'
import { isUnconfirmed } from '../../contacts/index.ts'
import { removeUnconfirmed } from './confirm.ts'

const pause = 3600_000
const keptFor = 7 * 24 * 3600_000

export const startPurging = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name: 'removing old registrations', pause, round: () => purge(service) })

const purge = async ({ platform: { store, registry, clock } }: Service): Promise<void> => {
  const users = registry.resource('users')
  const before = new Date(clock().getTime() - keptFor).toISOString()
  const old = { op: 'and', parts: [where(users, { active: false }), upTo(users, 'createdDate', before)] } as const
  for await (const batch of store.stream(users, everything(users, old))) {
    for (const { pk } of batch) {
      await store.transaction(async tx => {
        if (isUnconfirmed(await tx.lock(tx.resource('userCredentials'), pk))) await removeUnconfirmed(tx, pk, clock())
      })
    }
  }
}
