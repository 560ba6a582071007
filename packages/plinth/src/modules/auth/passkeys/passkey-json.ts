// What browsers and the service exchange about passkeys (WebAuthn, 5.1.8 to 5.1.10). Declared here, so that the types of applications do not
// need the library.

/** What a browser is asked for. Further members are for the browser alone. */
export interface PasskeyOptions {
  readonly challenge: string
}

interface AuthenticatorAnswer<Response> {
  id: string
  rawId: string
  type: 'public-key'
  authenticatorAttachment?: 'platform' | 'cross-platform'
  clientExtensionResults: object
  response: Response
}

/** The answer to a sign-in. */
export type PasskeyAssertion = AuthenticatorAnswer<{
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle?: string
}>

/** The answer to a registration. */
export type PasskeyAttestation = AuthenticatorAnswer<{
  clientDataJSON: string
  attestationObject: string
  authenticatorData?: string
  transports?: string[]
  publicKeyAlgorithm?: number
  publicKey?: string
}>
