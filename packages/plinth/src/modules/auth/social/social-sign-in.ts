// Sign-in at a provider: POST redirects to the provider, and the provider redirects back to GET.

import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import type { Caller } from '../../../core/model/caller.ts'
import { boolean, text } from '../../../core/model/fields.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import { defineShape } from '../../../core/model/shape.ts'
import { errorCode, errorMessage, Problem } from '../../../core/problem.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { defineEndpoint } from '../../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../../core/rest/endpoint-answers.ts'
import type { Service } from '../../../core/service.ts'
import type { Secrets } from '../../people/index.ts'
import type { AuthContext } from '../context.ts'
import { authFault } from '../problems.ts'
import { type Cookie, cookieNames } from '../sessions/cookies.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { OutdatedVerification } from '../verification/refusals.ts'
import { type CommittedSignIn, lockSignedIn, recordSignIn } from '../verification/verify-password.ts'
import { externalIdentities, identityPkOf } from './identities.ts'
import { findOrRegister, type LinkRefusal, type RegisterNewcomer } from './link-identity.ts'
import { type Challenge, isDenial, newChallenge, type ProviderClaims, type ProviderClient } from './provider-client.ts'
import type { Provider } from './providers.ts'

export interface ConfiguredProvider {
  readonly provider: Provider
  readonly client: ProviderClient
}

export interface Social {
  readonly service: Service
  readonly auth: AuthContext
  /** The providers by their names in lower case. */
  readonly providers: ReadonlyMap<string, ConfiguredProvider>
  readonly registerNewcomer: RegisterNewcomer
}

/** Why the sign-in failed, for the sign-in page. */
type SocialFailure = LinkRefusal | 'unavailable' | 'expired' | 'denied' | 'failed'

const providerOf = ({ providers }: Social, { params }: Request): ConfiguredProvider => {
  const found = providers.get((params.provider ?? '').toLowerCase())
  if (!found) throw new Problem('not_found')
  return found
}

/** The address of the service as configured, never of the request: callers choose its Host. */
const redirectUriOf = ({ service }: Social, { provider }: ConfiguredProvider): string =>
  `${service.address()}/api/auth/oauth/signin/${provider.name}`

const path = '/api/auth/oauth/signin/{provider}'
const params = { provider: 'The name of the provider in the configuration.' } as const

const destination = defineShape(
  'SignInDestination',
  { location: text({ required: true, format: 'uri' }) },
  { element: 'signIn' },
)

/** Browsers accept HTML; a redirect has no media type. */
export const redirectToProvider = (social: Social) =>
  defineEndpoint({
    method: 'POST',
    path,
    id: 'beginSocialSignIn',
    summary: 'Start a sign-in at a provider',
    description:
      'Redirects to the provider. With `Accept: application/json` the response contains the address instead.',
    params,
    access: 'true',
    ownSite: true,
    forgiving: true,
    query: {
      to: text({ max: 2000, default: '/', about: 'The page of the client to return to, such as `/films`.' }),
      rememberMe: boolean({ default: false, about: 'Whether to remember the device.' }),
    },
    produces: '*/*',
    answers: {
      200: {
        about: 'The address of the provider.',
        value: destination,
        headers: { 'Set-Cookie': 'Binds the sign-in to the browser.' },
      },
      302: { about: 'To the provider.', headers: { Location: 'The provider, or the sign-in page with an error.' } },
    },
    problems: [400, 403, 404, 503],
    answer: async ({ request, query: { to, rememberMe } }) => {
      const configured = providerOf(social, request)
      if (clientPage(to) === null)
        throw new Problem('bad_parameter', { errors: [{ parameter: 'to', ...authFault('client_page') }] })
      const challenge = await newChallenge()
      const location = await authorizationUrl(social, configured, challenge)
      if (location === null) return unavailable(social, request)
      const attempt = { provider: configured.provider.name, challenge, to, remember: rememberMe }
      const headers = social.auth.cookieHeaders(request, [await attemptCookie(social.auth, attempt)])
      return wantsJson(request)
        ? toValueAnswer(destination, { location }, { headers })
        : { kind: 'nothing', status: 302, headers: { ...headers, Location: location } }
    },
  })

