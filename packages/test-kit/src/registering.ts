// People who register, sign in and forget their passwords.

import type { TestedDatabase } from './databases.ts'
import { linkIn, type MailServer, type ReceivedMail, smtpSettings, startMailServer } from './mailbox.ts'
import { type Client, clientFor, startService, type TestService } from './service.ts'

/** Headers of a body and its answer. */
export const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
const atomicType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
export const atomic = { 'Content-Type': atomicType, Accept: atomicType }

export interface RegistrationScene {
  readonly service: TestService
  readonly server: MailServer
  readonly anonymous: Client
  /** The present moment, for tests that move it. */
  now: Date
  stop(): Promise<void>
}

export const setScene = async (
  database: TestedDatabase,
  settings: Record<string, string> = {},
): Promise<RegistrationScene> => {
  const server = await startMailServer()
  const scene = { now: new Date('2030-01-01T12:00:00Z') }
  const service = await startService(database, {
    settings: { 'app.modules': '', 'app.auth.throttle.perAddress': '10000', ...smtpSettings(server.port), ...settings },
    clock: () => scene.now,
  })
  return Object.assign(scene, {
    service,
    server,
    anonymous: service.as('anonymous'),
    stop: async () => {
      await service.stop()
      await server.stop()
    },
  })
}

let serial = 0

export interface NewPerson {
  readonly email: string
  readonly username: string
  readonly password: string
}

export const newPerson = (): NewPerson => {
  serial += 1
  return {
    email: `person${serial}@example.org`,
    username: `person${serial}`,
    password: `correct horse ${serial} battery`,
  }
}

export const bodyOf = (person: NewPerson, more: object = {}): Record<string, unknown> => ({
  ...person,
  passwordConfirmation: person.password,
  ...more,
})

export const mailFor =
  (email: string, subject = /./) =>
  ({ to, mail }: ReceivedMail): boolean =>
    to.includes(email) && subject.test(mail.subject ?? '')

/** What the link of the mail carries behind `#`. */
export const fragmentOf = (delivery: ReceivedMail): URLSearchParams =>
  new URLSearchParams(linkIn(delivery).hash.slice(1))

export const tokenIn = (delivery: ReceivedMail): string => fragmentOf(delivery).get('token') ?? ''

export const confirmationFor = async ({ server }: RegistrationScene, { email }: NewPerson): Promise<string> =>
  tokenIn(await server.next(mailFor(email, /Confirm your registration/)))

/** Registered, confirmed, able to sign in. */
export const settle = async (
  scene: RegistrationScene,
  person: NewPerson = newPerson(),
  more: object = {},
): Promise<NewPerson & { pk: string }> => {
  const { body } = await scene.anonymous.post('/api/auth/account', bodyOf(person, more))
  const resetPasswordToken = tokenIn(await scene.server.next(mailFor(person.email)))
  const confirmed = await scene.anonymous.put('/api/auth/account', { username: person.username, resetPasswordToken })
  if (confirmed.status !== 200)
    throw new Error(`${person.username} was not confirmed: ${confirmed.status} ${confirmed.text}`)
  return { ...person, pk: body.pk }
}

export const signIn = (scene: RegistrationScene, { username, password }: { username: string; password: string }) =>
  scene.anonymous.post('/api/auth/jwt/access', { username, password })

/** A device that is signed in, by its cookies. */
export const deviceOf = async (
  scene: RegistrationScene,
  person: NewPerson,
): Promise<Client & { readonly cookies: string }> => {
  const answer = await signIn(scene, person)
  if (answer.status !== 201) throw new Error(`${person.username} cannot sign in: ${answer.status}`)
  const cookies = cookiesOf(answer.headers)
  return Object.assign(clientFor(scene.service.url, { Cookie: cookies }), { cookies })
}

export const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')

/** A reset link for the person, fresh from the mailbox. */
export const askForReset = async (
  scene: RegistrationScene,
  name: { email: string } | { username: string },
  email: string,
): Promise<string> => {
  const before = scene.server.deliveries.length
  await scene.anonymous.put('/api/auth/account', name)
  const isNew = (delivery: ReceivedMail) => scene.server.deliveries.indexOf(delivery) >= before
  return tokenIn(
    await scene.server.next(delivery => isNew(delivery) && mailFor(email, /Reset your password/)(delivery)),
  )
}
