// Looks for a record in the trash.

import type { Resource } from '../../model/resource.ts'
import { quote } from '../sql/columns.ts'
import type { SqlSession } from '../sql/statements.ts'
import { trashTableOf } from './columns.ts'

/** The trash must be able to hold records of this resource. */
export const isInTrash = async (
  { statements: { dialect }, connection }: SqlSession,
  resource: Resource,
  pk: string,
): Promise<boolean> => {
  const sql = `SELECT 1 FROM ${quote(trashTableOf(resource))} AS t WHERE t."pk" = ${dialect.placeholder(1)} LIMIT 1`
  return (await connection.rows(sql, [pk])).length > 0
}
