// Values that records lead to by to-one paths, with the versions of the records: one statement for all of them.

import type { Path } from '../../model/query.ts'
import type { Resource } from '../../model/resource.ts'
import type { KeptValues } from '../../model/transaction.ts'
import type { ResultRow } from '../connection.ts'
import { sourceOf } from './columns.ts'
import { baseScope, StatementDraft } from './from.ts'
import { decoderOf } from './selection.ts'
import type { SqlSession } from './session.ts'
import { QueryShape } from './shape.ts'
import { run, type Statement } from './statement.ts'
import { expressionAt } from './where.ts'

export const valuesAlong = async (
  { statements, connection }: SqlSession,
  resource: Resource,
  { pks, paths }: { readonly pks: readonly string[]; readonly paths: readonly Path[] },
): Promise<readonly KeptValues[]> => {
  const { dialect } = statements
  const key = `values ${resource.name} ${paths.map(nameOf).join()}`
  const statement = statements.of(key, (): Statement => {
    const draft = new StatementDraft(new QueryShape(dialect), 1)
    const scope = baseScope(draft, `${sourceOf(resource)} AS b`)
    const columns = ['b."pk"', 'b."version"', ...paths.map(path => expressionAt(scope, path))]
    const among = dialect.among('b."pk"', dialect.placeholder(1), 'text')
    return {
      sql: `SELECT ${columns.join(', ')} FROM ${scope.from.sql} WHERE ${among}`,
      constants: draft.constants,
      quick: true,
    }
  })
  const decoders = paths.map(({ field }) => decoderOf(dialect, field))
  const rows = await run(connection, statement, [dialect.list(pks, 'text')])
  return rows.map((row: ResultRow) => ({
    pk: String(row[0]),
    version: Number(row[1]),
    values: decoders.map((decode, at) => (decode ? decode(row[at + 2]) : row[at + 2])),
  }))
}

const nameOf = ({ steps, field }: Path): string =>
  [...steps.map(({ relation }) => `${relation.owner.name}.${relation.name}`), field.name].join('/')
