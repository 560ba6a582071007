// Backups for administrators: list, start, download.

import { boolean, secret, text, timestamp } from '../../core/model/fields.ts'
import { defineShape, list, object } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { type Call, defineEndpoint } from '../../core/rest/endpoint.ts'
import { administrator } from '../../core/rest/permits.ts'
import type { Service } from '../../core/service.ts'
import { type BackupEntry, listBackups } from './backup-list.ts'
import { openBackup } from './open-backup.ts'
import { placeOf } from './place.ts'
import { backupAudit, backupProblem } from './problems.ts'
import { backUpService } from './scheduled-backup.ts'
import { archiveOf, encryptedArchiveOf } from './zip-archive.ts'

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
      encrypted: boolean({
        ...must,
        about: 'False for one without keys and sessions, which is downloaded with a passphrase.',
      }),
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
export const createBackupEndpoints = (service: Service) => {
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

const backupEndpoints = (service: Service, state: BackupState, signal: AbortSignal) => {
  const { config, platform } = service
  const log = service.logs.named('backup')
  const record = (
    { caller, request, now }: Pick<Call, 'caller' | 'request' | 'now'>,
    type: (typeof backupAudit.types)[number],
  ): Promise<void> =>
    platform.records.transaction(records => {
      const data = { address: request.remoteAddress, path: request.path }
      return backupAudit.record(records, { type, principal: caller.username, data, now })
    })
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
  const readBackups = async () => {
    const place = await placeOf(config)
    const [backups, installation] = [await listBackups(place), await platform.store.installation()]
    return {
      ...{ place: place.address, running: state.running !== null, error: state.error },
      backups: backups.map(one => ({
        ...{ name: one.name, created: one.created.toISOString(), complete: one.isComplete },
        ...{ encrypted: one.isEncrypted, own: one.installation === installation },
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
      run: readBackups,
    }),
    defineEndpoint({
      method: 'POST',
      path: root,
      id: 'startBackup',
      summary: 'Start a backup',
      description: 'Answers when it has started. Old backups are removed when it is done, as by schedule.',
      access: administrator,
      requires: 'recentSignIn',
      answers: { 202: { about: 'It has started.', headers: { Location: 'The list of backups.' } } },
      problems: [401, 403, 409, 503],
      answer: async call => {
        if (state.running)
          throw new Problem('conflict', { en: 'A backup is being made.', de: 'Es wird gerade ein Backup erstellt.' })
        await record(call, 'BACKUP_STARTED')
        start()
        return { kind: 'response', response: { status: 202, headers: { location: root } } }
      },
    }),
    ...downloadEndpoints(service, call => record(call, 'BACKUP_DOWNLOADED')),
  ]
}

const downloadEndpoints = (
  { config, platform }: Service,
  begin: (call: Pick<Call, 'caller' | 'request' | 'now'>) => Promise<void>,
) => {
  const find = async (name: string): Promise<BackupEntry> => {
    const installation = await platform.store.installation()
    const backups = await listBackups(await placeOf(config))
    const found = backups.find(one => one.name === name && one.isComplete && one.installation === installation)
    if (!found)
      throw new Problem('not_found', {
        en: 'There is no complete backup of this name.',
        de: 'Es gibt kein vollständiges Backup dieses Namens.',
      })
    return found
  }
  const shared = {
    path: `${root}/{name}/archive`,
    params: { name: 'The name of a complete backup.' },
    access: administrator,
    // A backup holds all secrets.
    requires: 'recentSignIn',
    holdsSecrets: true,
    answers: { 200: { about: 'The archive.', content: { 'application/zip': { type: 'string', format: 'binary' } } } },
  } as const
  return [
    defineEndpoint({
      ...shared,
      method: 'GET',
      id: 'downloadBackup',
      summary: 'Download an encrypted backup as a ZIP archive',
      description:
        'Unpacked, its folder can be given to `plinth restore`. A backup that is not encrypted answers 409 `passphrase_required`: send a POST.',
      problems: [401, 403, 404, 409, 503],
      answer: async call => {
        const { name, isEncrypted } = await find(call.params.name)
        if (!isEncrypted)
          throw backupProblem(
            'passphrase_required',
            'The backup is not encrypted. Choose a passphrase for the download.',
          )
        await begin(call)
        const place = await placeOf(config)
        return toDownload(name, archiveOf(place, name, await place.parts(name)))
      },
    }),
    defineEndpoint({
      ...shared,
      method: 'POST',
      id: 'downloadEncryptedBackup',
      summary: 'Download a backup that is not encrypted as an encrypted ZIP archive',
      description:
        'Unpacked, its folder can be given to `plinth restore`, with the passphrase in `app.backup.passphrase`.',
      body: { passphrase: secret({ ...must, min: 12, about: 'Encrypts the archive.' }) },
      problems: [401, 403, 404, 409, 503],
      answer: async call => {
        const { name, isEncrypted } = await find(call.params.name)
        if (isEncrypted) throw new Problem('conflict', 'The backup is encrypted already: download it is, by GET.')
        const backup = await openBackup(config, { place: await placeOf(config), name })
        await begin(call)
        return toDownload(name, encryptedArchiveOf(backup, call.body.passphrase))
      },
    }),
  ]
}

const toDownload = (name: string, body: AsyncIterable<Buffer>): Answer => ({
  kind: 'bytes',
  mediaType: 'application/zip',
  body,
  headers: { 'Content-Disposition': `attachment; filename="${name}.zip"`, 'Cache-Control': 'no-store' },
})
