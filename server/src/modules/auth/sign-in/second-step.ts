// POST userDetails/secondFactor: the second step of a sign-in whose first was a right password.

import type { Transaction } from '../../../core/model/transaction.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { readMembers } from '../../../core/rest/read-members.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { pendingOver, readPending } from '../second-factor/pending.ts'
import { withCode } from '../second-factor/try-code.ts'
import { sessions } from '../sessions/sessions.ts'
import { neededText } from '../typed-text.ts'
import { noteSuccess } from '../verification/verify-password.ts'
import { mustBeOwn } from './log-in.ts'
import { cookiesOf, createBegin, secondFactorRequired, welcome } from './sign-in.ts'

const fields = { code: neededText }

export const giveSecondFactor =
  (service: Service, auth: AuthContext) =>
  async ({ caller }: Context, task: Task): Promise<Answer> => {
    await mustBeOwn(service, task)
    const { request, body } = task
    const { code } = readMembers(body, fields)
    const pending = await readPending(auth, request)
    if (!pending) throw new Problem('unauthorized')
    const { sid, secrets, by, remember } = pending
    const settle = async (tx: Transaction): Promise<void> => {
      await noteSuccess(tx, { request, way: 'secondFactor', userPk: secrets.pk, now: auth.platform.clock() })
      // Complete once, however many come with the cookie.
      if ((await recordsIn(tx).removeWhere(sessions, { pk: sid })) === 0) throw new Problem('unauthorized')
    }
    const entry = { secrets, request, by, remember, former: caller.session, settle }
    const begun = await withCode(auth, { secrets, code, request }, await createBegin(auth, entry))
    // Still pending: another code may be tried.
    if (!begun) throw secondFactorRequired({})
    const cookies = [...(await cookiesOf(auth, begun, by)), pendingOver]
    return welcome(auth, { request, status: 200 }, { userPk: secrets.pk, cookies })
  }
