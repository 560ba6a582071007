// `plinth backup`, `plinth restore` and `plinth transfer`.

import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Command, CommandContext } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { createStore } from '../../core/store/create-store.ts'
import { version } from '../../version.ts'
import { type BackupManifest, partsOf } from './archive.ts'
import { findBackup, listBackups, removeOldBackups } from './backup-list.ts'
import { createBackup } from './create-backup.ts'
import { openBackup } from './open-backup.ts'
import { type BackupPlace, placeOf } from './place.ts'
import { drillBackup, restoreBackup, verifyBackup } from './restore-backup.ts'
import { backupSettings } from './settings.ts'

const optionValue = ({ options }: CommandContext, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

const summaryOf = (manifest: BackupManifest): string => {
  const records = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  const bytes = partsOf(manifest).reduce((sum, { size }) => sum + size, 0)
  return `${records} records in ${manifest.tables.length} tables, ${manifest.contents.length} files, ${bytes} bytes`
}

const readKeep = (context: CommandContext): number => {
  const keep = optionValue(context, 'keep')
  if (keep === undefined) return context.config.get(backupSettings).keep
  if (!/^\d{1,5}$/.test(keep)) throw new Problem('bad_request', '--keep takes a whole number; 0 keeps all.')
  return Number(keep)
}

const withheldKeys =
  'Without them, second factors and secrets of webhooks cannot be read after a restore, and membership nodes do not start.'

const plainWarning = [
  'Warning: the backup is not encrypted, so it has neither keys nor sessions. To encrypt it, set app.backup.passphrase or app.backup.recipient.',
  `${withheldKeys} Keep the key files of the data folder elsewhere.`,
]

const restoredWarning = [
  'Warning: the backup has no keys, since it is not encrypted. The keys that were here before are kept.',
  `${withheldKeys} Copy the key files of the former data folder, if you have them, before you start the service.`,
]

const makeBackup = (context: CommandContext, place: BackupPlace): Promise<void> =>
  context.withPlatformAsIs(async platform => {
    const { config, print, printProgress } = context
    const keep = readKeep(context)
    const manifest = await createBackup({ config, platform, place, onProgress: printProgress })
    const { name, lostContents, withheld } = manifest
    print(`Backed up to ${place.address}/${name}: ${summaryOf(manifest)}`)
    if (lostContents.length > 0)
      print(`The content of ${lostContents.length} files was lost before: ${lostContents.join(', ')}`)
    if (withheld) print(...plainWarning)
    if (context.options.drill) {
      await drillBackup({ config, platform, place, name })
      print('The drill passed: restored to a scratch database, every record and file is equal.')
    }
    const retention = { keep, now: platform.clock(), installation: await platform.store.installation() }
    for (const old of await removeOldBackups(place, retention)) print(`Removed ${old}`)
  })

const printBackups = async ({ print }: CommandContext, place: BackupPlace): Promise<void> => {
  const backups = await listBackups(place)
  print(...backups.map(({ name, isComplete }) => (isComplete ? name : `${name} (not complete)`)))
  if (backups.length === 0) print(`There are no backups in ${place.address}.`)
}

/** A name, `latest`, or the path of a backup's folder. */
const locate = async (context: CommandContext, address: string): Promise<{ place: BackupPlace; name: string }> => {
  const isPath = address.includes('/') && optionValue(context, 'from') === undefined
  const place = await placeOf(context.config, isPath ? dirname(address) : optionValue(context, 'from'))
  return { place, name: await findBackup(place, isPath ? basename(address) : address) }
}

/** The backup comes first: what is dropped cannot be brought back in any other way. */
const drop = (context: CommandContext, name: string): Promise<void> =>
  context.withPlatformAsIs(async platform => {
    const { config, print, printProgress } = context
    const place = await placeOf(config, optionValue(context, 'to'))
    const { leftAlone } = await platform.store.plan()
    if (name === '') return print(...leftAlone, ...(leftAlone.length === 0 ? ['There is nothing to drop.'] : []))
    if (!leftAlone.some(one => one.endsWith(` ${name}`))) return platform.store.drop(name)
    const manifest = await createBackup({ config, platform, place, onProgress: printProgress })
    await drillBackup({ config, platform, place, name: manifest.name })
    print(`Backed up to ${place.address}/${manifest.name}.`)
    await platform.store.drop(name)
    print(`Dropped ${name}.`)
  })

const restore = async (context: CommandContext, address: string): Promise<void> => {
  const { config, print, printProgress, options } = context
  const source = {
    ...(await locate(context, address)),
    allowsUnauthenticated: options['allow-unauthenticated'] === true,
  }
  const { name } = source
  if (options.verify) {
    const backup = await openBackup(config, source)
    await verifyBackup(backup)
    return print(`${name} is sound: ${summaryOf(backup.manifest)}`)
  }
  await context.withPlatformAsIs(async platform => {
    const task = { ...source, config, platform, replaces: options.replace === true, onProgress: printProgress }
    const manifest = await restoreBackup(task)
    print(`Restored ${name}: ${summaryOf(manifest)}`)
    if (manifest.withheld) print(...restoredWarning)
  })
}

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    about: 'back up all records and files; the service may run',
    options: [
      { name: '--to <place>', about: 'a folder or s3://bucket/prefix, instead of app.backup.target' },
      { name: '--keep <number>', about: 'how many backups to keep, instead of app.backup.keep' },
      { name: '--drill', about: 'restore it to a scratch database and compare every record' },
      { name: '--list', about: 'only list the backups that there are' },
    ],
    run: async context => {
      const place = await placeOf(context.config, optionValue(context, 'to'))
      await (context.options.list ? printBackups(context, place) : makeBackup(context, place))
    },
  },
  {
    name: 'restore',
    about: 'restore a backup; stop the service first',
    arguments: [{ name: '<backup>', about: 'its name, its folder, or latest' }],
    options: [
      { name: '--verify', about: 'only check every part of the backup' },
      { name: '--replace', about: 'replace the records that the database holds' },
      { name: '--from <place>', about: 'a folder or s3://bucket/prefix, instead of app.backup.target' },
      {
        name: '--allow-unauthenticated',
        about: 'also a backup that someone without the passphrase or signing key may have written',
      },
    ],
    run: (context, backup = '') => restore(context, backup),
  },
  {
    name: 'drop',
    about: 'drop a column or table that the model no longer has; a backup is made and tested first',
    arguments: [{ name: '[name]', about: 'such as books.oldTitle or oldBooks; all that can be dropped unless given' }],
    options: [{ name: '--to <place>', about: 'where the backup goes, instead of app.backup.target' }],
    run: (context, name = '') => drop(context, name),
  },
  {
    name: 'transfer',
    about: 'copy all records to another database; stop the service first',
    options: [
      { name: '--to <address>', about: 'postgres://… or the path of a SQLite file' },
      { name: '--replace', about: 'replace the records that the other database holds' },
    ],
    run: context =>
      context.withPlatformAsIs(async platform => {
        const url = optionValue(context, 'to')
        if (url === undefined) throw new Problem('bad_request', '--to names the other database.')
        const task = { url, replaces: context.options.replace === true, onProgress: context.printProgress }
        const { tables, records } = await transfer(platform, task)
        context.print(`Copied ${records} records in ${tables} tables; each was compared with the original.`)
      }),
  },
]

// Copies the records of the service to another database, such as from SQLite to PostgreSQL or back. The copy is compared record
// by record and is there as a whole or not at all.

export interface TransferTask {
  /** The address of the other database. */
  readonly url: string
  readonly replaces: boolean
  readonly onProgress: (line: string) => void
}

/** Gives the number of tables and records. */
export const transfer = async (
  { store, registry }: Platform,
  { url, replaces, onProgress }: TransferTask,
): Promise<{ readonly tables: number; readonly records: number }> => {
  // Created here because SQLite would let others read it.
  if (!url.includes('://')) await (await open(url, 'a', 0o600)).close()
  const target = await createStore({ url, registry })
  try {
    return await store.snapshot(async snapshot => {
      await target.load(snapshot, { version, replaces, onTable: ({ name }) => onProgress(name) })
      let records = 0
      for (const table of snapshot.tables) for await (const rows of snapshot.rows(table)) records += rows.length
      return { tables: snapshot.tables.length, records }
    })
  } finally {
    await target.close()
  }
}
