// Calls an endpoint behind a button.

import { request } from '../../api/client.ts'
import { type Result, resultOf } from './action-result.tsx'
import type { ActionWithForm } from './use-actions.ts'

interface ActionCall {
  /** The record, for actions of records. */
  readonly pk?: string | undefined
  readonly body: object | null
  readonly idempotencyKey: string
}

/** Returns what is to be shown, if anything. */
export const callAction = async (
  { method, path }: ActionWithForm,
  { pk, body, idempotencyKey }: ActionCall,
): Promise<Result | null> => {
  const address = pk === undefined ? path : path.replace('{pk}', encodeURIComponent(pk))
  const response = await request<unknown>(address, { method, idempotencyKey, ...(body && { body }) })
  return resultOf(response.body)
}
