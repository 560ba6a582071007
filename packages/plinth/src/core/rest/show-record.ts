// A record in JSON, for answers that modules put together themselves.

import { formatsByName } from '../formats/index.ts'
import type { ResourceDefinition } from '../model/define.ts'
import type { JsonMembers } from '../model/json.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Row } from '../model/row.ts'
import type { Context } from './context.ts'

interface ShownRow<D> {
  readonly row: Row<D>
  /** The address of the service, for links: `request.base`. */
  readonly base: string
}

/**
 * A record in JSON, as the caller sees it.
 *
 * @example const body = showRecord(context, loans, { row: loan, base: request.base })
 */
export const showRecord = <D extends ResourceDefinition>(
  { platform, visibility }: Context,
  definition: D,
  { row, base }: ShownRow<D>,
): JsonMembers => {
  const view = visibility.view(platform.registry.resource(definition))
  return JSON.parse(formatsByName.json.item({ view, record: row as StoredRecord, included: [] }, base)) as JsonMembers
}
