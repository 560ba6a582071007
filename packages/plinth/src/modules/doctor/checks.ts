// Checks of settings, of the data folder and of what the service connects to. They change nothing.

import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { appSettings, serverSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { unfinishedMark } from '../backup/index.ts'
import { mailSettings, toSmtpFailure, tryMailServer } from '../mail/index.ts'
import { type DoctorCheck, error, type Finding, ok, warning } from './finding.ts'

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

const encryptions = { starttls: ', encrypted by STARTTLS', tls: ' by TLS', none: ' without encryption' } as const

const checkMailServer = async (config: Config): Promise<readonly Finding[]> => {
  const { host, port, security } = config.get(mailSettings)
  if (!host)
    return [
      warning(
        'No e-mail leaves the machine: app.mail.host is empty, and e-mails are files in the folder outbox.',
        'Set app.mail.host and the login of the server.',
      ),
    ]
  try {
    await tryMailServer(config, connectMs)
  } catch (cause) {
    const { reason, remedy } = toSmtpFailure(cause)
    return [
      error(
        `The mail server ${host}:${port} cannot be used: ${reason}.`,
        remedy ?? 'Check app.mail.host, app.mail.port and the firewall.',
      ),
    ]
  }
  return [ok(`The mail server ${host}:${port} takes connections${encryptions[security]}.`)]
}

export const machineChecks: readonly DoctorCheck[] = [
  { name: 'address', run: checkAddress },
  { name: 'data folder', run: checkFolder },
  { name: 'disk', run: checkDisk },
  { name: 'mail', run: checkMailServer },
]
