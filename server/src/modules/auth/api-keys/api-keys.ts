// API keys: credentials for programs, which act as their user within the scopes that the user has chosen.

import type { FaultReason } from '../../../core/fault.ts'
import { type Change, defineResource, type Hooks, variantOf } from '../../../core/model/define.ts'
import { boolean, issued, ref, text, textList, timestamp } from '../../../core/model/fields.ts'
import type { Transaction } from '../../../core/model/transaction.ts'
import { type Fault, Problem } from '../../../core/problem.ts'
import { recordsIn } from '../../../core/records/records.ts'
import { queueMail } from '../../mail/index.ts'
import { mailboxOf, users } from '../../people/index.ts'
import { authAudit } from '../audit.ts'
import { authFault } from '../faults.ts'
import { hasSignedInRecently, recentMinutes } from '../recent-sign-in.ts'
import type { Revocation } from '../revoke.ts'
import { apiKeySecrets, changeKey, keepKey } from './api-key-secrets.ts'
import { newKey } from './key-text.ts'

export interface ApiKeySettings {
  /** How long a key may live. */
  readonly maxDays: number
}

const day = 24 * 3600_000

const faultAt = (member: string, reason: FaultReason): Fault => ({ pointer: `/${member}`, member, ...reason })

const faultsOfScopes = (scopes: readonly string[], tx: Transaction): Fault[] => {
  if (scopes.length === 0) return [faultAt('scopes', authFault('no_scope'))]
  const named = scopes.flatMap(scope => (scope.includes(':') ? [scope.split(':', 1)[0] ?? ''] : []))
  const unknown = named.find(name => !tx.published(name))
  return unknown === undefined ? [] : [faultAt('scopes', authFault('unknown_scope', { resource: unknown }))]
}

const faultsOfDate = (date: string, now: Date, { maxDays }: ApiKeySettings): Fault[] => {
  const left = Date.parse(date) - now.getTime()
  if (left <= 0) return [faultAt('expirationDate', authFault('past'))]
  return left > maxDays * day ? [faultAt('expirationDate', authFault('max_days', { max: maxDays }))] : []
}

const check = ({ values, now }: Change, tx: Transaction, settings: ApiKeySettings): void => {
  const faults = [
    ...(values.scopes === undefined ? [] : faultsOfScopes(values.scopes as readonly string[], tx)),
    ...(values.expirationDate === undefined ? [] : faultsOfDate(String(values.expirationDate), now, settings)),
  ]
  const [first] = faults
  if (first) throw new Problem('invalid', { detail: `${first.member} ${first.message}.`, errors: faults })
}

/** The fields that say what a key is good for. */
const grantFields = ['scopes', 'readOnly', 'expirationDate'] as const

/** Keys outlive the session that makes them, so a browser that was left open is not enough to make one. */
const mustBeRecent = async ({ caller, now }: Change, tx: Transaction): Promise<void> => {
  if (await hasSignedInRecently(tx, caller, now)) return
  const detail = `The last sign-in was more than ${recentMinutes} minutes ago: sign in again or verify the password.`
  throw new Problem('forbidden', detail)
}

/** The owner of the account learns of keys that others have created. */
const tellOwner = async ({ caller, values, now }: Change, tx: Transaction): Promise<void> => {
  const user = caller.pk === null ? null : await recordsIn(tx).first(users, { pk: caller.pk })
  const recipient = user && (await mailboxOf(tx, user.pk))
  if (!recipient) return
  const { name, username, locale } = user
  const content = { name, username, keyName: String(values.name) }
  await queueMail(tx, { purpose: 'apiKeyCreated', recipient, locale, content }, now)
}

