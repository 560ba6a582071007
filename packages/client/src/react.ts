// @plinth/client/react: records in React components, kept current by live changes.

export type { EndpointHook, EndpointHookOptions } from './react/endpoint-hook.ts'
export { readAgain } from './react/follow.ts'
export {
  createHooks,
  type PlinthHooks,
  type RecordHookOptions,
  type RecordMutationOptions,
  type RecordsHookOptions,
} from './react/hooks.ts'
export type { SessionHook } from './react/session-hook.ts'
