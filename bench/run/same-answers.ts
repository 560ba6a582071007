// The floor is only a measure if it answers as the service does: the same status, headers and JSON.

import { deepStrictEqual } from 'node:assert'
import type { LoadRequest } from '../support/load.ts'
import { authorization } from '../support/servers.ts'

interface Sides {
  readonly plinth: { readonly url: string }
  readonly floor: { readonly url: string }
}

/** What differs from answer to answer, in headers and JSON. */
const passing = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'pk'],
  [/-[\da-f]{32}"/g, '-digest"'],
  [/host-\d+-\d+|changed-\d+|Changed for the \d+th time/g, 'serial'],
  [/"version":\d+/g, '"version":0'],
  [/^"\d+-/g, '"0-'],
  // Fastify adds it to all JSON.
  [/; charset=utf-8$/g, ''],
] as const

const comparable = (url: string, text: string): string =>
  passing.reduce<string>((all, [pattern, word]) => all.replace(pattern, word), text.replaceAll(url, 'http://service'))

const exchange = async (url: string, { method, path, body }: LoadRequest) => {
  const answer = await fetch(url + (typeof path === 'string' ? path : path()), {
    method,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...authorization,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: body() }),
  })
  const { date, 'x-request-id': id, 'content-length': length, ...headers } = Object.fromEntries(answer.headers)
  const text = await answer.text()
  return {
    status: answer.status,
    isComplete: Boolean(date && id) && Number(length) === Buffer.byteLength(text),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, comparable(url, value)])),
    body: JSON.parse(comparable(url, text)) as unknown,
  }
}

/** Throws when they differ. */
export const compareAnswers = async ({ plinth, floor }: Sides, name: string, request: LoadRequest): Promise<void> => {
  const [expected, actual] = [await exchange(plinth.url, request), await exchange(floor.url, request)]
  try {
    deepStrictEqual(actual, expected)
  } catch (difference) {
    const { message } = difference as Error
    throw new Error(`The floor does not answer '${name}' as the service does. ${message}`)
  }
}
