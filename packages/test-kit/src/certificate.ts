// A certificate for 127.0.0.1 that is not trusted by default: made for one test, self-signed (RFC 5280).

import { generateKeyPairSync, sign } from 'node:crypto'

/** X.690: tag, length, content. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes))
const number = (...bytes: readonly number[]): Buffer => der(0x02, Buffer.from(bytes))
/** A bit string without unused bits. */
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content)

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('test')))))
const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')))

const isAuthority = sequence(oid(0x55, 0x1d, 0x13), der(0x04, sequence(der(0x01, Buffer.from([0xff])))))
const forLoopback = sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))))
const extensions = der(0xa3, sequence(isAuthority, forLoopback))

export interface Certified {
  readonly certificate: string
  readonly key: string
}

export const createCertificate = (): Certified => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(der(0xa0, number(2)), number(1), ecdsaWithSha256, name, validity, name, spki, extensions)
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)))
  const lines = whole.toString('base64').replace(/(.{64})/g, '$1\n')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
