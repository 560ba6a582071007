// A device that holds passkeys, as WebAuthn Level 3 describes it: it makes credentials and signs challenges, rightly or wrongly.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const digest = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

interface Credential {
  readonly id: string
  readonly key: KeyObject
  readonly userHandle: string
  counter: number
}

/** What the device does wrong, for tests of refusals. */
export interface Deviation {
  readonly origin?: string
  readonly domain?: string
  /** The device has not verified the person. */
  readonly unverified?: boolean
  /** The counter that is sent instead of the next one. */
  readonly counter?: number
}

export interface PasskeyDevice {
  register(options: RegistrationOptions, deviation?: Deviation): object
  sign(options: AssertionOptions, deviation?: Deviation): object
}

interface RegistrationOptions {
  readonly challenge: string
  readonly user: { readonly id: string }
}

interface AssertionOptions {
  readonly challenge: string
}

/** COSE (RFC 9053, 7.1.1): a key of P-256 for ES256. */
const coseKey = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')])
  return Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), coordinate(0x21, x), coordinate(0x22, y)])
}

const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

const cborBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]), bytes])

const attestationOf = (authData: Buffer): Buffer =>
  Buffer.concat([
    ...[Buffer.from([0xa3]), cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
    ...[cborText('authData'), cborBytes(authData)],
  ])

const number = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/** The device of one user at pages of one origin. Those that count raise a counter at each use. */
export const createPasskeyDevice = (
  { domain, origin }: { readonly domain: string; readonly origin: string },
  { counts = true }: { readonly counts?: boolean } = {},
): PasskeyDevice => {
  let held: Credential | null = null
  const clientData = (type: string, challenge: string, deviation: Deviation): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: deviation.origin ?? origin, crossOrigin: false }))
  const authenticatorData = (counter: number, deviation: Deviation, attested?: Buffer): Buffer => {
    const verified = deviation.unverified ? 0 : 0x04
    const flags = 0x01 | verified | (attested ? 0x40 : 0)
    const parts = [digest(deviation.domain ?? domain), Buffer.from([flags]), number(counter, 4)]
    return Buffer.concat([...parts, ...(attested ? [attested] : [])])
  }
  return {
    register: ({ challenge, user }, deviation = {}) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = randomBytes(32)
      held = { id: id.toString('base64url'), key: privateKey, userHandle: user.id, counter: 0 }
      const attested = Buffer.concat([Buffer.alloc(16), number(id.length, 2), id, coseKey(publicKey)])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, deviation).toString('base64url'),
        attestationObject: attestationOf(authenticatorData(0, deviation, attested)).toString('base64url'),
        transports: ['internal'],
      }
      return { id: held.id, rawId: held.id, type: 'public-key', response, clientExtensionResults: {} }
    },
    sign: ({ challenge }, deviation = {}) => {
      if (!held) throw new Error('the device holds no passkey')
      if (counts) held.counter++
      const data = clientData('webauthn.get', challenge, deviation)
      const authData = authenticatorData(deviation.counter ?? held.counter, deviation)
      const signature = sign('sha256', Buffer.concat([authData, digest(data)]), held.key)
      const response = {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: held.userHandle,
      }
      return { id: held.id, rawId: held.id, type: 'public-key', response, clientExtensionResults: {} }
    },
  }
}
