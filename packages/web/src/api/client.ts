// The connection to the service that serves this page.

import { createConnection, type RequestOptions } from '@plinth/client'
import { currentLanguage } from '../i18n/language.ts'
import { confirmSignIn } from '../session/confirm-sign-in.ts'

export const client = createConnection({
  headers: () => ({ 'Accept-Language': currentLanguage() }),
  confirmSignIn,
})

export const { request } = client

export const get = async <T>(path: string, options: Omit<RequestOptions, 'method' | 'body'> = {}): Promise<T> =>
  (await request<T>(path, options)).body
