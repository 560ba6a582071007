import { everyThird } from '@plinth/test-kit/extent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { integer, text } from '../../src/core/model/fields.ts'
import type { Driver } from '../../src/core/store/driver.ts'
import { migrate } from '../../src/core/store/migrate/apply.ts'
import { dropUnknown } from '../../src/core/store/migrate/drop.ts'
import { planMigration, toText } from '../../src/core/store/migrate/plan.ts'
import { actors, changes, films, twoFilms } from './migrate-change-cases.ts'
import { accepts, createTestDatabase, dialects, modelOf, resource, type TestDatabase } from './migrate-databases.ts'

describe.each(dialects)('on %s', dialect => {
  let database: TestDatabase
  let driver: Driver
  beforeEach(async () => {
    database = await createTestDatabase(dialect)
    driver = await database.open()
  })
  afterEach(() => database.remove())

  test.each(everyThird(changes).map(one => [one.change, one] as const))(
    '%s',
    async (_, { before, rows = '', after, finds, accepts: good = [], rejects = [] }) => {
      await migrate(driver, modelOf(...before))
      if (rows) await driver.script(rows)
      await migrate(driver, modelOf(...after))

      const [query, found] = finds
      expect((await driver.rows(query, [])).map(row => [...row])).toEqual(found)
      for (const sql of rejects) expect(await accepts(driver, sql), `must be rejected: ${sql}`).toBe(false)
      for (const sql of good) expect(await accepts(driver, sql), `must be accepted: ${sql}`).toBe(true)
      expect((await planMigration(driver, modelOf(...after))).steps).toEqual([])
    },
  )

  test('a plan names locks and durations, and what looks renamed', async () => {
    await migrate(driver, modelOf(films({ title: text(), year: integer() }), actors))
    await driver.script(twoFilms)
    const people = resource('people', { name: text() })
    const plan = await planMigration(driver, modelOf(films({ name: text({ indexed: true }), year: integer() }), people))
    expect(plan.hints).toEqual([
      "films.title is not in the model, and films.name is new: if the field was renamed, declare renamedFrom: 'title' before you migrate",
      "the table actors is not in the model, and people is new: if the resource was renamed, declare renamedFrom: 'actors' before you migrate",
    ])
    const planText = toText(plan, new Map([['films', 6_000_000]]))
    expect(planText).toContain('--   Locks the table against writes: about 20 seconds for 6,000,000 rows.')
    expect(planText).toContain('--   Locks the table for a moment: about a second or less for 6,000,000 rows.')
  })

  test('a plan says that a field is not renamed while another one has its former name', async () => {
    await migrate(driver, modelOf(films({ title: text({ unique: 'ignoreCase' }) })))
    const both = modelOf(films({ title: text(), name: text({ unique: 'ignoreCase', renamedFrom: 'title' }) }))
    expect((await planMigration(driver, both)).hints).toEqual([
      "films.name begins without values: it has renamedFrom: 'title', but title is still a field of the model. " +
        'To keep the values, rename the field first, and add a new title in the next release',
    ])
    await migrate(driver, both)
    expect((await planMigration(driver, both)).hints).toEqual([])
  })

  test('what the model no longer has is dropped by name, and nothing else', async () => {
    await migrate(driver, modelOf(films({ title: text(), year: integer() }), actors))
    const model = modelOf(films({ title: text() }))
    await migrate(driver, model)
    await expect(dropUnknown(driver, model, 'films.title')).rejects.toThrow(
      'These can be: the column films.year, the table actors.',
    )
    await dropUnknown(driver, model, 'films.year')
    await dropUnknown(driver, model, 'actors')
    expect((await planMigration(driver, model)).leftAlone).toEqual([])
  })

  test('a folded column that was unused is folded again when it is needed again', async () => {
    const folding = modelOf(films({ title: text({ unique: 'ignoreCase' }) }))
    await migrate(driver, folding)
    await migrate(driver, modelOf(films({ title: text() })))
    await driver.script(twoFilms)
    await migrate(driver, folding)
    const rows = await driver.rows('SELECT "title_folded" FROM "films" ORDER BY 1', [])
    expect(rows.map(row => [...row])).toEqual([['alien'], ['brazil']])
  })
})
