// GET registrationCodeBatches/{pk}/csv: the codes of a batch as a table, row by row.

import { type Stringifier, stringify } from 'csv-stringify'
import { formatsByName } from '../../../core/formats/index.ts'
import type { Route } from '../../../core/http/exchange.ts'
import { everything, type Filter, toFilter, where } from '../../../core/model/query.ts'
import type { Link, StoredRecord } from '../../../core/model/record.ts'
import type { Resource } from '../../../core/model/resource.ts'
import { Problem } from '../../../core/problem.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import { allowed } from '../../../core/rest/permit.ts'
import type { Context } from '../../../core/rest/platform.ts'
import { respond } from '../../../core/rest/respond.ts'
import type { Service } from '../../../core/rest/service.ts'
import { registrationCodeBatches } from './code-batches.ts'
import { userRegistrationCodes } from './codes.ts'

const columns = ['pk', 'available', 'username', 'batchId', 'batchName']

export const csvRoute = (service: Service): Route => ({
  method: 'GET',
  path: '/api/rest/registrationCodeBatches/{pk}/csv',
  handler: respond(service, {
    resource: service.platform.registry.resource(registrationCodeBatches.name),
    format: formatsByName.json,
    takesBody: false,
    produces: 'text/csv',
    permit: allowed(service.platform.registry.resource(userRegistrationCodes.name), 'read'),
    run: (context, { request }) => exportBatch(context, request.params.pk ?? ''),
  }),
  describe: {
    id: 'exportRegistrationCodes',
    summary: 'Export the codes of a batch',
    answers: { 200: { says: 'One row for each code.', content: { 'text/csv': { type: 'string' } } } },
    problems: [401, 403, 404, 406],
  },
})

const exportBatch = async (context: Context, pk: string): Promise<Answer> => {
  const { registry, access, store, clock } = context.platform
  const resource = registry.resource(registrationCodeBatches.name)
  const visible = toFilter(access.permit(resource, 'read', context.caller))
  const batch = await store.get(resource, pk, { visible })
  if (!batch) throw new Problem('not_found')
  return {
    kind: 'bytes',
    mediaType: 'text/csv; charset=utf-8; header=present',
    body: rowsOf(context, batch),
    headers: { 'Content-Disposition': dispositionOf(fileNameOf(String(batch.name), clock())) },
  }
}

/** RFC 4180, and cells that a spreadsheet would take for a formula get an apostrophe before them. */
const createTable = (): Stringifier =>
  stringify({ header: true, columns, record_delimiter: 'windows', escape_formulas: true, cast: { boolean: String } })

const rowsOf = (context: Context, batch: StoredRecord): AsyncIterable<Buffer> => {
  const table = createTable()
  const fill = async (): Promise<void> => {
    const { store, registry } = context.platform
    const codes = registry.resource(userRegistrationCodes.name)
    for await (const found of store.stream(codes, everything(codes, where(codes, { batch: batch.pk })))) {
      const usernames = await usernamesOf(context, found)
      for (const code of found) {
        const user = (code.credentials as Link | null)?.pk ?? ''
        table.write([code.pk, code.available, usernames.get(user) ?? '', batch.pk, batch.name])
      }
    }
    table.end()
  }
  fill().catch(error => table.destroy(error))
  return table
}

const usernamesOf = async (
  { platform }: Context,
  codes: readonly StoredRecord[],
): Promise<ReadonlyMap<string, string>> => {
  const users = platform.registry.resource('users')
  const pks = codes.flatMap(code => (code.credentials as Link | null)?.pk ?? [])
  if (pks.length === 0) return new Map()
  const { records } = await platform.store.find(users, everything(users, among(users, pks), pks.length))
  return new Map(records.map(({ pk, username }) => [pk, String(username)]))
}

/** Credentials share the pk of their user. */
const among = (users: Resource, pks: readonly string[]): Filter => ({
  op: 'in',
  path: { steps: [], member: users.pk },
  values: pks,
})

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
