// The rentals that should be back by now.

import { type JsonPage, type RequestOptions, type ResultPage, toResultPage } from '@plinth/client'
import { type CounterRental, client } from './service.ts'

type OverdueQuery = NonNullable<RequestOptions['query']>

export const findOverdue = async (query: OverdueQuery, signal: AbortSignal): Promise<ResultPage<CounterRental>> =>
  toResultPage((await client.request<JsonPage<CounterRental>>('/api/rest/order/overdue', { query, signal })).body)

export const countOverdue = async (query: OverdueQuery, signal: AbortSignal): Promise<number> =>
  (await findOverdue({ ...query, _ps: 1 }, signal)).total ?? 0
