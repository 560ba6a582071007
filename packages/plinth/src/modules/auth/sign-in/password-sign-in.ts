// The endpoints that take a password, and the code of the second factor that may follow it.

import { appSettings } from '../../../core/config/service-settings.ts'
import type { Config } from '../../../core/config/settings.ts'
import { boolean, text } from '../../../core/model/fields.ts'
import { defineShape } from '../../../core/model/shape.ts'
import { Problem } from '../../../core/problem.ts'
import { defineEndpoint, type Endpoint } from '../../../core/rest/endpoint.ts'
import type { AuthContext } from '../context.ts'
import { expiredPending, readPending, withCode } from '../second-factor/verify-code.ts'
import { basicSettings } from '../settings.ts'
import { requiredCode, requiredPassword, type SignInMethod } from '../verification/verify-password.ts'
import { pendingCommit } from './pending-commit.ts'
import {
  deliver,
  prepareSession,
  refusedAnswer,
  refusedCodeAnswer,
  secondFactorRequired,
  signedInAnswer,
  signInOrChallenge,
  signInProblems,
  tokensField,
  userResponse,
} from './sign-in.ts'

const login = defineShape(
  'LoginRequest',
  {
    username: text({ max: 1000, about: 'Or a verified e-mail address.' }),
    email: text({ max: 1000, about: 'Instead of the username.' }),
    password: requiredPassword,
    rememberMe: boolean({ about: 'Remember the device. Only at `userDetails`.' }),
    code: text({ max: 1000, about: 'The second-factor code. It can also be sent in a second step.' }),
    tokens: tokensField,
  },
  { needsOneOf: ['username', 'email'] },
)

interface PasswordSignIn<Path extends string, Id extends string> extends Pick<Endpoint, 'summary' | 'description'> {
  readonly path: Path
  readonly id: Id
  readonly by: 'tokens' | 'sso'
  readonly status: 200 | 201
}

const signInWithPassword = <const Path extends string, const Id extends string>(
  auth: AuthContext,
  method: SignInMethod,
  options: PasswordSignIn<Path, Id>,
) => {
  const { by, status, path, id, ...described } = options
  return defineEndpoint({
    ...described,
    path,
    id,
    method: 'POST',
    access: 'true',
    // A page of another site must not sign users in: they would leave data in an account of the attacker.
    ownSite: true,
    forgiving: true,
    holdsSecrets: true,
    body: login,
    answers: { [status]: signedInAnswer, 401: refusedAnswer },
    problems: signInProblems,
    answer: async ({ caller, request, body }) => {
      const { username, email, password, code } = body
      const verification = await auth.verifyPassword({ name: username ?? email ?? '', password, request, method })
      const remember = method === 'userDetails' && body.rememberMe === true
      const carrier = body.tokens ?? by
      const attempt = { ...verification, request, by: carrier, code, former: caller.session, remember }
      const delivery = await signInOrChallenge(auth, attempt)
      return userResponse(auth, { request, status }, { userPk: verification.secrets.pk, ...delivery })
    },
  })
}

export const signInByForm = (auth: AuthContext) =>
  signInWithPassword(auth, 'userDetails', {
    path: '/api/auth/userDetails',
    id: 'logIn',
    summary: 'Sign in; with `rememberMe`, remember the device',
    by: 'tokens',
    status: 200,
  })

export const createTokens = (auth: AuthContext) =>
  signInWithPassword(auth, 'jwt', {
    path: '/api/auth/jwt/access',
    id: 'createTokens',
    summary: 'Sign in with tokens',
    description: 'Sets the cookies `access_token` and `refresh_token`.',
    by: 'tokens',
    status: 201,
  })

/** The endpoints of Basic authentication, where it is switched on. */
export const basicEndpoints = (auth: AuthContext, config: Config) => {
  const { enabled } = config.get(basicSettings)
  if (enabled === 'false' || (enabled === 'auto' && !config.get(appSettings).demo)) return []
  return [
    signInWithPassword(auth, 'basic', {
      path: '/api/auth/basic',
      id: 'createBasicLogin',
      summary: 'Sign in for development',
      description: 'Sets the cookie `app-sso`, which stands for a Basic header.',
      by: 'sso',
      status: 201,
    }),
  ]
}

/** The second step of a sign-in. */
export const sendSecondFactor = (auth: AuthContext) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/auth/userDetails/secondFactor',
    id: 'giveSecondFactor',
    summary: 'Send the second factor and sign in',
    description: 'The second step, within five minutes after `second_factor_required`.',
    access: 'true',
    ownSite: true,
    forgiving: true,
    holdsSecrets: true,
    body: {
      code: requiredCode,
      pending: text({ max: 2000, about: 'From the response `second_factor_required`, in place of its cookie.' }),
    },
    answers: { 200: signedInAnswer, 401: refusedCodeAnswer },
    problems: [400, 403, 406, 415, 429, 503],
    answer: async ({ caller, request, body }) => {
      const { code } = body
      const pending = await readPending(auth, request, body.pending)
      if (!pending) throw new Problem('unauthorized')
      const { secrets, by, remember } = pending
      const commit = pendingCommit(auth, { request, pending, method: 'secondFactor' })
      const attempt = { secrets, request, by, remember, former: caller.session, commit }
      const started = await withCode(auth, { secrets, code, request }, await prepareSession(auth, attempt))
      // Another code may be tried.
      if (!started) throw secondFactorRequired(by === 'body' ? { extra: { pending: body.pending } } : {})
      const { cookies, tokens } = await deliver(auth, started, by)
      const { account } = started
      const delivery = tokens ? { cookies, tokens, account } : { cookies: [...cookies, expiredPending], account }
      return userResponse(auth, { request, status: 200 }, { userPk: secrets.pk, ...delivery })
    },
  })
