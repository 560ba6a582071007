// Registrations that nobody confirms are removed, and their codes can be used again. Those that other records refer to stay,
// and may yet be confirmed.

import { oneByOne, repeatedly } from '../../../core/rest/background.ts'
import type { Service } from '../../../core/rest/service.ts'
import { isUnconfirmed } from '../../contacts/index.ts'
import { userCredentials } from '../user-credentials.ts'
import { users } from '../users.ts'
import { removeUnconfirmed } from './turn-away.ts'

const name = 'removing old registrations'
const pause = 3600_000
const keptFor = 7 * 24 * 3600_000

export const startPurging = (service: Service): (() => Promise<void>) =>
  repeatedly(service, { name, pause, round: () => purge(service) })

const purge = async (service: Service): Promise<void> => {
  const { records, clock } = service.platform
  const old = { active: false, createdDate: { le: new Date(clock().getTime() - keptFor).toISOString() } }
  for await (const all of records.stream(users, { where: old })) {
    await oneByOne(service, { name, all }, ({ pk }) =>
      records.transaction(async own => {
        if (isUnconfirmed(await own.lock(userCredentials, pk))) await removeUnconfirmed(own.tx, pk, clock())
      }),
    )
  }
}
