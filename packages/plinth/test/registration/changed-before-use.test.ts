// Between the look at a link and its use the account may change: the link counts for the account as it is by then.

import { setTimeout as sleep } from 'node:timers/promises'
import { featureDatabases } from '@plinth/test-kit/databases'
import { accountPath, newPasswordTwice } from '@plinth/test-kit/new-passwords'
import {
  askForReset,
  bodyOf,
  confirmationFor,
  json,
  mailFor,
  type NewPerson,
  newPerson,
  type RegistrationScene,
  setScene,
  settle,
  tokenIn,
} from '@plinth/test-kit/registering'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TransactionRecords } from '../../src/core/model/records.ts'
import { endTokens } from '../../src/modules/mail/index.ts'
import { secrets, userCredentials } from '../../src/modules/people/index.ts'

/**
 * The milliseconds, longer than PostgreSQL waits before it looks for a ring, so that the holder is the one who is
 * ended.
 */
const lockMs = 500

describe.each(featureDatabases(import.meta.url))('on %s', database => {
  let scene: RegistrationScene
  beforeAll(async () => {
    scene = await setScene(database)
  })
  afterAll(() => scene.stop())

  /** The answer to a link that is used while its account is held, and how often the work of the holder was begun. */
  const useWhileHeld = async (pk: string, body: object, work: (records: TransactionRecords) => Promise<unknown>) => {
    let [runs, status] = [0, Promise.resolve(0)]
    await scene.service.app.platform.records.transaction(async records => {
      runs += 1
      await records.lock(userCredentials, pk)
      if (runs === 1) status = scene.anonymous.put(accountPath, body).then(answer => answer.status)
      await sleep(lockMs)
      await work(records)
    })
    return { status: await status, runs }
  }

  test('a password that an account gets while an address is confirmed is asked for', async () => {
    const { username, email } = newPerson()
    const { body } = await scene.service.as('admin').post('/api/rest/users', { username, email }, json)
    const resetPasswordToken = tokenIn(await scene.server.next(mailFor(email, /You have been invited/)))
    const give = (records: TransactionRecords) => records.update(secrets, body.pk, { passwordHash: 'another' })
    const { status } = await useWhileHeld(body.pk, { username, resetPasswordToken }, give)
    expect(status).toBe(422)
    const later = await scene.anonymous.put(accountPath, { username, resetPasswordToken })
    expect([later.status, later.body.errors[0].pointer]).toEqual([400, '/currentPassword'])
  })

  interface Mailed {
    readonly pk: string
    readonly body: object
  }
  const links: readonly (readonly [string, (person: NewPerson) => Promise<Mailed>])[] = [
    [
      'confirms a registration',
      async person => {
        const { pk } = (await scene.anonymous.post(accountPath, bodyOf(person))).body
        const resetPasswordToken = await confirmationFor(scene, person)
        return { pk, body: { username: person.username, resetPasswordToken } }
      },
    ],
    [
      'sets a new password',
      async person => {
        const { pk } = await settle(scene, person)
        const resetPasswordToken = await askForReset(scene, { username: person.username }, person.email)
        return { pk, body: { resetPasswordToken, ...newPasswordTwice } }
      },
    ],
  ]

  test.each(links)('a link that %s waits for the account, and does not block its deactivation', async (_, send) => {
    const { pk, body } = await send(newPerson())
    // The same order as a deactivation: the account first, then the mailed links.
    expect(await useWhileHeld(pk, body, records => endTokens(records, pk))).toEqual({ status: 422, runs: 1 })
  })
})
