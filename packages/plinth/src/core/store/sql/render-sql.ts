// SQL of the application → text. Names come from the model; what stands for values is up to the caller.

import { didYouMean } from '../../model/definition-error.ts'
import { isColumn } from '../../model/indexes.ts'
import type { Resource } from '../../model/resource.ts'
import type { SqlFragment, SqlPart } from '../../model/sql.ts'
import { quote, sourceOf } from './columns.ts'
import type { Dialect } from './dialect.ts'

export type SingleValue = string | number | boolean | null | Date

export interface RenderOptions {
  readonly dialect: Dialect
  resource(name: string): Resource
  value(value: SingleValue): string
}

/** Renders a statement without a semicolon at its end: it becomes a part of another one. */
export const renderSql = (sql: SqlFragment, options: RenderOptions): string => {
  const text = fragmentText(sql, options).trim()
  return text.endsWith(';') ? text.slice(0, -1) : text
}

const fragmentText = (fragment: SqlFragment, options: RenderOptions): string => {
  switch (fragment.kind) {
    case 'table':
      return sourceOf(options.resource(fragment.definition.name))
    case 'column':
      return columnText(options.resource(fragment.definition.name), fragment.field)
    case 'dialects':
      return fragmentText(ofDialect(fragment.texts, options.dialect), options)
    case 'text':
      return fragment.texts
        .map((text, at) => (at === 0 ? text : partText(fragment.parts[at - 1] ?? null, options) + text))
        .join('')
  }
}

const partText = (part: SqlPart, options: RenderOptions): string => {
  if (isList(part)) return part.length === 0 ? '(NULL)' : `(${part.map(one => options.value(one)).join(', ')})`
  return isSingle(part) ? options.value(part) : fragmentText(part, options)
}

const isList = (part: SqlPart): part is readonly (string | number)[] => Array.isArray(part)

const isSingle = (part: SqlPart): part is SingleValue =>
  part === null || typeof part !== 'object' || part instanceof Date

const ofDialect = (texts: Readonly<Record<string, SqlFragment>>, dialect: Dialect): SqlFragment => {
  const text = dialect.choose(texts)
  if (!text) throw new Error(`sql.dialects has texts for ${Object.keys(texts).join(' and ')} only`)
  return text
}

const columnText = ({ name, fields }: Resource, column: string): string => {
  const field = fields.get(column)
  if (field && isColumn(field)) return quote(column)
  const columns = [...fields.values()].filter(isColumn).map(one => one.name)
  throw new Error(`${name} has no column '${column}'${didYouMean(columns, column)}`)
}
