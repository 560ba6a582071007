// Checks of settings, of the data folder, of what the service connects to, of the database, of uploaded files and of backups. They
// change nothing.

import { readdir, stat, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { appSettings, serverSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import type { LateJob } from '../../core/job-status.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { version } from '../../version.ts'
import { newestBackup, unfinishedMark } from '../backup/index.ts'
import { files, storageFor } from '../files/index.ts'
import { mailSettings } from '../mail/index.ts'
import { findDemoPasswords } from '../people/index.ts'

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

const checkAddress = async (config: Config): Promise<readonly Finding[]> => {
  const { baseUrl, demo } = config.get(appSettings)
  const { host, trustedProxies } = config.get(serverSettings)
  const findings: Finding[] = []
  if (demo) findings.push(warning('Demo mode is on: its users have known passwords.', 'Set app.demo=false.'))
  if (!baseUrl)
    findings.push(
      warning(
        'Links in e-mails use the address of the machine: app.baseUrl is empty.',
        'Set app.baseUrl to the public https address.',
      ),
    )
  else if (!baseUrl.startsWith('https:') && !isLoopback(new URL(baseUrl).hostname))
    findings.push(
      error(
        `${baseUrl} is not encrypted: passwords and cookies can be read on the way.`,
        'Let a proxy terminate TLS, and set app.baseUrl to its https address.',
      ),
    )
  if (baseUrl.startsWith('https:') && trustedProxies.length === 0)
    findings.push(
      warning(
        'All callers behind the proxy share one address, and its limits: server.trustedProxies is empty.',
        'Set server.trustedProxies to the address of the proxy.',
      ),
    )
  if (!isLoopback(host) && !baseUrl.startsWith('https:'))
    findings.push(
      warning(
        `The service listens on ${host} without TLS.`,
        'Let it listen on 127.0.0.1, behind a proxy that terminates TLS.',
      ),
    )
  return findings.length > 0 ? findings : [ok('app.baseUrl, TLS and proxy fit together.')]
}

/** Readable or writable by others than the owner. */
const isOpen = (mode: number): boolean => (mode & 0o077) !== 0

const checkFolder = async (config: Config): Promise<readonly Finding[]> => {
  const folder = config.get(appSettings).dataDir
  const stats = await stat(folder).catch(() => null)
  if (!stats)
    return [
      error(`The data folder ${folder} does not exist.`, 'Start the service, or restore a backup: both create it.'),
    ]
  const findings: Finding[] = []
  if (isOpen(stats.mode))
    findings.push(
      error(`Other users of the machine can read ${folder}, which holds keys and records.`, `chmod 700 ${folder}`),
    )
  const names = await readdir(folder)
  for (const name of names.filter(one => /\.(key|link)$|^plinth\.db/.test(one))) {
    const path = join(folder, name)
    const mode = (await stat(path).catch(() => null))?.mode ?? 0
    if (isOpen(mode)) findings.push(error(`Other users of the machine can read ${path}.`, `chmod 600 ${path}`))
  }
  if (names.includes(unfinishedMark))
    findings.push(error('Restoring a backup was cut off.', 'Run the same `plinth restore` again.'))
  return findings.length > 0 ? findings : [ok(`Only the user of the service can read ${folder}.`)]
}

const leastFreeBytes = 1024 ** 3
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

const checkDisk = async (config: Config): Promise<readonly Finding[]> => {
  const { bsize, bavail, blocks } = await statfs(config.get(appSettings).dataDir)
  const text = `${gigabytes(bavail * bsize)} of ${gigabytes(blocks * bsize)} are free.`
  if (bavail * bsize >= leastFreeBytes) return [ok(text)]
  return [error(text, 'Free some space: writes fail when the disk is full.')]
}

const connectMs = 5000

const checkMailServer = async (config: Config): Promise<readonly Finding[]> => {
  const { host, port } = config.get(mailSettings)
  if (!host)
    return [
      warning(
        'No e-mail leaves the machine: app.mail.host is empty, and e-mails are files in the folder outbox.',
        'Set app.mail.host and the login of the server.',
      ),
    ]
  const reason = await new Promise<string | null>(resolve => {
    const socket = connect({ host, port, timeout: connectMs })
    const end = (outcome: string | null): void => {
      socket.destroy()
      resolve(outcome)
    }
    socket.once('connect', () => end(null))
    socket.once('timeout', () => end('it does not answer'))
    socket.once('error', cause => end(cause.message))
  })
  if (reason === null) return [ok(`The mail server ${host}:${port} takes connections.`)]
  return [error(`The mail server ${host}:${port} cannot be reached: ${reason}.`, 'Check app.mail.* and the firewall.')]
}

export const machineChecks: readonly DoctorCheck[] = [
  { name: 'address', run: checkAddress },
  { name: 'data folder', run: checkFolder },
  { name: 'disk', run: checkDisk },
  { name: 'mail', run: checkMailServer },
]

// Checks of the database, of uploaded files and of backups. They change nothing.

const checkSchema = async ({ platform: { store } }: Service): Promise<readonly Finding[]> => {
  const { steps, builds = [], refused, leftAlone, unavailable = [] } = await store.plan(version)
  const findings = [
    ...refused.map(reason => error(`The start will be refused: ${reason}.`, 'Follow the advice in the message.')),
    ...(steps.length > 0
      ? [warning(`${steps.length} migration steps are pending.`, 'Run `plinth migrate`, or start the service.')]
      : []),
    ...(builds.length > 0
      ? [
          warning(
            `${builds.length} indexes are missing or not finished: ${builds.map(({ name }) => name).join(', ')}.`,
            'A running service builds them in the background; or run `plinth migrate`.',
          ),
        ]
      : []),
    ...unavailable.map(what => warning(`Searches are slower than they could be: ${what}.`, 'Create the extension.')),
    ...leftAlone.map(what =>
      warning(`${what} is in the database and not in the model.`, 'Drop it by hand if its data is not needed.'),
    ),
  ]
  return findings.length > 0 ? findings : [ok(`The tables and indexes of ${store.database} fit the model.`)]
}

const checkDemoUsers = async ({ platform: { records }, config }: Service): Promise<readonly Finding[]> => {
  // In demo mode, the address has a finding of its own.
  if (config.get(appSettings).demo) return []
  const names = await findDemoPasswords(records)
  if (names.length === 0) return [ok('No user has a demo password.')]
  return [
    warning(
      `These users still have demo passwords, and cannot sign in with them: ${names.join(', ')}.`,
      'Delete them, or run `plinth admin reset-password <username>` for each.',
    ),
  ]
}

const checkIntegrity = async ({ platform: { store } }: Service): Promise<readonly Finding[]> => {
  const damages = await store.findDamages()
  const remedy = 'Stop the service, keep a copy of the data, and restore the newest sound backup.'
  if (damages.length > 0) return damages.map(damage => error(damage, remedy))
  let records = 0
  await store.snapshot(async snapshot => {
    for (const table of snapshot.tables) for await (const rows of snapshot.rows(table)) records += rows.length
  })
  return [ok(`All ${records} records can be read.`)]
}

/** Contents that are missing are named up to this many. */
const maxNamed = 20

const checkFiles = async ({ platform: { records }, config }: Service): Promise<readonly Finding[]> => {
  const storage = await storageFor(config)()
  const lost: string[] = []
  let count = 0
  for await (const batch of records.stream(files))
    for (const { pk, resource, owner, name } of batch) {
      count += 1
      const content = await storage.read(pk).catch((cause: unknown) => {
        if (cause instanceof Problem && cause.code === 'not_found') return null
        throw cause
      })
      content?.destroy()
      if (!content) lost.push(`${resource}/${owner}/files/${name}`)
    }
  if (lost.length === 0) return [ok(`The content of all ${count} uploaded files is there.`)]
  const named = lost.slice(0, maxNamed).join(', ')
  return [error(`The content of ${lost.length} uploaded files is lost: ${named}.`, 'Restore it from a backup.')]
}

const oldHours = 7 * 24

const checkBackups = async ({ platform: { clock, store }, config }: Service): Promise<readonly Finding[]> => {
  const newest = await newestBackup(config, await store.installation())
  const remedy = 'Run `plinth backup --drill`, and set app.backup.everyHours.'
  if (!newest) return [warning('There is no backup.', remedy)]
  const hours = Math.round((clock().getTime() - newest.created.getTime()) / 3600_000)
  const text = `The newest backup, ${newest.name}, is ${hours} hours old.`
  const plain = warning(
    'Backups are not encrypted, so they leave out keys and sessions.',
    'Set app.backup.passphrase or app.backup.recipient. Without the keys, a restore cannot read second factors.',
  )
  return [hours > oldHours ? warning(text, remedy) : ok(text), ...(newest.isEncrypted ? [] : [plain])]
}

const findingOf = ({ name, nextRun, isMisplaced }: LateJob): Finding =>
  isMisplaced
    ? warning(
        `The job ${name} is planned for ${nextRun}, farther away than its schedule has it: a clock was wrong.`,
        'Check that the clock is synchronised (NTP). A running service starts the job at once.',
      )
    : warning(
        `The job ${name} was due at ${nextRun} and has not run.`,
        'Check that a service runs on this database with app.jobs.enabled=true, and see its log.',
      )

const checkJobs = async (service: Service): Promise<readonly Finding[]> => {
  const late = await service.jobs().late()
  return late.length > 0 ? late.map(findingOf) : [ok('No job is late.')]
}

export const databaseChecks: readonly DatabaseCheck[] = [
  { name: 'tables', run: checkSchema },
  { name: 'demo users', run: checkDemoUsers },
  { name: 'integrity', run: checkIntegrity, isSlow: true },
  { name: 'files', run: checkFiles, isSlow: true },
  { name: 'backups', run: checkBackups },
  { name: 'jobs', run: checkJobs },
]

// What a check finds, with an explanation, and what to do about it.

export interface Finding {
  readonly level: 'ok' | 'warning' | 'error'
  readonly explanation: string
  /** Absent when nothing is wrong. */
  readonly remedy?: string
}

/** One thing that is looked at. Checks of settings and folders come first, and need no database. */
export interface DoctorCheck {
  readonly name: string
  readonly run: (config: Config) => Promise<readonly Finding[]>
}

export interface DatabaseCheck {
  readonly name: string
  readonly run: (service: Service) => Promise<readonly Finding[]>
  /** It reads the whole database or every file, and may hold up a service that does so. */
  readonly isSlow?: boolean
}

export const ok = (explanation: string): Finding => ({ level: 'ok', explanation })

export const warning = (explanation: string, remedy: string): Finding => ({ level: 'warning', explanation, remedy })

export const error = (explanation: string, remedy: string): Finding => ({ level: 'error', explanation, remedy })
