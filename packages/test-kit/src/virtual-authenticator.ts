// Chromium's own authenticator without a device: it holds passkeys, and confirms everything at once.

import type { TestBrowser } from './browser.ts'

export interface VirtualAuthenticator {
  /** Puts a copy of its passkey in its place that has not counted the uses since. */
  replaceByCopy(): Promise<void>
}

export const addVirtualAuthenticator = async ({ context, page }: TestBrowser): Promise<VirtualAuthenticator> => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    replaceByCopy: async () => {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      const [credential] = credentials
      if (!credential) throw new Error('the authenticator holds no passkey')
      await devtools.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId })
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } })
    },
  }
}
