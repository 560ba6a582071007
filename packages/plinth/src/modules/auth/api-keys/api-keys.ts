// API keys: credentials for programs, which act as their user within the scopes that the user has chosen.

import type { FaultReason } from '../../../core/fault.ts'
import { defineResource } from '../../../core/model/define.ts'
import { extendResource } from '../../../core/model/extend.ts'
import { boolean, issued, ref, text, textList, timestamp } from '../../../core/model/fields.ts'
import type { HookName } from '../../../core/model/hook-set.ts'
import type { HookContext } from '../../../core/model/hooks.ts'
import type { TransactionRecords } from '../../../core/model/records.ts'
import type { Row } from '../../../core/model/row.ts'
import type { HookContextOf } from '../../../core/model/typed-hooks.ts'
import { type Fault, Problem } from '../../../core/problem.ts'
import { queueMail } from '../../mail/index.ts'
import { mailRecipientOf } from '../../people/index.ts'
import { apiKeyCreated } from '../mails.ts'
import { authAudit, authFault } from '../problems.ts'
import type { Revocation } from '../revocation.ts'
import { apiKeySettings } from '../settings.ts'
import { apiKeySecrets, generateKey, storeKey, updateGrant } from './api-key-secrets.ts'

const scopePattern = {
  is: /^(?:[a-z][A-Za-z0-9]*:)?(?:read|write)$/,
  says: authFault('scope'),
}

const owns = "record.user == caller.pk || caller.has('ROLE_ADMIN')"

