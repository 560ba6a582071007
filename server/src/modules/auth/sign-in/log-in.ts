// The endpoints that take a password.

import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { isForeign } from '../../../core/rest/own-site.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { readMembers } from '../../../core/rest/read-members.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import { findSecrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { sessions } from '../sessions/sessions.ts'
import { neededText, typedText } from '../typed-text.ts'
import type { Way } from '../verification/verify-password.ts'
import { readLogin } from './login-body.ts'
import { enterWhole, welcome } from './sign-in.ts'

export interface LogIn {
  readonly way: Way
  readonly by: 'tokens' | 'sso'
  readonly status: 200 | 201
  /** May the device be remembered? */
  readonly remembers: boolean
}

/** A page of a foreign site must not sign people in either: they would leave their traces in its account. */
export const mustBeOwn = async (service: Service, { request }: Task): Promise<void> => {
  if (await isForeign(request, service.allowsOrigin))
    throw new Problem('forbidden', 'The request comes from a page of a foreign site.')
}

export const logIn =
  (service: Service, auth: AuthContext, { way, by, status, remembers }: LogIn) =>
  async ({ caller }: Context, task: Task): Promise<Answer> => {
    await mustBeOwn(service, task)
    const { request } = task
    const { name, password, remember, code } = readLogin(task.body)
    const proof = await auth.prove({ name, password, request, way })
    const entry = { ...proof, request, by, code, former: caller.session, remember: remembers && remember }
    const cookies = await enterWhole(auth, entry)
    return welcome(auth, { request, status }, { userPk: proof.secrets.pk, cookies })
  }

const verificationFields = {
  password: neededText,
  email: typedText,
  username: typedText,
}

/** Is whoever is signed in really there? */
export const verify =
  (auth: AuthContext) =>
  async ({ caller, platform }: Context, { request, body }: Task): Promise<Answer> => {
    if (caller.pk === null || caller.username === null) throw new Problem('unauthorized')
    const { password, email, username } = readMembers(body, verificationFields)
    for (const name of [email, username]) {
      if (name !== null && (await findSecrets(platform.store, name))?.pk !== caller.pk)
        throw new Problem('unauthorized')
    }
    const { settle } = await auth.prove({ name: caller.username, password, request, way: 'verification' })
    await platform.store.transaction(async tx => {
      await settle(tx)
      if (caller.session !== undefined)
        await recordsIn(tx).updateWhere(sessions, { pk: caller.session }, { verified: platform.clock().toISOString() })
    })
    return welcome(auth, { request, status: 200 }, { userPk: caller.pk, cookies: [] })
  }
