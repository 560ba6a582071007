// On which databases a test runs.

import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { runsAll } from './extent.ts'

/**
 * The two databases: for tests of what a database does, such as storage, search, migrations, transactions, races and
 * durability.
 */
export const databases = ['sqlite', 'postgres'] as const
export type TestedDatabase = (typeof databases)[number]

/**
 * For tests of features, which do not depend on the database: one of the two in `npm test`, both in `npm run test:all`. The name of
 * the file decides, so PostgreSQL runs about a third of them and SQLite the others. Takes the `import.meta.url` of the test file.
 */
export const featureDatabases = (testFile: string): readonly TestedDatabase[] =>
  runsAll ? databases : [databaseOf(fileURLToPath(testFile))]

/** A test of a feature within a file that runs on both databases: it runs where `featureDatabases` says. */
export const featureTest = (testFile: string, database: TestedDatabase) =>
  test.runIf(featureDatabases(testFile).includes(database))

/** A test within a file that runs on both databases: in `npm test` it runs on the given one. */
export const testOn = (chosen: TestedDatabase, database: TestedDatabase) => test.runIf(runsAll || database === chosen)

/**
 * Selects the items that are tested on this database: the databases take turns in `npm test`, all in `npm run
 * test:all`.
 */
export const itemsOn = <Item>(database: TestedDatabase, items: readonly Item[]): readonly Item[] =>
  items.filter((_, at) => runsAll || databases[at % databases.length] === database)

const root = fileURLToPath(new URL('../../..', import.meta.url))

const databaseOf = (path: string): TestedDatabase => {
  const letters = [...path.slice(root.length)]
  const sum = letters.reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
  // PostgreSQL takes half as much time again, for a copy of the data that a service starts with and for each request.
  return [1, 5].includes(sum % 6) ? 'postgres' : 'sqlite'
}
