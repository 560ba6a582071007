// What only some runtimes have: Web Locks, storage and an origin in browsers, `XMLHttpRequest` in browsers and React Native.

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
  readonly navigator?: { readonly locks?: Locks }
  readonly localStorage?: SyncStorage
  readonly location?: { readonly origin: string }
  readonly XMLHttpRequest?: new () => UploadRequest
}

export const runtime = globalThis as unknown as Runtime
