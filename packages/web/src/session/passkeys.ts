// Passkeys in the browser. The library is loaded when one is asked for.

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { request } from '../api/client.ts'

interface Asked<O> {
  readonly flow: string
  readonly options: O
}

/** What the service asks a browser for. */
export type PasskeyQuestion = Asked<PublicKeyCredentialRequestOptionsJSON>

interface PasskeyReply {
  readonly flow: string
  readonly credential: object
}

const load = () => import('@simplewebauthn/browser')

/** Can this browser use passkeys on this page? */
export const supportsPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** Returns null where the person does not want to go on, or does nothing. */
const unlessLeft = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return null
    throw error
  }
}

const ask = async <O>(path: string): Promise<Asked<O>> =>
  (await request<Asked<O>>(path, { method: 'POST', provesIdentity: true })).body

/**
 * Makes a passkey for the options of this address. Null where the person does not go on.
 *
 * @example const answer = await createPasskey('/api/auth/passkeys/options')
 */
export const createPasskey = async (path: string): Promise<PasskeyReply | null> => {
  const { flow, options: optionsJSON } = await ask<PublicKeyCredentialCreationOptionsJSON>(path)
  const { startRegistration } = await load()
  const credential = await unlessLeft(startRegistration({ optionsJSON }))
  return credential && { flow, credential }
}

export const askPasskeyQuestion = (path: string): Promise<PasskeyQuestion> => ask(path)

interface Manner {
  /** Offers passkeys among the suggestions of an input, and waits for it. */
  readonly inSuggestions?: boolean
}

/** Has the person use a passkey. Another question ends the one before. */
export const answerWithPasskey = async (
  { flow, options: optionsJSON }: PasskeyQuestion,
  { inSuggestions = false }: Manner = {},
): Promise<PasskeyReply | null> => {
  const { startAuthentication } = await load()
  const credential = await unlessLeft(startAuthentication({ optionsJSON, useBrowserAutofill: inSuggestions }))
  return credential && { flow, credential }
}

export const askForPasskey = async (path: string): Promise<PasskeyReply | null> =>
  answerWithPasskey(await askPasskeyQuestion(path))

/** Do inputs of this browser suggest passkeys? */
export const suggestsPasskeys = async (): Promise<boolean> =>
  supportsPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)

/** Ends what waits for a passkey. */
export const stopAskingForPasskeys = async (): Promise<void> => {
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}
