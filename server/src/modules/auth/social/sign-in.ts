// Signing in at a provider: away by POST, back by GET.

import { AuthorizationResponseError } from 'openid-client'
import type { Request } from '../../../core/http/exchange.ts'
import { Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Context } from '../../../core/rest/platform.ts'
import type { Task } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import type { AuthContext } from '../context.ts'
import { authFault } from '../faults.ts'
import type { Cookie } from '../sessions/cookies.ts'
import { mustBeOwn } from '../sign-in/log-in.ts'
import { enter } from '../sign-in/sign-in.ts'
import { holdProved, Lapsed } from '../verification/still-valid.ts'
import { noteSuccess } from '../verification/verify-password.ts'
import { type Attempt, attemptOver, keepAttempt, readAttempt } from './attempt.ts'
import { clientPage, signInPage } from './client-pages.ts'
import { externalIdentities, identityPkOf } from './external-identities.ts'
import { findOrRegister, type LinkRefusal, type RegisterNewcomer } from './link-identity.ts'
import { newChallenge, type ProviderClaims, type ProviderClient } from './provider-client.ts'
import type { Provider } from './providers.ts'

export interface Known {
  readonly provider: Provider
  readonly client: ProviderClient
}

export interface Social {
  readonly service: Service
  readonly auth: AuthContext
  readonly known: ReadonlyMap<string, Known>
  readonly registerNewcomer: RegisterNewcomer
}

/** What the sign-in page is told: why it did not work. */
type Failure = LinkRefusal | 'unavailable' | 'expired' | 'denied' | 'failed'

const knownOf = ({ known }: Social, { params }: Request): Known => {
  const found = known.get((params.provider ?? '').toLowerCase())
  if (!found) throw new Problem('not_found')
  return found
}

/** Of the service as people reach it, and never of the request: callers choose its Host. */
const redirectUriOf = ({ service }: Social, { provider }: Known): string =>
  `${service.address()}/api/auth/oauth/signin/${provider.name}`

export const leave =
  (social: Social) =>
  async (_: Context, task: Task): Promise<Answer> => {
    await mustBeOwn(social.service, task)
    const { request } = task
    const known = knownOf(social, request)
    const asked = new URLSearchParams(request.search)
    const to = asked.get('to') ?? '/'
    if (clientPage(to) === null) throw badTarget()
    const challenge = newChallenge()
    const location = await beginAt(social, known, challenge)
    if (location === null) return unavailable(social, request)
    const attempt: Attempt = {
      provider: known.provider.name,
      challenge,
      to,
      remember: asked.get('rememberMe') === 'true',
    }
    const headers = social.auth.cookieHeaders(request, [await keepAttempt(social.auth, attempt)])
    return wantsJson(request)
      ? { kind: 'value', status: 200, name: 'signIn', value: { location }, headers }
      : { kind: 'nothing', status: 302, headers: { ...headers, Location: location } }
  }

/** A script has to be told where to go: it cannot read the address of a redirect, nor follow it to a foreign page. */
const wantsJson = ({ headers: { accept = '' } }: Request): boolean => /\bapplication\/json\b/i.test(accept)

const badTarget = (): Problem =>
  new Problem('bad_parameter', {
    errors: [{ parameter: 'to', ...authFault('client_page') }],
  })

const beginAt = async (social: Social, known: Known, challenge: Attempt['challenge']): Promise<string | null> => {
  try {
    return (await known.client.begin({ challenge, redirectUri: redirectUriOf(social, known) })).href
  } catch (error) {
    logFailure(social, known, error)
    return null
  }
}

const unavailable = ({ auth }: Social, request: Request): Answer => {
  if (wantsJson(request)) throw new Problem('unavailable', 'The provider cannot be reached.')
  return redirect(auth, request, { page: signInPage({ error: 'unavailable' }), cookies: [attemptOver] })
}

/** Without the cause: it may hold what the provider was sent. */
const logFailure = ({ auth }: Social, { provider }: Known, error: unknown): void => {
  const { name, message, code } = error as Error & { readonly code?: unknown }
  auth.log.warn({ provider: provider.name, error: { name, message, code } }, 'a sign-in at a provider failed')
}

const redirect = (
  auth: AuthContext,
  request: Request,
  { page, cookies }: { readonly page: string; readonly cookies: readonly Cookie[] },
): Answer => ({ kind: 'nothing', status: 302, headers: { ...auth.cookieHeaders(request, cookies), Location: page } })

export const comeBack =
  (social: Social) =>
  async ({ caller }: Context, { request }: Task): Promise<Answer> => {
    const known = knownOf(social, request)
    const { auth } = social
    const refuse = async (failure: Failure): Promise<Answer> => {
      const reason = `${known.provider.name}: ${failure}`
      await auth.noteRefusal({ type: 'AUTHENTICATION_FAILURE', principal: null, request, reason })
      return redirect(auth, request, { page: signInPage({ error: failure }), cookies: [attemptOver] })
    }
    const attempt = await readAttempt(auth, request, known.provider.name)
    if (!attempt) return refuse('expired')
    const claims = await finishAt(social, known, { attempt, request })
    if (typeof claims === 'string') return refuse(claims)
    const arrival = { claims, provider: known.provider.name, request }
    const secrets = await findOrRegister(auth, arrival, social.registerNewcomer).catch(tooOften)
    if (typeof secrets === 'string') return refuse(secrets)
    const entered = await enter(auth, {
      secrets,
      request,
      by: 'tokens',
      former: caller.session,
      remember: attempt.remember,
      settle: async tx => {
        await noteSuccess(tx, { request, way: 'oauth', userPk: secrets.pk, now: auth.platform.clock() })
        await holdProved(tx, secrets)
        if (!(await recordsIn(tx).first(externalIdentities, { pk: identityPkOf(claims) }))) throw new Lapsed(secrets)
      },
    }).catch(changedMeanwhile)
    if (typeof entered === 'string') return refuse(entered)
    const { cookies, isPending } = entered
    const page = isPending ? signInPage({ secondFactor: 'true', to: attempt.to }) : clientPage(attempt.to)
    return redirect(auth, request, { page: page ?? '/client/', cookies: [...cookies, attemptOver] })
  }

/** A browser cannot do anything with a status; its page can be told. */
const instead =
  (code: Problem['code'], failure: Failure) =>
  (error: unknown): Failure => {
    if (error instanceof Problem && error.code === code) return failure
    throw error
  }
const tooOften = instead('too_many_requests', 'failed')
const changedMeanwhile = instead('unauthorized', 'expired')

const finishAt = async (
  social: Social,
  known: Known,
  { attempt, request }: { readonly attempt: Attempt; readonly request: Request },
): Promise<ProviderClaims | Failure> => {
  const journey = { challenge: attempt.challenge, redirectUri: redirectUriOf(social, known) }
  try {
    return await known.client.finish(journey, request.search)
  } catch (error) {
    logFailure(social, known, error)
    return error instanceof AuthorizationResponseError && error.error === 'access_denied' ? 'denied' : 'failed'
  }
}
