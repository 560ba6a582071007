// Drops what the model no longer has. Migrations leave it alone: only a person decides that it is not needed.

import type { Registry } from '../../model/registry.ts'
import { Problem } from '../../problem.ts'
import type { Driver } from '../driver.ts'
import { quote } from '../sql/columns.ts'
import { applyPlan } from './apply.ts'
import { planMigration } from './plan.ts'

export const dropUnknown = async (driver: Driver, registry: Registry, name: string): Promise<void> => {
  const { leftAlone } = await planMigration(driver, registry)
  const [table = '', column] = name.split('.')
  const isColumn = leftAlone.includes(`the column ${name}`)
  if (!isColumn && !leftAlone.includes(`the table ${name}`))
    throw new Problem(
      'not_found',
      `${name} cannot be dropped: the model has it, or the database does not. ${inWords(leftAlone)}`,
    )
  const sql = isColumn
    ? `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(column ?? '')};`
    : `DROP TABLE ${quote(table)};`
  await applyPlan(driver, { steps: [{ why: `${name}: dropped by a person`, sql }], leftAlone: [], refused: [] })
}

const inWords = (leftAlone: readonly string[]): string =>
  leftAlone.length > 0 ? `These can be: ${leftAlone.join(', ')}.` : 'There is nothing to drop.'