/** A script cannot read the address of a redirect, nor follow it to another site. */
const wantsJson = ({ headers: { accept = '' } }: Request): boolean => /\bapplication\/json\b/i.test(accept)

const authorizationUrl = async (
  social: Social,
  configured: ConfiguredProvider,
  challenge: SocialAttempt['challenge'],
): Promise<string | null> => {
  try {
    return (await configured.client.begin({ challenge, redirectUri: redirectUriOf(social, configured) })).href
  } catch (error) {
    logFailure(social, configured, error)
    return null
  }
}

const unavailable = ({ auth }: Social, request: Request): Answer => {
  if (wantsJson(request))
    throw new Problem('unavailable', { en: 'The provider is not reachable.', de: 'Der Anbieter ist nicht erreichbar.' })
  return redirect(auth, request, { page: signInPage({ error: 'unavailable' }), cookies: [expiredAttempt] })
}

/** Logs a failure without the cause: it may contain what the provider was sent. */
const logFailure = ({ auth }: Social, { provider }: ConfiguredProvider, error: unknown): void => {
  const name = error instanceof Error ? error.name : 'Error'
  const details = { name, message: errorMessage(error), code: errorCode(error) }
  auth.log.warn({ provider: provider.name, error: details }, 'a sign-in at a provider failed')
}

const redirect = (
  auth: AuthContext,
  request: Request,
  { page, cookies }: { readonly page: string; readonly cookies: readonly Cookie[] },
): Answer => ({ kind: 'nothing', status: 302, headers: { ...auth.cookieHeaders(request, cookies), Location: page } })

export const returnFromProvider = (social: Social) =>
  defineEndpoint({
    method: 'GET',
    path,
    id: 'finishSocialSignIn',
    summary: 'Finish a sign-in at a provider',
    description: 'Providers redirect browsers here. The response is always a redirect to a page of the client.',
    params,
    access: 'true',
    forgiving: true,
    produces: '*/*',
    answers: {
      302: {
        about: 'To the requested page, or to the sign-in page with `error` or `secondFactor`.',
        headers: { Location: 'A page of the client.', 'Set-Cookie': 'The cookies of the session.' },
      },
    },
    problems: [404, 503],
    answer: ({ caller, request }) => finishSignIn(social, caller, request),
  })

const finishSignIn = async (social: Social, caller: Caller, request: Request): Promise<Answer> => {
  const { auth } = social
  const configured = providerOf(social, request)
  const { name } = configured.provider
  const refuse = async (failure: SocialFailure): Promise<Answer> => {
    const reason = `${name}: ${failure}`
    await auth.recordRefusal({ type: 'AUTHENTICATION_FAILURE', principal: null, request, reason })
    return redirect(auth, request, { page: signInPage({ error: failure }), cookies: [expiredAttempt] })
  }
  const attempt = await readAttempt(auth, request, name)
  if (!attempt) return refuse('expired')
  const claims = await readClaims(social, configured, { attempt, request })
  if (typeof claims === 'string') return refuse(claims)
  const arrival = { claims, provider: name, request }
  const secrets = await findOrRegister(auth, arrival, social.registerNewcomer).catch(tooManyRegistrations)
  if (typeof secrets === 'string') return refuse(secrets)
  const result = await signIn(auth, {
    ...{ secrets, request, by: 'tokens', former: caller.session, remember: attempt.remember },
    verified: signedInAt(claims, auth.platform.clock()),
    commit: records => commitIdentity(auth, records, { secrets, claims, request }),
  }).catch(accountChanged)
  if (typeof result === 'string') return refuse(result)
  const page = result.pending !== null ? signInPage({ secondFactor: 'true', to: attempt.to }) : clientPage(attempt.to)
  return redirect(auth, request, { page: page ?? '/client/', cookies: [...result.cookies, expiredAttempt] })
}

