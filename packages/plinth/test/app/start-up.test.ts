// The start of an instance: it migrates the database, applies seeds, logs what it did, and refuses a newer database.

import { featureDatabases, type TestedDatabase } from '@plinth/test-kit/databases'
import { extent, runsAll, testAll } from '@plinth/test-kit/extent'
import { keepEmptyDatabase } from '@plinth/test-kit/kept-database'
import { createApp, modules } from '@plinth/test-kit/platform'
import { configOn } from '@plinth/test-kit/prepared-data'
import { type ServiceOptions, startService, type TestService } from '@plinth/test-kit/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineResource } from '../../src/core/model/define.ts'
import { text } from '../../src/core/model/fields.ts'
import { defineModule } from '../../src/core/module.ts'
import { version } from '../../src/version.ts'

interface LogLine {
  readonly level: string
  readonly logger: string
  readonly msg: string
  readonly [field: string]: unknown
}

/** An empty database on which services start and stop within a test. */
const emptyDatabase = async (database: TestedDatabase) => {
  const { settings, remove } = await keepEmptyDatabase(database)
  const running: TestService[] = []
  onTestFinished(async () => {
    for (const service of running) await service.stop()
    await remove()
  })
  const start = async (options: ServiceOptions = {}): Promise<TestService> => {
    const service = await startService(database, { ...options, settings: { ...settings, ...options.settings } })
    running.push(service)
    return service
  }
  /** What a start logs about the database. */
  const startLogging = async (options: ServiceOptions = {}): Promise<readonly LogLine[]> => {
    const lines: LogLine[] = []
    const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const service = await start({ ...options, logTo, settings: { 'app.log.level': 'info' } })
    await service.app.close()
    return lines.filter(({ logger }) => logger === 'database')
  }
  const planWith = async (version: string): Promise<string> => {
    const folder = settings['app.dataDir'] ?? ''
    const app = await createApp(configOn({ folder, url: settings['app.database.url'] ?? '' }, {}), { version })
    onTestFinished(() => app.close())
    return app.planMigration()
  }
  return { start, startLogging, planWith }
}

const post = (...fields: readonly string[]) =>
  defineModule({
    name: 'post',
    about: 'The post.',
    resources: [
      defineResource('parcels', {
        about: 'Things on their way.',
        fields: Object.fromEntries(fields.map(name => [name, text()])),
        access: {},
      }),
    ],
    seeds: [{ name: 'parcels', run: async () => {} }],
  })

// Two processes on one SQLite file have a test of their own: within one process they would block each other.
testAll(
  'instances that start at once on an empty PostgreSQL all come up, and seeds are applied once',
  {
    timeout: 120_000,
  },
  async () => {
    const { start } = await emptyDatabase('postgres')
    const instances = await Promise.all([start(), start()])
    const answers = await Promise.all(
      instances.map(one => one.as('anonymous').get('/api/rest/continents', { Accept: 'application/json' })),
    )
    expect(answers.map(({ status, body }) => [status, body.page.totalElements])).toEqual(answers.map(() => [200, 7]))
  },
)

describe.each(featureDatabases(import.meta.url))('on %s', { timeout: 120_000 }, database => {
  test('a start logs what it migrated, which seeds it applied, and what it left alone', async () => {
    const { startLogging } = await emptyDatabase(database)
    const first = await startLogging({ modules: [...modules, post('name', 'sender')] })
    expect(first).toMatchObject([
      { level: 'info', msg: 'database migrated', version, steps: expect.arrayContaining(['parcels: new']) },
      { level: 'info', msg: 'data migrated' },
      { level: 'info', msg: 'seeds applied', seeds: expect.arrayContaining(['parcels']) },
    ])
    const second = await startLogging({ modules: [...modules, post('name', 'sender')] })
    expect(second).toMatchObject([{ level: 'info', msg: 'database is up to date', version }])
    const third = await startLogging({ modules: [...modules, post('name', 'weight')] })
    expect(third).toMatchObject([
      { level: 'info', msg: 'database migrated', steps: ['parcels.weight: new'] },
      { level: 'warn', msg: 'renamed in the model, but not in the database?' },
      {
        level: 'warn',
        msg: 'not in the model, ignored in the database',
        leftAlone: ['the column parcels.sender'],
      },
    ])
  })

  testAll('an older version refuses to start on the database of a newer one, and names both', async () => {
    const { start, planWith } = await emptyDatabase(database)
    await (await start({ version: '3.1.0' })).app.close()
    expect(await planWith('3.0.9')).toMatch(/Blocked.*\n.*Plinth 3\.1\.0.*Plinth 3\.0\.9/)
    for (const older of extent(['3.0.9', version], ['3.1.0-next.0', '3.0.9', version]))
      await expect(start({ version: older })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(new RegExp(`Plinth 3\\.1\\.0\\b.*Plinth ${older}`)),
      })
    if (runsAll) await (await start({ version: '3.1.0' })).app.close()
    await (await start({ version: '3.10.0-beta.2' })).app.close()
    if (runsAll) await expect(start({ version: '3.9.0' })).rejects.toThrow('Plinth 3.10.0-beta.2')
    await expect(start({ version: '3.10.0-beta.1' })).rejects.toThrow('Plinth 3.10.0-beta.2')
    await (await start({ version: '3.10.0-beta.11' })).app.close()
  })

  testAll('the plan of an older version says that it is refused', async () => {
    const { start, planWith } = await emptyDatabase(database)
    await (await start({ version: '3.1.0' })).app.close()
    expect(await planWith('3.1.0')).toContain('The database is up to date')
    expect(await planWith('3.0.0')).toMatch(/Blocked.*\n.*Plinth 3\.1\.0.*Plinth 3\.0\.0/)
  })
})
