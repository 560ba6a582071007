// Writes of records from fields in JSON that came in no request of their own, such as the rows of an import.

import type { ResourceDefinition } from '../model/define.ts'
import type { Row } from '../model/row.ts'
import type { TransactionContext } from './context.ts'
import { createFromInput, updateFromInput } from './write-input.ts'

type SentFields = Readonly<Record<string, unknown>>

const inputOf = (fields: SentFields) => ({
  pk: undefined,
  fields,
  pointer: (field: string) => `/${field}`,
  refusesUnknown: false,
})

/**
 * Creates a record of fields as a caller would send them in JSON, for imports: every fault is reported by its field.
 *
 * @example const book = await createFromFields(transaction, books, { title: 'Emma', author: { pk: loan.pk } })
 */
export const createFromFields = async <D extends ResourceDefinition>(
  transaction: TransactionContext,
  definition: D,
  fields: SentFields,
): Promise<Row<D>> => {
  const resource = transaction.platform.registry.resource(definition)
  const source = { pk: undefined, by: 'body' } as const
  return (await createFromInput(transaction, { resource, input: inputOf(fields), source })) as Row<D>
}

interface SentChanges {
  readonly pk: string
  readonly fields: SentFields
}

/**
 * Changes a record by fields as a caller would send them in JSON. Answers whether anything has changed.
 *
 * @example const hasChanged = await changeFromFields(transaction, books, { pk: loan.pk, fields: { title: 'Emma' } })
 */
export const changeFromFields = async (
  transaction: TransactionContext,
  definition: ResourceDefinition,
  { pk, fields }: SentChanges,
): Promise<boolean> => {
  const resource = transaction.platform.registry.resource(definition)
  const updated = await updateFromInput(transaction, { resource, pk, input: inputOf(fields), mode: 'patch' })
  return updated?.changed ?? false
}
