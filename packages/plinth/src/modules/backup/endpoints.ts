// Backups for administrators: list, start, download.

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { boolean, text, timestamp } from '../../core/model/fields.ts'
import { defineShape, list, object } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import { type Call, defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { administrator } from '../../core/rest/platform.ts'
import type { Service } from '../../core/rest/service.ts'
import { defineAudit } from '../audit/index.ts'
import { hasSignedInRecently, recentMinutes } from '../auth/index.ts'
import { backUpService } from './create-backup.ts'
import { type BackupPlace, findBackup, listBackups, placeOf } from './place.ts'

export const backupAudit = defineAudit(['BACKUP_STARTED', 'BACKUP_DOWNLOADED'])

const must = { required: true } as const

const backupList = defineShape('BackupList', {
  place: text({ ...must, about: 'Where backups are stored.' }),
  running: boolean({ ...must, about: 'This instance is making one.' }),
  error: text({ about: 'Why the last one that was started here has failed.' }),
  backups: list(
    object({
      name: text(must),
      created: timestamp(must),
      complete: boolean({ ...must, about: 'False while it is being made, and for one that was cut off.' }),
      own: boolean({ ...must, about: 'False for one of another installation that shares the place.' }),
    }),
    must,
  ),
})

const root = '/api/management/backups'

interface BackupState {
  /** The backup that was started over HTTP. */
  running: Promise<void> | null
  error: string | null
}

/** The endpoints, and the end of the backup that they have started. */
export const createBackupEndpoints = (
  service: Service,
): { readonly endpoints: readonly Endpoint[]; readonly stop: () => Promise<void> } => {
  const ending = new AbortController()
  const state: BackupState = { running: null, error: null }
  return {
    endpoints: backupEndpoints(service, state, ending.signal),
    stop: async () => {
      ending.abort(new Error('The service stops.'))
      await state.running
    },
  }
}

const backupEndpoints = (service: Service, state: BackupState, signal: AbortSignal): readonly Endpoint[] => {
  const { config, platform } = service
  const log = service.logs.named('backup')
  const record = (
    { caller, request, now }: Pick<Call, 'caller' | 'request' | 'now'>,
    type: (typeof backupAudit.types)[number],
  ): Promise<void> =>
    platform.store.transaction(tx => {
      const data = { address: request.remoteAddress, path: request.path }
      return backupAudit.record(tx, { type, principal: caller.username, data, now })
    })
  /** A backup holds all secrets, so a browser that was left open is not enough. */
  const mustBeRecent = async ({ caller, now }: Pick<Call, 'caller' | 'now'>): Promise<void> => {
    if (await hasSignedInRecently(platform.store, caller, now)) return
    throw new Problem('forbidden', `The last sign-in was more than ${recentMinutes} minutes ago. Sign in again.`)
  }
  const start = (): void => {
    state.error = null
    state.running = backUpService(service, { log, signal })
      .catch((error: unknown) => {
        if (signal.aborted) return
        log.error({ err: error }, 'a backup failed')
        state.error = error instanceof Problem ? error.message : 'It failed: see the log of the service.'
      })
      .finally(() => {
        state.running = null
      })
  }
  const shown = async () => {
    const place = await placeOf(config)
    const [backups, installation] = [await listBackups(place), await platform.store.installation()]
    return {
      ...{ place: place.address, running: state.running !== null, error: state.error },
      backups: backups.map(one => ({
        ...{ name: one.name, created: one.created.toISOString(), complete: one.isComplete },
        own: one.installation === installation,
      })),
    }
  }
  return [
    defineEndpoint({
      method: 'GET',
      path: root,
      id: 'listBackups',
      summary: 'List backups, newest first',
      access: administrator,
      answers: { 200: backupList },
      problems: [401, 403, 406, 503],
      run: shown,
    }),
    defineEndpoint({
      method: 'POST',
      path: root,
      id: 'startBackup',
      summary: 'Start a backup',
      description: 'Answers when it has started. Old backups are removed when it is done, as by schedule.',
      access: administrator,
      answers: { 202: { about: 'It has started.', headers: { Location: 'The list of backups.' } } },
      problems: [401, 403, 409, 503],
      answer: async call => {
        await mustBeRecent(call)
        if (state.running) throw new Problem('conflict', 'A backup is being made.')
        await record(call, 'BACKUP_STARTED')
        start()
        return { kind: 'response', response: { status: 202, headers: { location: root } } }
      },
    }),
    defineEndpoint({
      method: 'GET',
      path: `${root}/{name}/archive`,
      id: 'downloadBackup',
      summary: 'Download a backup as a ZIP archive',
      description: 'Unpacked, its folder can be given to `plinth restore`. It holds all records, keys and files.',
      params: { name: 'The name of a complete backup.' },
      access: administrator,
      holdsSecrets: true,
      answers: { 200: { about: 'The archive.', content: { 'application/zip': { type: 'string', format: 'binary' } } } },
      problems: [401, 403, 404, 503],
      answer: async call => {
        await mustBeRecent(call)
        const place = await placeOf(config)
        const name = await findBackup(place, call.params.name).catch(() => {
          throw new Problem('not_found', 'There is no complete backup of this name.')
        })
        const { backups } = await shown()
        if (!backups.some(one => one.name === name && one.own))
          throw new Problem('not_found', 'There is no complete backup of this name.')
        await record(call, 'BACKUP_DOWNLOADED')
        return {
          kind: 'bytes',
          mediaType: 'application/zip',
          body: archiveOf(place, name, await place.parts(name)),
          headers: { 'Content-Disposition': `attachment; filename="${name}.zip"`, 'Cache-Control': 'no-store' },
        }
      },
    }),
  ]
}

/** Parts are compressed already. */
export async function* archiveOf(place: BackupPlace, name: string, parts: readonly string[]): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  let part = Readable.from([])
  for (const path of parts)
    zip.addReadStreamLazy(`${name}/${path}`, { compress: false }, done => {
      place.read(`${name}/${path}`).then(
        content => {
          part = Readable.from(content)
          done(null, part)
        },
        (error: unknown) => done(error, Readable.from([])),
      )
    })
  zip.end()
  const output = Readable.from(zip.outputStream as AsyncIterable<Buffer>)
  zip.on('error', (error: Error) => output.destroy(error))
  try {
    yield* output
  } finally {
    // A caller who leaves ends the archive, but not the part that is being read.
    part.destroy()
  }
}
