// Exports of everything about the caller: ask for one, list them, download, delete.

import { choice, integer, text, timestamp } from '../../core/model/fields.ts'
import { defineShape, manyOf, type ShapeValue } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import { type Call, defineEndpoint } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import type { Service } from '../../core/service.ts'
import { storageFor } from '../files/index.ts'
import { users } from '../people/index.ts'
import { type DataExport, dataExports } from './data-exports.ts'
import { exportsPath, linkTo, mustBeSigned } from './download-links.ts'
import { privacyAudit, privacyProblem } from './problems.ts'
import { privacySettings } from './settings.ts'
import { userOf } from './user-of.ts'

const must = { required: true } as const

const dataExport = defineShape(
  'DataExport',
  {
    pk: text(must),
    state: choice(['waiting', 'ready', 'failed'], must),
    requested: timestamp(must),
    until: timestamp({ ...must, about: 'It is deleted then.' }),
    size: integer({ about: 'In bytes, once it is ready.' }),
    url: text({
      format: 'uri-reference',
      about: 'The address of the archive, valid for 15 minutes and for this user.',
    }),
  },
  { about: 'An export of what is stored about a user.' },
)

const exportList = manyOf(dataExport, 'export')

type Calling = Pick<Call, 'context' | 'caller' | 'request' | 'now' | 'records'>

const toShown = async (
  { context: { platform } }: Pick<Call, 'context'>,
  one: DataExport,
): Promise<ShapeValue<typeof dataExport.fields>> => {
  const { pk, state, requested, until, archive } = one
  return { pk, state, requested, until, size: archive?.size ?? null, url: archive ? await linkTo(platform, one) : null }
}

const findOwn = async ({ caller, records }: Calling, pk: string): Promise<DataExport> => {
  const found = await records.asService.first(dataExports, { where: { pk } })
  if (!found || found.user.pk !== caller.pk) throw new Problem('not_found')
  return found
}

export const exportEndpoints = ({ config, platform }: Service) => {
  const keptMs = config.get(privacySettings).keepExportsHours * 3600_000
  const storageOf = storageFor(config)

  /** A new one takes the place of the last one. */
  const request = async ({ caller, now, request }: Calling): Promise<DataExport> => {
    const user = userOf(caller)
    return platform.records.transaction(async records => {
      // Of two requests at once, the second finds the export of the first.
      await records.lock(users, user)
      const known = await records.find(dataExports, { where: { user } })
      if (known.some(({ state }) => state === 'waiting')) throw privacyProblem('export_running')
      for (const { pk } of known) await records.remove(dataExports, pk)
      const data = { address: request.remoteAddress }
      await privacyAudit.record(records, { type: 'DATA_EXPORT_REQUESTED', principal: caller.username, data, now })
      const until = new Date(now.getTime() + keptMs).toISOString()
      return records.create(dataExports, { user, state: 'waiting', requested: now.toISOString(), until })
    })
  }

  return [
    defineEndpoint({
      method: 'POST',
      path: exportsPath,
      id: 'requestDataExport',
      tag: 'privacy',
      summary: 'Ask for an export of everything about you',
      description: 'A ZIP archive is made in the background, and an e-mail says when it is ready.',
      access: 'caller.signedIn',
      requires: 'recentSignIn',
      answers: { 201: { about: 'It is being made.', value: dataExport } },
      problems: [401, 403, 409, 503],
      answer: async call => toValueAnswer(dataExport, await toShown(call, await request(call)), { status: 201 }),
    }),
    defineEndpoint({
      method: 'GET',
      path: exportsPath,
      id: 'listDataExports',
      tag: 'privacy',
      summary: 'List your exports',
      access: 'caller.signedIn',
      holdsSecrets: true,
      answers: { 200: exportList },
      run: async call => {
        const user = userOf(call.caller)
        const found = await call.records.asService.find(dataExports, { where: { user }, sort: '-requested' })
        return Promise.all(found.map(one => toShown(call, one)))
      },
    }),
    defineEndpoint({
      method: 'GET',
      path: `${exportsPath}/{pk}/archive`,
      id: 'downloadDataExport',
      tag: 'privacy',
      summary: 'Download an export',
      params: { pk: 'The export.' },
      access: 'caller.signedIn',
      query: { expires: integer(must), signature: text({ ...must, max: 100 }) },
      holdsSecrets: true,
      answers: {
        200: { about: 'The archive.', content: { 'application/zip': { type: 'string', format: 'binary' } } },
      },
      problems: [400, 401, 403, 404, 503],
      answer: async call => {
        const { caller, now, query, params } = call
        const found = await findOwn(call, params.pk)
        await mustBeSigned(platform, found, query)
        if (!found.archive) throw new Problem('not_found')
        const data = { address: call.request.remoteAddress }
        await platform.records.transaction(records =>
          privacyAudit.record(records, { type: 'DATA_EXPORT_DOWNLOADED', principal: caller.username, data, now }),
        )
        const { pk, name } = found.archive
        return {
          kind: 'bytes',
          mediaType: 'application/zip',
          body: await (await storageOf()).read(pk),
          headers: { 'Content-Disposition': `attachment; filename="${name}"`, 'Cache-Control': 'no-store' },
        }
      },
    }),
    defineEndpoint({
      method: 'DELETE',
      path: `${exportsPath}/{pk}`,
      id: 'deleteDataExport',
      tag: 'privacy',
      summary: 'Delete an export',
      params: { pk: 'The export.' },
      access: 'caller.signedIn',
      answers: { 204: 'The export is deleted.' },
      problems: [401, 403, 404, 503],
      run: async call => {
        const { pk } = await findOwn(call, call.params.pk)
        await call.records.asService.removeMany(dataExports, { where: { pk } })
      },
    }),
  ] as const
}
