// What completes a sign-in that waits for its second factor, whichever factor it is.

import type { Request } from '../../../core/http/exchange.ts'
import { Problem } from '../../../core/problem.ts'
import type { AuthContext } from '../context.ts'
import type { PendingSignIn } from '../second-factor/verify-code.ts'
import { sessions } from '../sessions/session.ts'
import { lockSignedIn, recordSignIn, type SignInMethod, type Verification } from '../verification/verify-password.ts'

interface Completion {
  readonly request: Request
  readonly pending: PendingSignIn
  readonly method: SignInMethod
}

export const pendingCommit =
  (auth: AuthContext, { request, pending: { sid, secrets }, method }: Completion): Verification['commit'] =>
  async records => {
    const now = auth.platform.clock()
    const account = await recordSignIn(records, { request, method, userPk: secrets.pk, now })
    // Of several requests with the cookie, one completes the sign-in.
    if ((await records.removeMany(sessions, { where: { pk: sid } })) === 0) throw new Problem('unauthorized')
    return { secrets: await lockSignedIn(records, secrets), account }
  }
