// One endpoint, with the state of its last call, for components.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { EndpointArguments, EndpointInput } from '../endpoints.ts'
import type { EndpointTypes } from '../schema.ts'
import { type AnyClient, readAgain, resourceKey } from './follow.ts'

export interface EndpointHook<E extends EndpointTypes> {
  /** Calls the endpoint. The promise rejects with the problem; components that show `problem` need not await it. */
  readonly call: (...input: EndpointArguments<E>) => Promise<E['answer']>
  readonly isPending: boolean
  /** Why the last call failed; null while it has not. */
  readonly problem: Error | null
  /** The answer of the last call; undefined while there is none. */
  readonly result: E['answer'] | undefined
  /** Forgets the last call. */
  readonly reset: () => void
}

export interface EndpointHookOptions<Name extends string> {
  /** Resources that are read again afterwards. */
  readonly changes?: readonly Name[]
}

type AnyInput = EndpointInput<EndpointTypes>

export const useEndpointOf = (
  client: AnyClient,
  route: string,
  { changes = [] }: EndpointHookOptions<string> = {},
): EndpointHook<EndpointTypes> => {
  const queries = useQueryClient()
  const { mutateAsync, isPending, error, data, reset } = useMutation({
    mutationFn: (input: AnyInput | undefined) => client.call(route, input),
    onSuccess: () => {
      for (const resource of changes) void readAgain(queries, resourceKey(client, resource))
    },
  })
  const call = (input?: AnyInput): Promise<unknown> => {
    const answer = mutateAsync(input)
    // The problem is part of the state: a call that is not awaited is no unhandled error.
    answer.catch(() => {})
    return answer
  }
  return { call, isPending, problem: error, result: data, reset }
}
