// Checks of the database, of uploaded files and of backups. They change nothing.

import type { Config } from '../../core/config/settings.ts'
import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { version } from '../../version.ts'
import { newestBackup } from '../backup/index.ts'
import { files, storageFor } from '../files/index.ts'
import { type DatabaseCheck, error, type Finding, ok, warning } from './finding.ts'

const checkSchema = async ({ store }: Platform): Promise<readonly Finding[]> => {
  const { steps, refused, leftAlone, unavailable = [] } = await store.plan(version)
  const findings = [
    ...refused.map(reason => error(`The start will be refused: ${reason}.`, 'Follow the advice in the message.')),
    ...(steps.length > 0
      ? [warning(`${steps.length} migration steps are pending.`, 'Run `plinth migrate`, or start the service.')]
      : []),
    ...unavailable.map(what => warning(`Searches are slower than they could be: ${what}.`, 'Create the extension.')),
    ...leftAlone.map(what =>
      warning(`${what} is in the database and not in the model.`, 'Drop it by hand if its data is not needed.'),
    ),
  ]
  return findings.length > 0 ? findings : [ok(`The tables and indexes of ${store.database} fit the model.`)]
}

const checkIntegrity = async ({ store }: Platform): Promise<readonly Finding[]> => {
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

const checkFiles = async ({ records }: Platform, config: Config): Promise<readonly Finding[]> => {
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

const checkBackups = async ({ clock, store }: Platform, config: Config): Promise<readonly Finding[]> => {
  const newest = await newestBackup(config, await store.installation())
  const remedy = 'Run `plinth backup --drill`, and set app.backup.everyHours.'
  if (!newest) return [warning('There is no backup.', remedy)]
  const hours = Math.round((clock().getTime() - newest.created.getTime()) / 3600_000)
  const text = `The newest backup, ${newest.name}, is ${hours} hours old.`
  return [hours > oldHours ? warning(text, remedy) : ok(text)]
}

export const databaseChecks: readonly DatabaseCheck[] = [
  { name: 'tables', run: checkSchema },
  { name: 'integrity', run: checkIntegrity, isSlow: true },
  { name: 'files', run: checkFiles },
  { name: 'backups', run: checkBackups },
]