const readClaims = async (
  social: Social,
  configured: ConfiguredProvider,
  { attempt, request }: { readonly attempt: SocialAttempt; readonly request: Request },
): Promise<ProviderClaims | SocialFailure> => {
  const exchange = { challenge: attempt.challenge, redirectUri: redirectUriOf(social, configured) }
  try {
    return await configured.client.finish(exchange, request.search)
  } catch (error) {
    logFailure(social, configured, error)
    return (await isDenial(error)) ? 'denied' : 'failed'
  }
}

/**
 * Returns null where the provider does not say: an open session there, which others may use, does not show that the
 * user is present.
 */
const signedInAt = ({ signedInFor }: ProviderClaims, now: Date): Date | null =>
  signedInFor === null ? null : new Date(now.getTime() - Math.min(signedInFor, now.getTime()))

/** The identity must still be linked when the session starts. */
const commitIdentity = async (
  { platform }: AuthContext,
  records: TransactionRecords,
  {
    secrets,
    claims,
    request,
  }: { readonly secrets: Secrets; readonly claims: ProviderClaims; readonly request: Request },
): Promise<CommittedSignIn> => {
  await recordSignIn(records, { request, method: 'oauth', userPk: secrets.pk, now: platform.clock() })
  const locked = await lockSignedIn(records, secrets)
  const identity = await records.first(externalIdentities, { where: { pk: identityPkOf(claims) } })
  if (!identity) throw new OutdatedVerification(secrets)
  return { secrets: locked }
}

/** Browsers are redirected to a page that explains the failure: a status code alone does not help their users. */
const toFailure =
  (code: Problem['code'], failure: SocialFailure) =>
  (error: unknown): SocialFailure => {
    if (error instanceof Problem && error.code === code) return failure
    throw error
  }
const tooManyRegistrations = toFailure('too_many_requests', 'failed')
const accountChanged = toFailure('unauthorized', 'expired')

// A sign-in that is in progress at a provider. What it needs when the browser comes back is in an encrypted cookie: in another
// browser the answer of the provider is worth nothing. And the pages of the client to which browsers are redirected.

const lasts = 10 * 60_000

export interface SocialAttempt {
  readonly provider: string
  readonly challenge: Challenge
  /** A page of the client. */
  readonly to: string
  readonly remember: boolean
}

export const attemptCookie = async ({ platform, seals }: AuthContext, attempt: SocialAttempt): Promise<Cookie> => {
  const until = platform.clock().getTime() + lasts
  const value = (await seals()).seal(JSON.stringify({ ...attempt, until }), 'social sign-in')
  return { name: cookieNames.social, value, lasts }
}

/** The attempt of this browser at this provider; null when there is none, or when it has expired. */
export const readAttempt = async (
  { platform, seals }: AuthContext,
  request: Request,
  provider: string,
): Promise<SocialAttempt | null> => {
  const sealed = readCookie(request, cookieNames.social)
  const text = sealed && (await seals()).open(sealed, 'social sign-in')
  if (!text) return null
  // It can be decrypted, so this service has written it.
  const attempt = JSON.parse(text) as SocialAttempt & { readonly until: number }
  return attempt.provider === provider && attempt.until > platform.clock().getTime() ? attempt : null
}

export const expiredAttempt: Cookie = { name: cookieNames.social, value: '', lasts: 0 }

const home = '/client/'

/**
 * The path of a page of the client, named as the client names its pages, such as `/films?sort=title`. Null for everything that
 * would lead elsewhere: the name is appended to the path of the client before it is parsed, so it cannot name another host.
 */
export const clientPage = (to: string): string | null => {
  if (!/^\/(?![/\\])/.test(to) || to.length > 1000 || /[\\\p{Cc}]/u.test(to)) return null
  const base = 'http://client.invalid'
  if (!URL.canParse(`${base}/client${to}`)) return null
  const { origin, pathname, search, hash } = new URL(`${base}/client${to}`)
  return origin === base && pathname.startsWith(home) ? pathname + search + hash : null
}

/** The sign-in page, with its parameters. */
export const signInPage = (parameters: Readonly<Record<string, string>>): string =>
  `${home}sign-in?${new URLSearchParams(parameters)}`
