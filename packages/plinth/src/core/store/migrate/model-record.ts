// The models that have used a database, stored in it. A model that a newer one has replaced would hide what the newer one stores, so it
// must not run on the database unless its operator allows it.

import { sha256Of } from '../../digest.ts'
import type { Connection } from '../connection.ts'
import type { DatabaseDialect } from '../driver.ts'
import type { Table, TableColumn } from './table.ts'

export const modelTable = 'plinth_models'

/** A model as far as it concerns stored values: plain data, in an order of its own. */
interface ModelShape {
  readonly modules: readonly string[]
  readonly tables: Readonly<Record<string, TableShape>>
}

interface TableShape {
  readonly formerNames: readonly string[]
  readonly columns: Readonly<Record<string, ColumnShape>>
  /** The rules of its checks, by name. */
  readonly checks?: Readonly<Record<string, string>>
}

interface ColumnShape {
  /** Type, reference and former names. */
  readonly form: string
  readonly choices?: readonly string[]
}

/** A model that starts, and those that have used the database before. */
export interface ModelUse {
  readonly models: readonly ModelRecord[]
  readonly shape: ModelShape
}

export interface ModelRecord {
  readonly fingerprint: string
  readonly recorded: string
  /** No newer model has replaced it, or its operator has allowed it since. */
  readonly isCurrent: boolean
  readonly shape: ModelShape
}

const sorted = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))

export const shapeOf = (tables: readonly Table[], modules: readonly string[]): ModelShape => ({
  modules: modules.toSorted(),
  tables: sorted(
    tables.map(({ name, formerNames, columns, checks }) => [
      name,
      {
        formerNames,
        columns: sorted(columns.map(column => [column.name, columnShape(column)])),
        ...(checks && { checks: sorted(checks.map(check => [check.name, check.rule])) }),
      },
    ]),
  ),
})

const columnShape = ({ type, required, references, formerNames, choices }: TableColumn): ColumnShape => ({
  form: [type, required ? 'required' : '', references?.table ?? '', ...formerNames].join(' ').trim(),
  ...(choices && { choices }),
})

const fingerprintOf = (shape: ModelShape): string => sha256Of(JSON.stringify(shape))

/** Reads the models that have used the database; their table may not exist yet. */
export const readModels = async (
  connection: Pick<Connection, 'rows'>,
  tables: ReadonlyMap<string, unknown>,
): Promise<readonly ModelRecord[]> => {
  if (!tables.has(modelTable)) return []
  const rows = await connection.rows(`SELECT "fingerprint", "recorded", "isCurrent", "shape" FROM "${modelTable}"`, [])
  return rows.map(([fingerprint, recorded, isCurrent, shape]) => ({
    fingerprint: String(fingerprint),
    recorded: recorded instanceof Date ? recorded.toISOString() : String(recorded),
    isCurrent: Number(isCurrent) === 1,
    shape: JSON.parse(String(shape)) as ModelShape,
  }))
}

/** Does it replace one that has used the database? */
export const isNewModel = ({ models, shape }: ModelUse): boolean => {
  const fingerprint = fingerprintOf(shape)
  return models.length > 0 && !models.some(one => one.fingerprint === fingerprint)
}

/** Why this model must not run on the database, or nothing. */
export const olderModelFaults = ({ models, shape }: ModelUse): string[] => {
  const own = models.find(one => one.fingerprint === fingerprintOf(shape))
  if (!own || own.isCurrent) return []
  const current = models.filter(({ isCurrent }) => isCurrent)
  const lacking = [...new Set(current.flatMap(newer => lackingIn(shape, newer.shape)))]
  if (lacking.length === 0) return []
  const since = current.map(({ recorded }) => recorded).sort()[0]
  return [
    `a newer model has used the database since ${since}, and this older one does not know ${named(lacking)}: start the newer ` +
      'version, or restore a backup from before it; with --allow-older this one starts, and does not show these values',
  ]
}

/** Tables of a module that is off are not lacking. */
const lackingIn = (older: ModelShape, newer: ModelShape): string[] => {
  const haveSameModules = older.modules.join() === newer.modules.join()
  return Object.entries(newer.tables).flatMap(([name, { columns, formerNames }]) => {
    const own = older.tables[name]
    if (own) return Object.keys(columns).flatMap(column => (own.columns[column] ? [] : [`${name}.${column}`]))
    return haveSameModules || formerNames.some(former => older.tables[former]) ? [name] : []
  })
}

const named = (names: readonly string[]): string => {
  const few = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${few} and ${names.length - 5} others` : few
}

const namesOf = ({ name, formerNames }: Pick<Table, 'name' | 'formerNames'>): readonly string[] => [
  name,
  ...formerNames,
]

/** The choices that a column had; null when it had none, undefined when the column is new or no model is on record. */
export const formerChoices = (
  models: readonly ModelRecord[],
  table: Table,
  column: TableColumn,
): readonly string[] | null | undefined => {
  const [tables, columns] = [namesOf(table), namesOf(column)]
  const shapes = models
    .filter(({ isCurrent }) => isCurrent)
    .flatMap(({ shape }) => tables.map(name => shape.tables[name]))
  const found = shapes.flatMap(shape => columns.map(name => shape?.columns[name])).find(one => one !== undefined)
  return found && (found.choices ?? null)
}

/** Did a model that has used the database hold every row to this rule? */
export const wasChecked = (models: readonly ModelRecord[], table: Table, rule: string): boolean =>
  models
    .filter(({ isCurrent }) => isCurrent)
    .some(({ shape }) => namesOf(table).some(name => Object.values(shape.tables[name]?.checks ?? {}).includes(rule)))

// Recording

const createModels = ({ schema }: DatabaseDialect): string => `CREATE TABLE IF NOT EXISTS "${modelTable}" (
    "fingerprint" text PRIMARY KEY,
    "recorded" ${schema.columnTypes.timestamp} NOT NULL DEFAULT (${schema.now}),
    "isCurrent" integer NOT NULL,
    "shape" text NOT NULL
  )`

/** A model that is new replaces those before it; one that was allowed to come back stands beside them. */
export const recordModel = async (
  connection: Connection,
  dialect: DatabaseDialect,
  { models, shape }: ModelUse,
): Promise<void> => {
  const fingerprint = fingerprintOf(shape)
  const own = models.find(one => one.fingerprint === fingerprint)
  if (own?.isCurrent) return
  await connection.script(createModels(dialect))
  const [first, second] = [dialect.placeholder(1), dialect.placeholder(2)]
  if (own) {
    await connection.rows(`UPDATE "${modelTable}" SET "isCurrent" = 1 WHERE "fingerprint" = ${first}`, [fingerprint])
    return
  }
  await connection.rows(`UPDATE "${modelTable}" SET "isCurrent" = 0`, [])
  await connection.rows(
    `INSERT INTO "${modelTable}" ("fingerprint", "isCurrent", "shape") VALUES (${first}, 1, ${second})`,
    [fingerprint, JSON.stringify(shape)],
  )
}

/** Forgets the models after a restore: the records are those of another model. The next start records its own. */
export const forgetModels = async (connection: Connection, dialect: DatabaseDialect): Promise<void> => {
  await connection.script(createModels(dialect))
  await connection.rows(`DELETE FROM "${modelTable}"`, [])
}
