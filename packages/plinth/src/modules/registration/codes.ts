// Registration codes: the batches in which they are made, and their use by people who register.

import { type Stringifier, stringify } from 'csv-stringify'
import { defineResource } from '../../core/model/define.ts'
import { boolean, counted, integer, many, ref, text, timestamp } from '../../core/model/fields.ts'
import { unguessable } from '../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import { Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/context.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { mayUse } from '../../core/rest/permits.ts'
import { authFault } from '../auth/index.ts'
import { users } from '../people/index.ts'

/** The pk is the code itself. */
export const userRegistrationCodes = defineResource('userRegistrationCodes', {
  title: { de: 'Registrierungscodes' },
  singularTitle: { de: 'Registrierungscode' },
  about: {
    en: 'Registration codes. Each lets one person register.',
    de: 'Codes, mit denen sich je eine Person registrieren kann.',
  },
  identifier: unguessable(),
  fields: {
    available: boolean({
      serverOwned: true,
      default: true,
      about: { en: 'Whether the code is unused.', de: 'Noch unbenutzt?' },
      title: { de: 'Verfügbar' },
    }),
    batch: ref('registrationCodeBatches', { required: true, fixed: true, title: { de: 'Stapel' } }),
    credentials: ref('userCredentials', { serverOwned: true, onDelete: 'clear', title: { de: 'Zugangsdaten' } }),
  },
  families: {
    create: 'jsonApi',
    find: 'jsonApi',
    delete: 'jsonApi',
    patch: 'jsonApi',
    relationship: 'jsonApi',
    related: 'jsonApi',
  },
  access: { read: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})

/** A batch is created with its codes. Its unused codes are deleted with it. */
export const registrationCodeBatches = defineResource('registrationCodeBatches', {
  title: { de: 'Stapel von Registrierungscodes' },
  singularTitle: { de: 'Stapel von Registrierungscodes' },
  about: {
    en: 'Registration codes that were created together.',
    de: 'Registrierungscodes, die zusammen erzeugt wurden.',
  },
  singular: 'registrationCodeBatch',
  label: 'name',
  stamps: 'people',
  history: true,
  fields: {
    name: text({ required: true, max: 100, unique: true, fixed: true, title: { de: 'Name' } }),
    description: text({ max: 1000, title: { de: 'Beschreibung' } }),
    batchSize: integer({
      required: true,
      min: 1,
      max: 1000,
      fixed: true,
      about: { en: 'The number of codes to create.', de: 'Wie viele Codes erzeugt werden.' },
      title: { de: 'Anzahl' },
    }),
    available: counted('codes', {
      where: { field: 'available', equals: true },
      about: { en: 'The number of unused codes.', de: 'Wie viele noch unbenutzt sind.' },
      title: { de: 'Verfügbar' },
    }),
    expirationDate: timestamp({
      about: { en: 'The codes expire at this time.', de: 'Ab diesem Zeitpunkt gelten die Codes nicht mehr.' },
      title: { de: 'Läuft ab am' },
    }),
    codes: many('userRegistrationCodes', { by: 'batch', title: { en: 'Codes', de: 'Codes' } }),
  },
  families: {
    create: 'jsonApi',
    search: 'xml',
    find: 'xml',
    replace: 'xml',
    delete: 'xml',
    patch: 'xml',
    relationship: 'jsonApi',
    related: 'xml',
  },
  access: {
    read: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
    write: "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')",
  },
  hooks: {
    afterCreate: async ({ pk, values, records }) => {
      const codes = Array.from({ length: values.batchSize }, () => ({ batch: pk }))
      await records.asService.createMany(userRegistrationCodes, codes)
    },
    beforeDelete: async ({ pk, records }) => {
      await records.asService.removeMany(userRegistrationCodes, { where: { batch: pk, available: true } })
    },
  },
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The problem of used, unknown and expired codes, which are refused alike: a guesser learns nothing. */
const refused = (): Problem =>
  new Problem('unprocessable', {
    detail: { en: 'The registration code is invalid.', de: 'Der Registrierungscode ist ungültig.' },
    errors: [{ pointer: '/registrationCode', member: 'registrationCode', ...authFault('wrong_code') }],
  })

/** Uses up the code for a new user. It is locked until the transaction ends: of several concurrent users, one gets it. */
export const spendCode = async (
  transaction: TransactionRecords,
  { code, user }: { readonly code: string; readonly user: string },
  now: Date,
): Promise<void> => {
  const records = transaction.acting({ now })
  const pk = code.trim().toLowerCase()
  const stored = uuid.test(pk) ? await records.lock(userRegistrationCodes, pk) : null
  if (!stored?.available) throw refused()
  const batch = stored.batch && (await records.first(registrationCodeBatches, { where: { pk: stored.batch.pk } }))
  if (batch?.expirationDate && Date.parse(batch.expirationDate) <= now.getTime()) throw refused()
  await records.update(userRegistrationCodes, pk, { available: false, credentials: user })
}

/** The registration is removed: its code can be used again. */
export const freeCode = async (transaction: TransactionRecords, user: string, now: Date): Promise<void> => {
  const records = transaction.acting({ now })
  await records.updateMany(
    userRegistrationCodes,
    { where: { credentials: user } },
    { available: true, credentials: null },
  )
}

// GET registrationCodeBatches/{pk}/csv: the codes of a batch as a table, row by row.

const columns = ['pk', 'available', 'username', 'batchId', 'batchName']

export const exportCodes = defineEndpoint({
  method: 'GET',
  path: '/api/rest/registrationCodeBatches/{pk}/csv',
  id: 'exportRegistrationCodes',
  summary: 'Export the codes of a batch',
  access: mayUse(userRegistrationCodes, 'read'),
  answers: { 200: { about: 'One row for each code.', content: { 'text/csv': { type: 'string' } } } },
  problems: [401, 403, 404, 406],
  answer: async ({ context, records, params }) => {
    const batch = await records.get(registrationCodeBatches, params.pk)
    return {
      kind: 'bytes',
      mediaType: 'text/csv; charset=utf-8; header=present',
      body: rowsOf(context, batch),
      headers: { 'Content-Disposition': dispositionOf(fileNameOf(batch.name, context.platform.clock())) },
    }
  },
})

/** RFC 4180, and cells that a spreadsheet would take for a formula get an apostrophe before them. */
const createTable = (): Stringifier =>
  stringify({ header: true, columns, record_delimiter: 'windows', escape_formulas: true, cast: { boolean: String } })

const rowsOf = (
  { platform: { records } }: Context,
  batch: Row<typeof registrationCodeBatches>,
): AsyncIterable<Buffer> => {
  const table = createTable()
  const fill = async (): Promise<void> => {
    for await (const found of records.stream(userRegistrationCodes, { where: { batch: batch.pk } })) {
      const usernames = await usernamesOf(records, found)
      for (const code of found) {
        const user = code.credentials?.pk ?? ''
        table.write([code.pk, code.available, usernames.get(user) ?? '', batch.pk, batch.name])
      }
    }
    table.end()
  }
  fill().catch(error => table.destroy(error))
  return table
}

/** Credentials share the pk of their user. */
const usernamesOf = async (
  records: RecordReader,
  codes: readonly Row<typeof userRegistrationCodes>[],
): Promise<ReadonlyMap<string, string>> => {
  const pks = codes.flatMap(({ credentials }) => credentials?.pk ?? [])
  if (pks.length === 0) return new Map()
  const found = await records.find(users, { where: { pk: { in: pks } } })
  return new Map(found.map(({ pk, username }) => [pk, username]))
}

/** `<batch name>_<yyyyMMddHHmmss>.csv`, in UTC. */
const fileNameOf = (name: string, now: Date): string =>
  `${name}_${now.toISOString().replace(/[-:T]/g, '').slice(0, 14)}.csv`

/** RFC 6266, 4.3 and appendix D: a plain name for old readers, the true one percent-encoded (RFC 8187). */
const dispositionOf = (name: string): string => {
  const safe = name.replace(/[/\\:*?"<>|\p{Cc}\p{Cf}]/gu, '_').replace(/^\.+/, '_')
  const plain = safe.replace(/[^ -~]|[%;]/g, '_')
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
