import { everything, type Filter } from '../../core/model/query.ts'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Reader } from '../../core/model/transaction.ts'

/** The first of the matching records by pk, or null. */
export const findFirst = async (reader: Reader, resource: Resource, filter: Filter): Promise<StoredRecord | null> =>
  (await reader.find(resource, everything(resource, filter, 1))).records[0] ?? null
