// Who a node is: its X.500 name and an Ed25519 key pair. Where the private key is kept: node-key.ts.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createFile, errorCode } from 'plinth/module'

/** What a signature is for: one made for a message never passes for a state of the ledger. */
export type Purpose = 'plinth membership state' | 'plinth node message' | 'plinth node reply'

export interface Identity {
  /** The canonical X.500 name. */
  readonly party: string
  /** The public key in DER (SubjectPublicKeyInfo), base64, as the network map has it. */
  readonly publicKey: string
  sign(purpose: Purpose, text: string): string
}

const toBytes = (purpose: Purpose, text: string): Buffer => Buffer.from(`${purpose}\n${text}`)

const toText = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64')

export const toIdentity = (party: string, key: KeyObject): Identity => ({
  party,
  publicKey: toText(createPublicKey(key)),
  sign: (purpose, text) => signBytes(null, toBytes(purpose, text), key).toString('base64'),
})

export const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey

/** Returns null when there is no such file. */
export const readKeyFile = (keyFile: string): KeyObject | null => {
  let pem: string
  try {
    pem = readFileSync(keyFile, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile} holds no Ed25519 key`)
  return key
}

/** Makes the file, readable by its owner alone, with a new key unless one is given. */
export const makeKeyFile = (keyFile: string, made = newKey()): KeyObject => {
  mkdirSync(dirname(keyFile), { recursive: true, mode: 0o700 })
  const isOurs = createFile(keyFile, made.export({ type: 'pkcs8', format: 'pem' }).toString())
  // Another process may have been first.
  const key = isOurs ? made : readKeyFile(keyFile)
  if (!key) throw new Error(`${keyFile} was removed while it was read`)
  return key
}

/** A public key as the network map writes it; undefined when it is none of Ed25519. */
export const readPublicKey = (text: string): KeyObject | undefined => {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), type: 'spki', format: 'der' })
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

export interface Signed {
  readonly purpose: Purpose
  readonly text: string
  readonly signature: string
}

const isSignature = (text: string): boolean => /^[A-Za-z0-9+/]{86}==$/.test(text)

export const isSignedBy = (key: KeyObject, { purpose, text, signature }: Signed): boolean =>
  isSignature(signature) && verifyBytes(null, toBytes(purpose, text), key, Buffer.from(signature, 'base64'))

/** The same on the threads of the pool: many at once, while everything else goes on. */
export const whetherSignedBy = (key: KeyObject, { purpose, text, signature }: Signed): Promise<boolean> =>
  new Promise((resolve, reject) => {
    if (!isSignature(signature)) return resolve(false)
    verifyBytes(null, toBytes(purpose, text), key, Buffer.from(signature, 'base64'), (error, isSigned) =>
      error ? reject(error) : resolve(isSigned),
    )
  })
