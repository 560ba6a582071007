// Uploads as browsers make them, and as they should not be made.

import type { TestService } from '@plinth/test-kit/service'
import sharp from 'sharp'

export type UploadUser = 'admin' | 'operator' | 'client' | 'simple' | 'anonymous'

export const demoPks = {
  client: '00000000-0000-7000-8000-000000000004',
  simple: '00000000-0000-7000-8000-000000000005',
} as const

const credentialsOf = (user: UploadUser): Record<string, string> =>
  user === 'anonymous' ? {} : { Authorization: `Basic ${btoa(`${user}:${user}`)}` }

export interface UploadRequest {
  readonly as: UploadUser
  readonly to: string
  readonly headers?: Record<string, string>
}

/** Each entry becomes a file under the name of its form field. */
export const upload = (
  service: Pick<TestService, 'url'>,
  { as, to, headers = {} }: UploadRequest,
  files: Readonly<Record<string, Uint8Array | string>>,
): Promise<Response> => {
  const form = new FormData()
  for (const [name, content] of Object.entries(files)) form.append(name, new Blob([content]), 'original.txt')
  return fetch(service.url + to, { method: 'POST', headers: { ...credentialsOf(as), ...headers }, body: form })
}

/** A body put together by hand, for what no browser would send. */
export const uploadRaw = (
  service: TestService,
  { as, to, headers = {} }: UploadRequest,
  body: string,
): Promise<Response> =>
  fetch(service.url + to, {
    method: 'POST',
    headers: { ...credentialsOf(as), 'Content-Type': 'multipart/form-data; boundary=x', ...headers },
    body,
  })

export const part = (name: string, content: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n${content}\r\n`

export const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#1c4f8a' } })
    .png()
    .toBuffer()

/** A square in one of the types of pictures, small however many its pixels are. */
export const pictureAs = (type: 'png' | 'jpeg' | 'gif' | 'webp', edge: number): Promise<Buffer> =>
  sharp({ create: { width: edge, height: edge, channels: 3, background: '#fff' } })
    .toColourspace('b-w')
    .toFormat(type)
    .toBuffer()

/** The first half of a picture that says how large it is, and whose data does not shrink to nothing. */
export const cut = async (type: 'png' | 'jpeg' | 'gif' | 'webp'): Promise<Buffer> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const whole = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#fff', noise } })
    .toFormat(type)
    .toBuffer()
  return whole.subarray(0, whole.length / 2)
}
