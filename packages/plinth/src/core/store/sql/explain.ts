// The statements of a search with the database's plans for them. Nothing of it is run.

import type { Aggregation } from '../../model/aggregation.ts'
import type { Query } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { Cell, ReadableCell } from '../connection.ts'
import { withMatches } from '../search/count-found.ts'
import { isFound } from '../search/find-found.ts'
import { countStatement } from './count.ts'
import { preparePage, reversed } from './find.ts'
import { prepareGroups } from './groups.ts'
import type { SqlSession } from './session.ts'
import type { Statement } from './statement.ts'

export interface ExplainedStatement {
  readonly purpose: 'page' | 'total' | 'groups'
  readonly sql: string
  /** What the placeholders stand for, in their order. */
  readonly values: readonly ReadableCell[]
  /** The plan as the database words it, line by line. */
  readonly plan: readonly string[]
}

export const explainQuery = async (
  session: SqlSession,
  resource: Resource,
  sent: Query,
): Promise<readonly ExplainedStatement[]> => {
  const query = isFound(sent) ? await withMatches(session, resource, sent) : sent
  const forward = query.window.kind === 'before' || query.window.kind === 'end' ? reversed(query) : query
  const { statement, parts } = preparePage(session.statements, resource, forward)
  const page = await explain(session, { purpose: 'page', statement, cells: parts.shape.cells })
  if (query.total !== 'exact') return [page]
  const atMost = query.exactUpTo === undefined ? undefined : query.exactUpTo + 1
  const count = countStatement(parts, { kind: 'exact', atMost })
  const cells = parts.shape.cells.slice(0, parts.cellCount)
  return [page, await explain(session, { purpose: 'total', statement: count, cells })]
}

export const explainGroups = async (
  session: SqlSession,
  resource: Resource,
  aggregation: Aggregation,
): Promise<readonly ExplainedStatement[]> => {
  const { statement, shape } = prepareGroups(session, resource, aggregation)
  return [await explain(session, { purpose: 'groups', statement, cells: shape.cells })]
}

interface PreparedStatement extends Pick<ExplainedStatement, 'purpose'> {
  readonly statement: Statement
  readonly cells: readonly Cell[]
}

const explain = async (
  { connection, statements: { dialect } }: SqlSession,
  { purpose, statement: { sql, constants }, cells }: PreparedStatement,
): Promise<ExplainedStatement> => {
  // Nothing that is explained binds bytes.
  const values = [...cells, ...constants].filter((cell): cell is ReadableCell => !(cell instanceof Uint8Array))
  const rows = await connection.rows(dialect.explain.sql(sql), values)
  return { purpose, sql, values, plan: dialect.explain.lines(rows) }
}