export const apiKeys = defineResource('apiKeys', {
  title: { de: 'API-Schlüssel' },
  singularTitle: { de: 'API-Schlüssel' },
  about: {
    en: 'API keys, with which programs act on behalf of a user within scopes.',
    de: 'Schlüssel, mit denen Programme im Namen einer Person handeln, mit begrenzten Berechtigungen.',
  },
  label: 'name',
  inPerson: true,
  // Keys outlive the session that creates them.
  requires: { recentSignIn: { create: true, update: ['scopes', 'readOnly', 'expirationDate'] } },
  fields: {
    name: text({ required: true, max: 100, title: { de: 'Name' } }),
    user: ref('users', { serverOwned: true, onDelete: 'cascade', title: { de: 'Person' } }),
    scopes: textList({
      required: true,
      maxItems: 100,
      max: 110,
      pattern: scopePattern,
      about: {
        en: 'The scopes: `read`, `write`, or one of them for a resource, such as `films:read`. `metrics:read` is for programs that collect metrics.',
        de: 'Was er erlaubt: `read`, `write` oder eines davon für eine Ressource, etwa `films:read`. `metrics:read` ist für Programme, die Metriken sammeln.',
      },
      title: { de: 'Berechtigungen' },
    }),
    readOnly: boolean({
      default: false,
      about: {
        en: 'Read-only, regardless of the scopes.',
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
      about: { en: 'The public part of the key.', de: 'Der öffentliche Teil des Schlüssels.' },
      title: { de: 'Präfix' },
    }),
    key: issued(
      text({
        max: 100,
        about: {
          en: 'The key itself. It is shown only once, on creation.',
          de: 'Der Schlüssel selbst. Er wird nur beim Anlegen angezeigt.',
        },
        title: { de: 'Schlüssel' },
      }),
    ),
  },
  access: { read: owns, create: 'caller.signedIn', update: owns, delete: owns },
})

export interface ApiKeyLimits {
  /** How long a key may be valid. */
  readonly maxDays: number
  /** What scopes can name beside resources. */
  readonly otherScopes: readonly string[]
}

type ApiKeyContext<Name extends HookName> = HookContextOf<typeof apiKeys, Name>

type Writing = ApiKeyContext<'beforeCreate' | 'beforeUpdate'>
type Written = ApiKeyContext<'afterCreate' | 'afterUpdate'>

/** What scopes can name beside resources, `otherScopes`, comes from modules above this one. */
export const apiKeyHooks = (otherScopes: readonly string[]) =>
  extendResource(apiKeys, {
    hooks: {
      beforeCreate: async context => {
        check(context, otherScopes)
        // The key is always the caller's, whatever the body says.
        Object.assign(context.values, { ...generateKey(), user: context.caller.pk })
      },
      afterCreate: async context => {
        const { pk, caller, isService, records } = context
        await storeKey(records.asService, pk, { key: issuedKey(context), user: caller.pk, ...grantOf(context) })
        await notifyOwner(context)
        if (!isService) await recordKey(context, 'API_KEY_CREATED', context.record)
      },
      beforeUpdate: async context => {
        check(context, otherScopes)
      },
      afterUpdate: async context => {
        // The service only writes the last use, and deletes expired keys.
        if (context.isService) return
        await updateGrant(context.records.asService, context.pk, grantOf(context))
        await recordKey(context, 'API_KEY_CHANGED', context.record)
      },
      afterDelete: async context => {
        if (!context.isService) await recordKey(context, 'API_KEY_REVOKED', context.before)
      },
    },
  })

const issuedKey = ({ values }: ApiKeyContext<'afterCreate'>): string =>
  'key' in values && typeof values.key === 'string' ? values.key : ''

const grantOf = ({ before, values }: Written) => ({
  scopes: values.scopes ?? before?.scopes ?? [],
  readOnly: values.readOnly ?? before?.readOnly ?? false,
  expirationDate: values.expirationDate ?? before?.expirationDate ?? '',
})

const day = 24 * 3600_000

const check = ({ values, now, records, settings }: Writing, otherScopes: readonly string[]): void => {
  const { maxDays } = settings(apiKeySettings)
  const isKnown = (name: string): boolean => records.tx.published(name) !== null || otherScopes.includes(name)
  const faults = [
    ...(values.scopes === undefined ? [] : faultsOfScopes(values.scopes, isKnown)),
    ...(values.expirationDate === undefined ? [] : faultsOfDate(values.expirationDate, now, maxDays)),
  ]
  const [first] = faults
  if (first) throw new Problem('invalid', { detail: `${first.member} ${first.message}.`, errors: faults })
}

const faultAt = (field: string, reason: FaultReason): Fault => ({ pointer: `/${field}`, member: field, ...reason })

const faultsOfScopes = (scopes: readonly string[], isKnown: (name: string) => boolean): Fault[] => {
  if (scopes.length === 0) return [faultAt('scopes', authFault('no_scope'))]
  const named = scopes.flatMap(scope => (scope.includes(':') ? [scope.split(':', 1)[0] ?? ''] : []))
  const unknown = named.find(name => !isKnown(name))
  return unknown === undefined ? [] : [faultAt('scopes', authFault('unknown_scope', { resource: unknown }))]
}

const faultsOfDate = (date: string, now: Date, maxDays: number): Fault[] => {
  const left = Date.parse(date) - now.getTime()
  if (left <= 0) return [faultAt('expirationDate', authFault('past'))]
  return left > maxDays * day ? [faultAt('expirationDate', authFault('max_days', { max: maxDays }))] : []
}

/** Notifies the owner by mail: someone else may have created the key. */
const notifyOwner = async ({
  caller,
  values,
  now,
  records: { asService },
}: ApiKeyContext<'afterCreate'>): Promise<void> => {
  const owner = caller.pk === null ? null : await mailRecipientOf(asService, caller.pk)
  if (!owner) return
  const { recipient, locale, account } = owner
  const content = { ...account, keyName: values.name }
  await queueMail(asService.acting({ now }), apiKeyCreated, { recipient, locale, content })
}

const recordKey = (
  context: HookContext,
  type: 'API_KEY_CREATED' | 'API_KEY_CHANGED' | 'API_KEY_REVOKED',
  { pk, prefix, name }: Row<typeof apiKeys>,
): Promise<void> =>
  authAudit.recordChange(context.records, context, { type, data: { key: pk, prefix: prefix ?? '', name } })

export const revokeKeys = async (
  records: TransactionRecords,
  { userPk, principal, data, now }: Revocation,
): Promise<void> => {
  const own = await records.find(apiKeySecrets, { where: { user: userPk } })
  const count = await records.removeMany(apiKeys, { where: { pk: { in: own.map(({ apiKey }) => apiKey.pk) } } })
  if (count === 0) return
  await authAudit.record(records, { type: 'API_KEYS_ENDED', principal, data: { ...data, count }, now })
}
