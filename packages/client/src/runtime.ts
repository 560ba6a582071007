// What only some runtimes have: Web Locks, storage and an origin in browsers, `XMLHttpRequest` in browsers and React Native,
// `WebSocket` in all but Node 20.

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

interface SyncStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

interface UploadRequest {
  readonly upload: { onprogress: ((event: { readonly loaded: number; readonly total: number }) => void) | null }
  readonly status: number
  readonly responseText: string
  withCredentials: boolean
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, address: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: unknown): void
  abort(): void
}

interface Runtime {
  readonly navigator?: { readonly locks?: Locks; readonly product?: string }
  readonly localStorage?: SyncStorage
  readonly location?: { readonly origin: string }
  readonly XMLHttpRequest?: new () => UploadRequest
  /** React Native takes headers of the handshake. */
  readonly WebSocket?: new (
    address: string,
    protocols: string[],
    options?: object,
  ) => unknown
}

export const runtime = globalThis as unknown as Runtime

export const isReactNative = (): boolean => runtime.navigator?.product === 'ReactNative'
