// The statement behind a resource that is a view.

import type { SqlFragment, SqlPart, SqlSource } from './sql.ts'

export interface SqlView {
  readonly sql: SqlFragment
  /** The column whose values are the pks. */
  readonly key: string
}

const isFragment = (part: SqlPart): part is SqlFragment => typeof part === 'object' && part !== null && 'kind' in part

/** The tables that a statement names. */
export const sourcesOf = (sql: SqlFragment): readonly SqlSource[] => {
  switch (sql.kind) {
    case 'table':
      return [sql.definition]
    case 'column':
      return []
    case 'dialects':
      return [...new Set(Object.values(sql.texts).flatMap(sourcesOf))]
    case 'text':
      return [...new Set(sql.parts.filter(isFragment).flatMap(sourcesOf))]
  }
}
