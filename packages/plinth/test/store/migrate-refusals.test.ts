import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResourceDefinition } from '../../src/core/model/define.ts'
import { boolean, integer, links, ref, text } from '../../src/core/model/fields.ts'
import type { Driver } from '../../src/core/store/driver.ts'
import { applyPlan, migrate } from '../../src/core/store/migrate/apply.ts'
import { planMigration } from '../../src/core/store/migrate/plan.ts'
import { createTestDatabase, dialects, modelOf, resource, type TestDatabase } from './migrate-databases.ts'

interface Refusal {
  readonly refusal: string
  readonly before: readonly ResourceDefinition[]
  readonly rows: string
  readonly after: readonly ResourceDefinition[]
  readonly says: RegExp
}

const films = (fields: Parameters<typeof resource>[1]) => resource('films', fields)
const twoFilms = `INSERT INTO "films" ("pk", "title", "version") VALUES ('1', 'Alien', 0), ('2', 'ALIEN', 0), ('3', NULL, 0);`

const refusals: readonly Refusal[] = [
  {
    refusal: 'another type of value',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: integer() })],
    says: /^films\.title is (TEXT|text COLLATE "C") in the database and (INTEGER|bigint) in the model: declare .* new name/,
  },
  {
    refusal: 'a new required field without a default while there are records',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text(), open: boolean({ required: true }) })],
    says: /^films\.open is new and required, but existing records have no value for it: give .* a constant default/,
  },
  {
    refusal: 'a default that is computed for each record',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text(), code: text({ required: true, default: () => 'x' }) })],
    says: /^films\.code is new and required/,
  },
  {
    refusal: 'a required field that some records lack',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text({ required: true }) })],
    says: /^films\.title becomes required, but 1 record has no value, such as '3': set the values first$/,
  },
  {
    refusal: 'a unique field that some records share',
    before: [films({ title: text() })],
    rows: `${twoFilms} UPDATE "films" SET "title" = 'same'`,
    after: [films({ title: text({ unique: true }) })],
    says: /^films\.title becomes unique, but 1 value is shared by several records, such as '1' and '3': remove the duplicates first/,
  },
  {
    refusal: 'a field unique without regard to case that some records share but for case',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ name: text({ unique: 'ignoreCase', renamedFrom: 'title' }) })],
    says: /^films\.name becomes unique, but 1 value is shared by several records, such as '1' and '2'/,
  },
  {
    refusal: 'a unique field whose default several records would get',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [films({ title: text(), code: text({ unique: true, default: 'x' }) })],
    says: /^films\.code becomes unique/,
  },
  {
    refusal: 'a reference to records that do not exist',
    before: [resource('actors', {}), films({ title: text() })],
    rows: twoFilms,
    after: [resource('actors', {}), films({ title: ref('actors') })],
    says: /^films\.title becomes a reference to actors, and 2 records have a value that does not exist there, such as '1'/,
  },
  {
    refusal: 'a reference to a resource that is itself new',
    before: [films({ title: text() })],
    rows: twoFilms,
    after: [resource('actors', {}), films({ title: ref('actors') })],
    says: /^films\.title becomes a reference to actors, and 2 records have/,
  },
  {
    refusal: 'links to another resource',
    before: [resource('actors', {}), films({ title: text(), cast: links('actors') })],
    rows: twoFilms,
    after: [resource('actors', {}), films({ title: text(), cast: links('films') })],
    says: /^films_cast\.target refers to actors in the database and to films in the model: declare the links under a new name/,
  },
  {
    refusal: 'a table of other software under the same name',
    before: [],
    rows: `CREATE TABLE "films" ("id" integer PRIMARY KEY)`,
    after: [films({})],
    says: /^the database already has another object named films, without the primary key \(pk\)/,
  },
  {
    refusal: 'a view under the same name',
    before: [],
    rows: `CREATE VIEW "films" AS SELECT 1 AS "pk"`,
    after: [films({})],
    says: /^the database already has another object named films/,
  },
]

describe.each(dialects)('on %s', dialect => {
  let database: TestDatabase
  let driver: Driver
  beforeEach(async () => {
    database = await createTestDatabase(dialect)
    driver = await database.open()
  })
  afterEach(() => database.remove())

  test.each(refusals.map(one => [one.refusal, one] as const))(
    '%s is refused',
    async (_, { before, rows, after, says }) => {
      await migrate(driver, modelOf(...before))
      await driver.script(rows)
      const target = modelOf(...after, resource('others', {}))

      const plan = await planMigration(driver, target)
      expect(plan.refused).toHaveLength(1)
      expect(plan.refused[0]).toMatch(says)
      await expect(applyPlan(driver, plan)).rejects.toThrow(plan.refused[0])
      await expect(migrate(driver, target)).rejects.toThrow(plan.refused[0])
      // All or nothing: what could have been done is not done either.
      expect((await planMigration(driver, target)).steps).toEqual(plan.steps)
    },
  )

  test('all refusals are reported at once', async () => {
    await migrate(driver, modelOf(films({ title: text() })))
    await driver.script(twoFilms)
    const target = modelOf(films({ title: text({ required: true }), open: boolean({ required: true }) }))
    await expect(migrate(driver, target)).rejects.toThrow(/films\.open is new.*films\.title becomes required/s)
  })

  test('a plan that no longer fits the database fails as a whole', async () => {
    await migrate(driver, modelOf(films({ title: text() })))
    const target = modelOf(films({ title: text({ required: true }), year: integer() }), resource('others', {}))
    const plan = await planMigration(driver, target)
    expect(plan.refused).toEqual([])
    await driver.script(twoFilms)
    await expect(applyPlan(driver, plan)).rejects.toThrow("The migration failed at 'films.title: now required'")
    const rows = await driver.rows('SELECT "why" FROM "plinth_migrations"', [])
    expect(rows.map(row => row[0])).toEqual(['films: new'])
    expect((await planMigration(driver, target)).steps).toEqual(plan.steps)
  })
})
