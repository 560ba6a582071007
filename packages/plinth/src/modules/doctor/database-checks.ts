// Checks of the database, of uploaded files and of backups. They change nothing.

import { appSettings } from '../../core/config/service-settings.ts'
import type { LateJob } from '../../core/job-status.ts'
import { Problem } from '../../core/problem.ts'
import type { Service } from '../../core/service.ts'
import { version } from '../../version.ts'
import { newestBackup } from '../backup/index.ts'
import { files, findMissingImagePackage, storageFor } from '../files/index.ts'
import { findDemoPasswords } from '../people/index.ts'
import { type DatabaseCheck, error, type Finding, ok, warning } from './finding.ts'

/** The name in `the column books.title`, as `plinth drop` takes it. */
const nameIn = (leftAlone: string): string => leftAlone.slice(leftAlone.lastIndexOf(' ') + 1)

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
      warning(
        `${what} is in the database and not in the model.`,
        `If its data is not needed, run \`plinth drop ${nameIn(what)}\`, which makes a backup first.`,
      ),
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

const checkSearchIndexes = async ({ platform: { store } }: Service): Promise<readonly Finding[]> => {
  const findings = (await store.checkSearch()).map(({ resource, isUnbuilt, records, wrong, left }): Finding => {
    if (isUnbuilt)
      return warning(
        `The search index of ${resource} is not built.`,
        'A running service builds it in the background; or run `plinth migrate`.',
      )
    if (wrong + left === 0) return ok(`All ${records} records of ${resource} are in the search index as they are.`)
    return error(
      `The search index of ${resource} differs from ${wrong} of ${records} records, and has ${left} entries too many.`,
      'Stop the service, and run `plinth doctor --repair`, which builds it again.',
    )
  })
  return findings.length > 0 ? findings : [ok('No resource is searched by words.')]
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

const checkImages = async (service: Service): Promise<readonly Finding[]> => {
  const missing = findMissingImagePackage(service)
  return [missing ? error(missing.explanation, missing.remedy) : ok('All fields of images can be used.')]
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
  { name: 'search', run: checkSearchIndexes, isSlow: true },
  { name: 'files', run: checkFiles, isSlow: true },
  { name: 'images', run: checkImages },
  { name: 'backups', run: checkBackups },
  { name: 'jobs', run: checkJobs },
]
