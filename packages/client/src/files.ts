// Files of a record.

import type { CallOptions } from './conditions.ts'
import { segment } from './path.ts'
import { type ApiResponse, newKey, type RequestOptions, type Transport } from './request.ts'
import { runtime } from './runtime.ts'

/** How the progress of files is reported. */
export interface ProgressOptions {
  /** Is called as the bytes of files are sent. */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void
}

export interface UploadOptions extends CallOptions, ProgressOptions {}

/** A file as the service lists it. */
export interface RecordFile {
  readonly name: string
  /** The media type, detected from the content. */
  readonly mediaType: string
  readonly size: number
  readonly uploaded: string
  /** The path of its content. */
  readonly url: string
}

export interface DownloadOptions extends CallOptions {
  /** A preview of an image, at most this many pixels wide and high. */
  readonly preview?: number
}

export interface RecordFiles {
  /** Stores each file under its name here. */
  upload(files: Readonly<Record<string, Blob>>, options?: UploadOptions): Promise<readonly RecordFile[]>
  list(options?: CallOptions): Promise<readonly RecordFile[]>
  /** The content of a file, read with the credentials of the client. */
  download(name: string, options?: DownloadOptions): Promise<Blob>
  /** The path of a file, for links and images of pages with cookies. */
  path(name: string): string
  remove(name: string): Promise<void>
}

interface FileList {
  readonly files: readonly RecordFile[]
}

export const createFiles = (request: Transport, resource: string, pk: string): RecordFiles => {
  const base = `/api/rest/${segment(resource)}/${segment(pk)}/files`
  const path = (name: string): string => `${base}/${segment(name)}`
  return {
    path,
    list: async (options = {}) => (await request<FileList>(base, options)).body.files,
    download: async (name, { preview, ...options } = {}) =>
      (await request<Blob>(path(name), { query: { preview }, responseType: 'blob', ...options })).body,
    remove: async name => {
      await request(path(name), { method: 'DELETE' })
    },
    upload: async (files, options = {}) => (await upload<FileList>(request, base, { files, ...options })).body.files,
  }
}

/** One file or several, by field. */
export type UploadedFiles = Readonly<Record<string, Blob | readonly Blob[]>>

interface Upload extends UploadOptions {
  readonly files: UploadedFiles
}

export const upload = async <T>(
  request: Transport,
  path: string,
  { files, signal, onProgress }: Upload,
): Promise<ApiResponse<T>> => {
  const form = new FormData()
  for (const [name, some] of Object.entries(files)) for (const file of [some].flat()) form.append(name, file)
  const common = { method: 'POST', ...(signal && { signal }) } as const
  if (!onProgress) return request(path, { ...common, body: form, idempotencyKey: newKey() })
  return request(path, { ...common, body: form, ...reporting(form, { onProgress }) })
}

/** Reports the progress of a body that has files. */
export const reporting = (body: unknown, { onProgress }: ProgressOptions): Pick<RequestOptions, 'fetch'> =>
  onProgress && body instanceof FormData ? { fetch: fetchWithProgress(onProgress) } : {}

type ReportProgress = NonNullable<UploadOptions['onProgress']>

/**
 * Browsers report progress of an `XMLHttpRequest` alone; elsewhere `fetch` sends a stream that counts. An `XMLHttpRequest` follows
 * redirects: browsers then leave out cookies and `Authorization`, but no API key. With one, no progress is reported.
 */
const fetchWithProgress =
  (report: ReportProgress): typeof fetch =>
  (address, init = {}) => {
    if (!runtime.XMLHttpRequest) return fetchCounting(address, init, report)
    if (new Headers(init.headers).has('X-API-Key')) return fetch(address, init)
    return sendByXhr(new runtime.XMLHttpRequest(), { address: String(address), init, report })
  }

const fetchCounting = async (
  address: Parameters<typeof fetch>[0],
  init: RequestInit,
  report: ReportProgress,
): Promise<Response> => {
  // A response encodes the form as a request would.
  const encoded = new Response(init.body)
  const headers = { ...init.headers, 'Content-Type': encoded.headers.get('content-type') ?? '' }
  const whole = await encoded.blob()
  let sent = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      sent += chunk.byteLength
      controller.enqueue(chunk)
      report({ sent, total: whole.size })
    },
  })
  const streamed = { ...init, headers, body: whole.stream().pipeThrough(counting), duplex: 'half' as const }
  return fetch(address, streamed)
}

interface XhrUpload {
  readonly address: string
  readonly init: RequestInit
  readonly report: ReportProgress
}

type UploadXhr = InstanceType<NonNullable<typeof runtime.XMLHttpRequest>>

const sendByXhr = (xhr: UploadXhr, { address, init, report }: XhrUpload): Promise<Response> =>
  new Promise((resolve, reject) => {
    xhr.open(init.method ?? 'POST', address)
    xhr.withCredentials = init.credentials === 'include'
    for (const [name, value] of Object.entries({ ...init.headers })) xhr.setRequestHeader(name, String(value))
    xhr.upload.onprogress = ({ loaded, total }) => report({ sent: loaded, total })
    xhr.onload = () => {
      const type = xhr.getResponseHeader('content-type')
      const body = xhr.status === 204 ? null : xhr.responseText
      resolve(new Response(body, { status: xhr.status, ...(type !== null && { headers: { 'Content-Type': type } }) }))
    }
    xhr.onerror = () => reject(new TypeError('The upload failed.'))
    xhr.onabort = () => reject(init.signal?.reason)
    init.signal?.addEventListener('abort', () => xhr.abort(), { once: true })
    xhr.send(init.body)
  })
