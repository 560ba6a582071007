// Limits on pages, totals, the cost of queries and the time of endpoints, as configured.

import { apiSettings } from '../config/api-settings.ts'
import type { Config } from '../config/settings.ts'

export interface Limits {
  readonly maxPageSize: number
  /** The number of the first page in `page[number]`: 0 or 1. */
  readonly firstPage: number
  readonly maxFullCollection: number
  /** How many matching records are counted exactly, unless the caller asks for more. */
  readonly exactTotalLimit: number
  /** What a query may cost, and that of a caller without credentials. */
  readonly maxQueryCost: number
  /** What the records of an export may cost; they are read and sent batch by batch. */
  readonly maxExportCost: number
  readonly maxAnonymousQueryCost: number
  /** How long the response to a request with an `Idempotency-Key` is kept. */
  readonly idempotencyHours: number
  /** How long the handler of an endpoint may take, in seconds. */
  readonly endpointTimeout: number
}

export const limitsOf = (config: Config): Limits => ({
  maxPageSize: config.get(apiSettings).maxPageSize,
  firstPage: config.get(apiSettings).firstPage,
  maxFullCollection: config.get(apiSettings).maxFullCollection,
  exactTotalLimit: config.get(apiSettings).exactTotalLimit,
  maxQueryCost: config.get(apiSettings).maxQueryCost,
  maxExportCost: config.get(apiSettings).maxExportCost,
  maxAnonymousQueryCost: config.get(apiSettings).maxAnonymousQueryCost,
  idempotencyHours: config.get(apiSettings).idempotencyHours,
  endpointTimeout: config.get(apiSettings).endpointTimeout,
})
