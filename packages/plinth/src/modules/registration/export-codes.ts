// GET registrationCodeBatches/{pk}/csv: the codes of a batch as a table, row by row.

import { type Stringifier, stringify } from 'csv-stringify'
import type { RecordReader } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { type Context, mayUse } from '../../core/rest/platform.ts'
import { users } from '../people/index.ts'
import { registrationCodeBatches, userRegistrationCodes } from './codes.ts'

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
