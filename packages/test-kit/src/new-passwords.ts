// A new password for the tests, where it is sent, and what may be found nowhere afterwards.

import { expect } from 'vitest'
import type { RegistrationScene } from './registering.ts'

export const accountPath = '/api/auth/account'
export const newPassword = 'quite another passphrase'
export const newPasswordTwice = { password: newPassword, passwordConfirmation: newPassword }

/** Every token that a mail has carried. */
export const tokensSent = ({ server }: RegistrationScene): string[] =>
  server.deliveries.flatMap(({ mail }) =>
    [.../token=([\w-]{43})/g[Symbol.matchAll](mail.text ?? '')].map(([, token]) => token ?? ''),
  )

/** Expects that neither a token nor a password is in the outbox, the audit, the trace or a description. */
export const expectSecretsKept = async (scene: RegistrationScene): Promise<void> => {
  const admin = scene.service.as('admin')
  const texts = await Promise.all(
    ['/api/rest/mails?page=no', '/api/management/auditevents', '/api/management/trace', '/api/rest/users?page=no'].map(
      async address => (await admin.get(address)).text,
    ),
  )
  for (const secret of [...tokensSent(scene), newPassword, 'correct horse'])
    expect(texts.some(text => text.includes(secret))).toBe(false)
}