const hooksWith = (settings: ApiKeySettings): Hooks => ({
  before: async (change, tx) => {
    if (change.kind === 'delete') return
    check(change, tx, settings)
    if (change.kind === 'create' || grantFields.some(name => change.values[name] !== undefined))
      await mustBeRecent(change, tx)
    if (change.kind === 'update') return
    // Never of anybody but whoever asks, whatever the body says.
    const { key, prefix } = newKey()
    Object.assign(change.values, { key, prefix, user: change.caller.pk })
  },
  after: async (change, tx) => {
    if (change.kind === 'create') {
      await keepKey(tx, change)
      await tellOwner(change, tx)
    }
    if (change.kind === 'update' && !change.isService) await changeKey(tx, change)
    // An expired key is neither revoked nor changed by use.
    if (change.isService) return
    const type = ({ create: 'API_KEY_CREATED', update: 'API_KEY_CHANGED', delete: 'API_KEY_REVOKED' } as const)[
      change.kind
    ]
    const known = { ...change.before, ...change.values }
    const data = { key: change.pk, prefix: String(known.prefix), name: String(known.name) }
    await authAudit.recordChange(tx, change, { type, data })
  },
})

const scopePattern = {
  is: /^(?:[a-z][A-Za-z0-9]*:)?(?:read|write)$/,
  says: authFault('scope'),
}

const owns = "record.user == caller.pk || caller.has('ROLE_ADMIN')"

const defineApiKeys = (settings: ApiKeySettings) =>
  defineResource('apiKeys', {
    title: { de: 'API-Schlüssel' },
    singularTitle: { de: 'API-Schlüssel' },
    about: {
      en: 'Keys by which programs act for a user, within limits.',
      de: 'Schlüssel, mit denen Programme im Namen einer Person handeln, mit begrenzten Rechten.',
    },
    label: 'name',
    inPerson: true,
    fields: {
      name: text({ required: true, max: 100, title: { de: 'Name' } }),
      user: ref('users', { serverOwned: true, onDelete: 'cascade', title: { de: 'Person' } }),
      scopes: textList({
        required: true,
        maxItems: 100,
        max: 110,
        pattern: scopePattern,
        about: {
          en: 'What it is good for: `read`, `write`, or one of them for a resource, `films:read`.',
          de: 'Was er erlaubt: `read`, `write` oder eines davon für eine Ressource, etwa `films:read`.',
        },
        title: { de: 'Berechtigungen' },
      }),
      readOnly: boolean({
        default: false,
        about: {
          en: 'Changes nothing, whatever its scopes.',
          de: 'Erlaubt nur Lesen, unabhängig von den Berechtigungen.',
        },
        title: { de: 'Nur lesen' },
      }),
      expirationDate: timestamp({ required: true, title: { de: 'Läuft ab am' } }),
      lastUsed: timestamp({ serverOwned: true, activity: true, title: { de: 'Zuletzt benutzt' } }),
      prefix: text({
        serverOwned: true,
        max: 20,
        unique: true,
        about: { en: 'The part of the key that is no secret.', de: 'Der Teil des Schlüssels, der nicht geheim ist.' },
        title: { de: 'Präfix' },
      }),
      key: issued(
        text({
          max: 100,
          about: {
            en: 'The key itself, shown when it is made and never again.',
            de: 'Der Schlüssel selbst. Er wird nur beim Anlegen angezeigt.',
          },
          title: { de: 'Schlüssel' },
        }),
      ),
    },
    hooks: hooksWith(settings),
    access: { read: owns, create: 'caller.signedIn', update: owns, delete: owns },
  })

/** By this code asks for keys, whatever the settings of the service. */
export const apiKeys = defineApiKeys({ maxDays: 365 })

export const createApiKeys = (settings: ApiKeySettings) => variantOf(apiKeys, defineApiKeys(settings))

export const revokeKeys = async (tx: Transaction, { userPk, principal, data, now }: Revocation): Promise<void> => {
  const records = recordsIn(tx)
  const own = await records.find(apiKeySecrets, { where: { user: userPk } })
  const count = await records.removeWhere(apiKeys, { pk: { in: own.map(({ apiKey }) => apiKey.pk) } })
  if (count === 0) return
  await authAudit.record(tx, { type: 'API_KEYS_ENDED', principal, data: { ...data, count: String(count) }, now })
}
