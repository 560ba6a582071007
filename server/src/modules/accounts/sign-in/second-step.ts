// POST userDetails/secondFactor: the second step of a sign-in whose first was a right password.

import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { readMembers } from '../../../core/rest/read-members.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { Desk } from '../desk/desk.ts'
import { noteSuccess } from '../desk/prove.ts'
import { neededText } from '../desk/typed-text.ts'
import { pendingOver, readPending } from '../second-factor/pending.ts'
import { withCode } from '../second-factor/try-code.ts'
import { sessions } from '../sessions/sessions.ts'
import { mustBeOwn } from './log-in.ts'
import { cookiesOf, createBegin, secondFactorRequired, welcome } from './sign-in.ts'

const fields = { code: neededText }

export const giveSecondFactor =
  (service: Service, desk: Desk) =>
  async ({ caller }: Context, task: Task): Promise<Answer> => {
    await mustBeOwn(service, task)
    const { request, body } = task
    const { code } = readMembers(body, fields)
    const pending = await readPending(desk, request)
    if (!pending) throw new Problem('unauthorized')
    const { sid, secrets, by, remember } = pending
    const settle = async (tx: Transaction): Promise<void> => {
      await noteSuccess(tx, { request, way: 'secondFactor', userPk: secrets.pk, now: desk.platform.clock() })
      // Complete once, however many come with the cookie.
      if ((await recordsIn(tx).removeWhere(sessions, { pk: sid })) === 0) throw new Problem('unauthorized')
    }
    const entry = { secrets, request, by, remember, former: caller.session, settle }
    const begun = await withCode(desk, { secrets, code, request }, await createBegin(desk, entry))
    // Still pending: another code may be tried.
    if (!begun) throw secondFactorRequired({})
    const cookies = [...(await cookiesOf(desk, begun, by)), pendingOver]
    return welcome(desk, { request, status: 200 }, { userPk: secrets.pk, cookies })
  }
