// userCredentials: whether and since when a user may sign in. What proves the user is not here but in `secrets`.

import { type Change, defineResource, type Hooks, sharedWith } from '../../core/model/define.ts'
import { boolean, hasOne, integer, ref, text, timestamp } from '../../core/model/fields.ts'
import type { StoredRecord, Values } from '../../core/model/record.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { recordChange } from '../audit/index.ts'
import { isUnconfirmed } from '../contacts/index.ts'
import { endTokens } from '../mail/index.ts'
import { newPassword, takePassword } from './new-password.ts'
import { passwordContextOf } from './password-context.ts'
import { endSessions } from './sessions/sessions.ts'
import { takeBack } from './take-back.ts'

export interface NewSecret {
  /** The user's pk. */
  readonly user: string
  readonly hash: string
  /** The session that goes on. */
  readonly session?: string | undefined
}

/** What came by the old password is over: sessions, and links in mails that would set yet another one. */
const replaceSecret = async (tx: Transaction, { user, hash, session }: NewSecret): Promise<void> => {
  await tx.update(tx.resource('secrets'), user, { passwordHash: hash })
  await endSessions(tx, user, { except: session })
  await endTokens(tx, user, 'passwordReset')
}

export const setPassword = async (tx: Transaction, secret: NewSecret, now: Date): Promise<void> => {
  await tx.update(tx.resource('userCredentials'), secret.user, {
    lastPassWordChangeDate: now.toISOString(),
    lastModifiedDate: now.toISOString(),
  })
  await replaceSecret(tx, secret)
}

/** Lets the user sign in, or ends every session and lets none begin. */
const setActive = async (tx: Transaction, change: Change, active: boolean): Promise<void> => {
  const { pk, now } = change
  const user = await tx.update(tx.resource('users'), pk, { active, lastModifiedDate: now.toISOString() })
  await tx.update(tx.resource('secrets'), pk, { active })
  if (!active) {
    await endSessions(tx, pk)
    await endTokens(tx, pk)
  }
  const type = active ? 'USER_ACTIVATED' : 'USER_DEACTIVATED'
  await recordChange(tx, change, { type, data: { user: String(user?.username) } })
}

const before = async ({ kind, pk, values, before: known, now }: Change, tx: Transaction): Promise<void> => {
  if (kind === 'delete') return
  if (kind === 'create') values.mfa = (await tx.get(tx.resource('secrets'), pk))?.mfa === true
  if (takePassword(values.password, await passwordContextOf(tx, pk)) !== null)
    values.lastPassWordChangeDate = now.toISOString()
  dateInactivity(values, known, now)
}

/** Who was turned away has a date, and so is told apart from who has only not confirmed the registration yet. */
const dateInactivity = (values: Values, known: StoredRecord | null, now: Date): void => {
  if (values.active) {
    // The reason and the date of a state that is over say nothing any more.
    values.inactivationReason ??= null
    values.inactivationDate ??= null
  }
  if (values.active ?? known?.active) return
  const saysNothing = values.active === undefined && !values.inactivationReason
  if (saysNothing && isUnconfirmed(known)) return
  values.inactivationDate ??= known?.inactivationDate ?? now.toISOString()
}

const takeBackBy = async ({ pk, caller, sender, now }: Change, tx: Transaction): Promise<void> => {
  const user = await tx.get(tx.resource('users'), pk)
  const data = { user: String(user?.username), ...(sender && { address: sender.remoteAddress }) }
  await takeBack(tx, { userPk: pk, principal: caller.username, data, now })
}

const after = async (change: Change, tx: Transaction): Promise<void> => {
  const { kind, pk, values, before: known, caller } = change
  if (kind === 'delete') {
    await setActive(tx, change, false)
    await tx.update(tx.resource('secrets'), pk, { passwordHash: null })
    return takeBackBy(change, tx)
  }
  const isBarred = isUnconfirmed(known) && !values.active && Boolean(values.inactivationDate)
  if (isBarred || kind === 'create' || values.active !== undefined)
    await setActive(tx, change, !isBarred && values.active !== false)
  const hash = takePassword(values.password, {})
  if (hash === null) return
  await replaceSecret(tx, { user: pk, hash, session: caller.session })
  await takeBackBy(change, tx)
  const user = await tx.get(tx.resource('users'), pk)
  await recordChange(tx, change, { type: 'PASSWORD_CHANGED', data: { user: String(user?.username) } })
}

const hooks: Hooks = { before, after }

export const userCredentials = defineResource('userCredentials', {
  title: { de: 'Zugangsdaten' },
  singularTitle: { de: 'Zugangsdaten' },
  about: {
    en: 'Whether a user may sign in, and what became of it.',
    de: 'Ob sich eine Person anmelden darf und wann sie es zuletzt getan hat.',
  },
  singular: 'userCredentials',
  inPerson: true,
  identifier: sharedWith('user'),
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Person' } }),
    active: boolean({ default: true, title: { de: 'Aktiv' } }),
    inactivationReason: text({
      max: 500,
      about: {
        en: 'Given to a registration that is not confirmed yet, it is turned away.',
        de: 'Bei einer noch nicht bestätigten Registrierung lehnt ein Grund sie ab.',
      },
      title: { de: 'Grund der Sperre' },
    }),
    inactivationDate: timestamp({ title: { de: 'Gesperrt am' } }),
    password: newPassword({
      about: {
        en: 'A new password; ends the sessions, API keys and sign-ins at other services of the user.',
        de: 'Ein neues Passwort. Es beendet die Sitzungen, API-Schlüssel und Anmeldungen bei anderen Diensten.',
      },
    }),
    lastPassWordChangeDate: timestamp({
      serverOwned: true,
      title: { en: 'Last password change', de: 'Passwort geändert am' },
    }),
    lastLogin: timestamp({ serverOwned: true, title: { de: 'Letzte Anmeldung' } }),
    loginAttempts: integer({
      serverOwned: true,
      default: 0,
      about: {
        en: 'Failures since the last success.',
        de: 'Fehlgeschlagene Anmeldungen seit der letzten erfolgreichen.',
      },
      title: { de: 'Fehlgeschlagene Anmeldungen' },
    }),
    registrationCode: hasOne('userRegistrationCodes', {
      by: 'credentials',
      title: { en: 'Registration code', de: 'Registrierungscode' },
    }),
    mfa: boolean({
      serverOwned: true,
      default: false,
      title: { en: 'Second factor', de: 'Zweiter Faktor' },
      about: { en: 'Is a second factor asked for?', de: 'Wird ein zweiter Faktor verlangt?' },
    }),
  },
  hooks,
  access: {
    read: "record.pk == caller.pk || caller.has('ROLE_ADMIN')",
    write: "caller.has('ROLE_ADMIN')",
  },
})
