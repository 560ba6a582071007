// Writes of records from members in JSON that came in no request of their own, such as the rows of an import.

import type { ResourceDefinition } from '../model/define.ts'
import type { Row } from '../model/row.ts'
import type { TransactionContext } from './context.ts'
import { createFromInput, updateFromInput } from './write-input.ts'

type SentMembers = Readonly<Record<string, unknown>>

const inputOf = (members: SentMembers) => ({
  pk: undefined,
  members,
  pointer: (member: string) => `/${member}`,
  refusesUnknown: false,
})

/** Creates a record of members as a caller would send them in JSON, for imports: every fault is reported by its member. */
export const createFromMembers = async <D extends ResourceDefinition>(
  inside: TransactionContext,
  definition: D,
  members: SentMembers,
): Promise<Row<D>> => {
  const resource = inside.platform.registry.resource(definition)
  const source = { pk: undefined, by: 'body' } as const
  return (await createFromInput(inside, { resource, input: inputOf(members), source: source })) as Row<D>
}

interface SentChanges {
  readonly pk: string
  readonly members: SentMembers
}

/** Changes a record by members as a caller would send them in JSON. Answers whether anything has changed. */
export const changeFromMembers = async (
  inside: TransactionContext,
  definition: ResourceDefinition,
  { pk, members }: SentChanges,
): Promise<boolean> => {
  const resource = inside.platform.registry.resource(definition)
  const updated = await updateFromInput(inside, { resource, pk, input: inputOf(members), mode: 'patch' })
  return updated?.changed ?? false
}
