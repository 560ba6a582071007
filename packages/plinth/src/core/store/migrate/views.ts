// Views of the model, created, replaced and dropped. Each carries the digest of its text: databases change texts when they keep them.

import { sha256Of } from '../../digest.ts'
import { isColumn } from '../../model/indexes.ts'
import type { Registry } from '../../model/registry.ts'
import type { Resource } from '../../model/resource.ts'
import type { SqlView } from '../../model/sql-view.ts'
import type { ColumnType } from '../../model/value-field.ts'
import type { Connection } from '../connection.ts'
import type { DatabaseDialect } from '../driver.ts'
import { columnTypeOf, quote, textOf } from '../sql/columns.ts'
import { renderSql, type SingleValue } from '../sql/render-sql.ts'
import type { MigrationStep } from './step.ts'

export interface ViewPlan {
  /** Steps before tables change: what views use could not be changed. */
  readonly dropped: readonly MigrationStep[]
  /** Steps for when the tables are as the model has them. */
  readonly created: readonly MigrationStep[]
  readonly refused: readonly string[]
}

const markOf = /plinth view ([0-9a-f]{16})/

interface TargetView {
  readonly name: string
  readonly select: string
  readonly mark: string
}

export const planViews = async (
  connection: Pick<Connection, 'rows'>,
  dialect: DatabaseDialect,
  { registry, tables }: { readonly registry: Registry; readonly tables: ReadonlySet<string> },
): Promise<ViewPlan> => {
  const targets = registry.resources.flatMap(resource => {
    const { view } = resource.definition
    return view ? [targetOf(resource, view, { registry, dialect })] : []
  })
  const { views, marks } = await readViews(connection, dialect)
  const byName = new Map(targets.map(target => [target.name, target]))
  const stale = [...marks].filter(([name, mark]) => byName.get(name)?.mark !== mark).map(([name]) => name)
  const isThere = ({ name, mark }: TargetView): boolean => marks.get(name) === mark
  return {
    dropped: stale.map(name => ({
      why: byName.has(name) ? `${name}: the view has changed` : `${name}: a view that the model no longer has`,
      sql: `DROP VIEW ${quote(name)};`,
    })),
    created: targets
      .filter(target => !isThere(target))
      .map(({ name, select, mark }) => ({
        why: `${name}: a view`,
        sql: dialect.schema.createView({ name, select, mark: `plinth view ${mark}` }),
        isOwn: true,
      })),
    refused: targets
      .filter(({ name }) => !marks.has(name) && (views.has(name) || tables.has(name)))
      .map(({ name }) => `the database already has another object named ${name}; rename it, or the view`),
  }
}

const readViews = async (connection: Pick<Connection, 'rows'>, { schema }: DatabaseDialect) => {
  const rows = await connection.rows(schema.views, [])
  const marks = new Map(
    rows.flatMap(([name, text]): [string, string][] => {
      const [, mark] = markOf.exec(String(text)) ?? []
      return mark === undefined ? [] : [[String(name), mark]]
    }),
  )
  return { views: new Set(rows.map(([name]) => String(name))), marks }
}

/** Drops the views, before all tables are dropped. The migration that follows creates them again. */
export const dropViews = async (
  connection: Pick<Connection, 'rows'>,
  dialect: DatabaseDialect,
): Promise<readonly MigrationStep[]> => {
  const { marks } = await readViews(connection, dialect)
  return [...marks.keys()].map(name => ({ why: `${name}: a view`, sql: `DROP VIEW ${quote(name)};` }))
}

interface ViewModel {
  readonly registry: Registry
  readonly dialect: DatabaseDialect
}

const targetOf = (resource: Resource, view: SqlView, { registry, dialect }: ViewModel): TargetView => {
  const { schema } = dialect
  const cast = (expression: string, type: ColumnType): string => {
    const [name, collation] = schema.columnTypes[type].split(' COLLATE ')
    return `CAST(${expression} AS ${name})${collation === undefined ? '' : ` COLLATE ${collation}`}`
  }
  const value = (one: SingleValue): string => {
    if (one === null) return 'NULL'
    if (typeof one === 'boolean') return schema.booleanSql(one)
    return typeof one === 'number' ? String(one) : textOf(one instanceof Date ? one.toISOString() : one)
  }
  const text = renderSql(view.sql, { dialect, value, resource: name => registry.resource(name) })
  const columns = [...resource.fields.values()].filter(isColumn).map(field => {
    const { name } = field
    if (field === resource.pk) return `${cast(`q.${quote(view.key)}`, 'text')} AS "pk"`
    // A view has no versions: what a caller has read is compared by its content.
    if (name === 'version') return `${cast('1', 'integer')} AS "version"`
    return `${cast(`q.${quote(name)}`, columnTypeOf(field))} AS ${quote(name)}`
  })
  const select = `SELECT ${columns.join(', ')}\nFROM (\n${text}\n) AS q`
  return {
    name: resource.name,
    select,
    mark: sha256Of(select).slice(0, 16),
  }
}
