// Hooks on TanStack Query, typed by the schema of the client.

import {
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
  useMutation as useTanstackMutation,
} from '@tanstack/react-query'
import type { ClientCore } from '../client.ts'
import type { FindOptions, ViewOptions } from '../conditions.ts'
import type { EndpointAt, EndpointRoute } from '../endpoints.ts'
import type { ResultPage } from '../find-result.ts'
import type { FieldName, IncludePath, RecordOf, ResourceName, ServiceSchema } from '../schema.ts'
import { type EndpointHook, type EndpointHookOptions, useEndpointOf } from './endpoint-hook.ts'
import { type AnyClient, readAgain, recordKey, resourceKey, useFollowing } from './follow.ts'
import { type SessionHook, useSessionOf } from './session-hook.ts'

interface HookOptions<S extends ServiceSchema, T> {
  /** Does the component show changes as they happen? True unless given; only for users who are signed in. */
  readonly live?: boolean
  /** Resources whose changes count as well, such as those of included relations. */
  readonly follow?: readonly ResourceName<S>[]
  /** Options of TanStack Query. */
  readonly query?: Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn' | 'select'>
}

export interface RecordHookOptions<S extends ServiceSchema, R, F, I>
  extends Omit<ViewOptions<F, I>, 'signal'>,
    HookOptions<S, RecordOf<S, R, F, I>> {}

export interface RecordsHookOptions<S extends ServiceSchema, R, F, I>
  extends Omit<FindOptions<S, R, F, I>, 'signal'>,
    HookOptions<S, ResultPage<RecordOf<S, R, F, I>>> {}

export interface RecordMutationOptions<S extends ServiceSchema, T, V>
  extends Omit<UseMutationOptions<T, Error, V>, 'mutationFn'> {
  /** Resources that are read again afterwards. */
  readonly changes?: readonly ResourceName<S>[]
}

export interface PlinthHooks<S extends ServiceSchema> {
  /** One record; nothing is read while the pk is null. */
  useRecord<
    R extends ResourceName<S>,
    const F extends FieldName<S, R> = never,
    const I extends IncludePath<S, R> = never,
  >(
    resource: R,
    pk: string | null | undefined,
    options?: RecordHookOptions<S, R, F, I>,
  ): UseQueryResult<RecordOf<S, R, F, I>>
  /** A page of a search. */
  useRecords<
    R extends ResourceName<S>,
    const F extends FieldName<S, R> = never,
    const I extends IncludePath<S, R> = never,
  >(resource: R, options?: RecordsHookOptions<S, R, F, I>): UseQueryResult<ResultPage<RecordOf<S, R, F, I>>>
  /** Runs any call of the client that writes. */
  useMutation<T, V = void>(
    run: (variables: V) => Promise<T>,
    options?: RecordMutationOptions<S, T, V>,
  ): UseMutationResult<T, Error, V>
  /**
   * One endpoint, with the state of its last call.
   *
   * @example
   * const giveBack = useEndpoint('POST /api/rest/loans/{pk}/return', { changes: ['loans'] })
   * return <Button loading={giveBack.isPending} onClick={() => giveBack.call({ params: { pk } })}>Return</Button>
   */
  useEndpoint<Route extends EndpointRoute<S>>(
    route: Route,
    options?: EndpointHookOptions<ResourceName<S>>,
  ): EndpointHook<EndpointAt<S, Route>>
  useSession(): SessionHook
}

interface UntypedOptions {
  readonly live?: boolean
  readonly follow?: readonly string[]
  readonly query?: object
}

/** Options of the hook, and those of the read. */
const split = ({ live = true, follow = [], query = {}, ...read }: UntypedOptions) => ({ live, follow, query, read })

interface FollowedView {
  readonly resources: readonly string[]
  readonly live: boolean
  readonly pk?: string | null
}

/** The service sends changes to users who are signed in. */
const useFollowed = (client: AnyClient, { live, ...followed }: FollowedView): void => {
  const { user } = useSessionOf(client)
  useFollowing({ client, isOn: live && Boolean(user), ...followed })
}

/**
 * The hooks of a client. Create them once, outside of components.
 *
 * @example export const { useRecords, useMutation, useSession } = createHooks(client)
 */
export const createHooks = <S extends ServiceSchema>(typed: ClientCore<S>): PlinthHooks<S> => {
  const client = typed as unknown as AnyClient
  const hooks = {
    useRecord: (resource: string, pk: string | null | undefined, options: UntypedOptions = {}) => {
      const { live, follow, query, read } = split(options)
      useFollowed(client, { resources: [resource, ...follow], live, pk: pk ?? null })
      return useQuery({
        retry: false,
        enabled: pk !== null && pk !== undefined,
        ...query,
        queryKey: [...recordKey(client, resource, pk ?? null), read],
        queryFn: ({ signal }) => client.resource(resource).get(pk ?? '', { ...read, signal }),
      })
    },
    useRecords: (resource: string, options: UntypedOptions = {}) => {
      const { live, follow, query, read } = split(options)
      useFollowed(client, { resources: [resource, ...follow], live })
      return useQuery({
        retry: false,
        ...query,
        queryKey: [...resourceKey(client, resource), 'page', read],
        queryFn: ({ signal }) =>
          client
            .resource(resource)
            .find({ ...read, signal })
            .then(),
      })
    },
    useMutation: <T, V>(
      run: (variables: V) => Promise<T>,
      { changes = [], ...options }: RecordMutationOptions<S, T, V> = {},
    ) => {
      const queries = useQueryClient()
      return useTanstackMutation({
        ...options,
        mutationFn: run,
        onSuccess: async (...result) => {
          for (const resource of changes) void readAgain(queries, resourceKey(client, resource))
          await options.onSuccess?.(...result)
        },
      })
    },
    useEndpoint: (route: string, options?: EndpointHookOptions<string>) => useEndpointOf(client, route, options),
    useSession: () => useSessionOf(client),
  }
  // The types follow from the schema, which does not exist at run time.
  return hooks as unknown as PlinthHooks<S>
}
