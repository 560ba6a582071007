// Why a command failed, in words for the person at the terminal.

import { resolve } from 'node:path'
import { ConfigError } from '../core/config/load.ts'
import { appSettings, databasePlace, serverSettings } from '../core/config/service-settings.ts'
import type { Config } from '../core/config/settings.ts'
import { DefinitionError } from '../core/model/definition-error.ts'
import { Problem } from '../core/problem.ts'
import { DatabaseFailure, diagnose, inWords } from '../core/store/databases.ts'
import { MigrationFailure } from '../core/store/migrate/apply.ts'

/** A command cannot do its work, for a reason that its user can mend: the message is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

type SystemError = Error & { readonly code: string; readonly syscall?: string; readonly path?: string }

/** Refusals of the operating system or the database; codes that start with ERR_ are Node's word for a mistake in a program. */
const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && !error.code.startsWith('ERR_')

const listening: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is already in use. Stop the other program, or choose another port: --server.port=${port < 65535 ? port + 1 : 8080}`,
  EACCES: (_, port) => `No permission to listen on port ${port}. Choose a port above 1023: --server.port=8080`,
  EADDRNOTAVAIL: host => `${host} is not an address of this machine. Choose another one: --server.host=127.0.0.1`,
}

/** Why the data folder cannot be used. */
const folderTroubles: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EEXIST: 'there is a file of this name',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'a folder cannot be made there',
  ENOSPC: 'the disk is full',
}

const ofDataFolder = ({ code, path = '' }: SystemError, config: Config): string | null => {
  const folder = resolve(config.get(appSettings).dataDir)
  const why = resolve(path).startsWith(folder) ? folderTroubles[code] : undefined
  if (why === undefined) return null
  const place = resolve(path) === folder ? '' : ` at ${path}`
  return (
    `The data folder ${folder} cannot be used: ${why}${place}.\n` +
    'Remedy: let the user of the service write there, or choose another folder: --app.dataDir=/path/to/data'
  )
}

/** What the person at the terminal can mend. */
const mendable = [CommandError, ConfigError, DefinitionError, Problem]

/** A statement that the service has made for a migration is wrong, which only we can mend. */
const isDefect = (error: unknown): error is Problem => error instanceof MigrationFailure && error.code === 'internal'

/** One sentence where the person can mend it; a stack where only we can. */
export const explain = (error: unknown, config: Config | undefined): string => {
  const trouble = config && !(error instanceof DatabaseFailure) ? diagnose(error, databasePlace(config)) : null
  if (trouble) return (error instanceof MigrationFailure ? `${error.summary}\n` : '') + inWords(trouble)
  if (isDefect(error)) return error.stack ?? error.message
  if (error instanceof Error && mendable.some(type => error instanceof type)) return error.message
  if (!isSystemError(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error)
  const sentence = error.syscall === 'listen' ? listening[error.code] : undefined
  if (sentence && config) return sentence(config.get(serverSettings).host, config.get(serverSettings).port)
  return (config && ofDataFolder(error, config)) ?? `Plinth failed: ${error.message || error.code}`
}
