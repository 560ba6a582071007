// @plinth/client: typed calls to a Plinth service.

export type { AggregateOptions, GroupHaving, GroupName, GroupOf } from './aggregates.ts'
export {
  type AtomicOperations,
  type AtomicResult,
  type AtomicValues,
  type LocalReference,
  noRecord,
  noRecords,
} from './atomic.ts'
export { type ClientCore, type ClientOptions, createClient, createClientOn, type PlinthClient, ref } from './client.ts'
export type {
  CallOptions,
  FieldComparison,
  FindOptions,
  RecordCondition,
  SortField,
  ViewOptions,
} from './conditions.ts'
export { createConnection, type ServiceConnection, type ServiceConnectionOptions } from './connection.ts'
export type {
  CallEndpoint,
  EndpointArguments,
  EndpointAt,
  EndpointCalls,
  EndpointInput,
  EndpointRoute,
} from './endpoints.ts'
export type { DownloadOptions, RecordFile, RecordFiles, UploadOptions } from './files.ts'
export { type FindResult, type JsonPage, type ResultPage, type SearchMatch, toResultPage } from './find-result.ts'
export type { RecordVersion } from './history.ts'
export type { LiveChange, LiveConnection, LiveListener, LiveState } from './live.ts'
export type { LiveQueryHandlers, StopLive } from './live-query.ts'
export type { LiveOptions } from './live-transport.ts'
export {
  ApiProblem,
  isProblem,
  isTransient,
  type KnownProblemCode,
  type ProblemBody,
  type ProblemFault,
} from './problem.ts'
export { containing, toFilter } from './query.ts'
export { type ApiResponse, newKey, type QueryParameters, type RequestOptions, type Transport } from './request.ts'
export type {
  ChangeHandlers,
  CreateOptions,
  RecordKey,
  Reference,
  ResourceClient,
  WriteOptions,
} from './resource.ts'
export type {
  CompactRecord,
  EndpointTypes,
  FullRecord,
  NewValues,
  NextState,
  RecordChanges,
  RecordLink,
  RecordOf,
  ResourceName,
  ResourceTypes,
  ServiceSchema,
  UntypedSchema,
} from './schema.ts'
export type {
  SessionEvents,
  SessionMode,
  SessionUser,
  SignInRequest,
  UserSession,
} from './session.ts'
export { type SessionTokens, storeTokensIn, type TokenStorage } from './token-storage.ts'
