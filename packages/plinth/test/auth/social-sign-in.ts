// People who sign in at another service: one that keeps to the standard, one that does not, and one that is down.

import { type Browser, openBrowser } from '@plinth/test-kit/cookie-client'
import type { TestedDatabase } from '@plinth/test-kit/databases'
import { clientSettings, type IdentityProvider, startIdentityProvider } from '@plinth/test-kit/identity-provider'
import { type RegistrationScene, setScene } from '@plinth/test-kit/registering'
import { afterAll, beforeAll, expect } from 'vitest'
import { type CrookedProvider, startCrookedProvider } from './nonconforming-provider.ts'

export const baseUrl = 'http://plinth.example'
export const signInPath = '/api/auth/oauth/signin/real'
/** The page that tells why it failed. */
export const errorPage = (code: string) => `/client/sign-in?error=${code}`

export const providerSettings = (name: string, issuer: string): Record<string, string> => ({
  [`app.oauth.providers.${name}.issuer`]: issuer,
  [`app.oauth.providers.${name}.clientId`]: clientSettings.clientId,
  [`app.oauth.providers.${name}.clientSecret`]: clientSettings.clientSecret,
})

/** `scene()`, `real()` and `crooked()` are there once the tests run. */
export const openSocialScene = (database: TestedDatabase) => {
  let started: { readonly scene: RegistrationScene; readonly real: IdentityProvider; readonly crooked: CrookedProvider }
  const scene = () => started.scene
  const real = () => started.real
  const crooked = () => started.crooked
  beforeAll(async () => {
    const real = await startIdentityProvider(baseUrl + signInPath)
    const crooked = await startCrookedProvider(clientSettings)
    const scene = await setScene(database, {
      'app.baseUrl': baseUrl,
      ...providerSettings('real', real.issuer),
      'app.oauth.providers.real.label': 'The Real One',
      ...providerSettings('crooked', crooked.issuer),
      ...providerSettings('down', 'http://127.0.0.1:9'),
    })
    started = { scene, real, crooked }
  })
  afterAll(async () => {
    await started.scene.stop()
    await started.real.stop()
    await started.crooked.stop()
  })

  let serial = 0
  /** A person who has an account at the provider. */
  const somebody = (more: object = {}) => {
    serial += 1
    const subject = `subject-${serial}`
    const person = { email: `social${serial}@example.org`, email_verified: true, ...more }
    real().people.set(subject, person)
    return { subject, email: person.email }
  }
  const visit = () => openBrowser(scene().service.url)
  const begin = async (browser: Browser, query = '', at = signInPath) => {
    const reply = await browser.post(at + query)
    expect(reply.status).toBe(302)
    return String(reply.headers.location)
  }
  const callback = (browser: Browser, url: URL) => browser.get(url.pathname + url.search)
  const signIn = async (subject: string, browser = visit(), query = '') =>
    callback(browser, await real().signIn(await begin(browser, query), subject))
  const me = async (browser: Browser) => (await browser.get('/api/auth/userDetails')).body
  const audited = async (type: string) =>
    (await scene().service.as('admin').get(`/api/management/auditevents?type=${type}`)).body.events
  return { scene, real, crooked, somebody, visit, begin, callback, signIn, me, audited }
}
