// One record to be written.

import type { Values } from '../../model/record.ts'
import type { Resource } from '../../model/resource.ts'
import type { RecordWriteOptions } from '../../model/transaction.ts'

/** The values of one record, on their way into its table. */
export interface RecordWrite {
  readonly resource: Resource
  readonly pk: string
  readonly values: Values
  readonly options?: RecordWriteOptions
}
