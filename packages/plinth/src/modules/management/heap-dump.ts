// The memory of the process as a V8 heap snapshot: streamed, one at a time, with secrets and credentials struck out.

import { getHeapSnapshot, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defineSettings } from '../../core/config/settings.ts'
import { spellingsOf } from '../../core/log/secrets.ts'
import { boolean } from '../../core/model/fields.ts'
import { cookieNames } from '../auth/index.ts'

export const managementSettings = defineSettings('app.management', {
  heapdump: boolean({
    default: false,
    about: 'Whether administrators can download heap dumps. Heap dumps contain data of requests.',
  }),
})

export const heapDumpType = 'application/octet-stream'

/** Collects garbage first, so that only what is reachable is seen. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}

export interface HeapDumps {
  /** Null while another one is under way. */
  take(dump: { readonly live: boolean; readonly secrets: readonly string[] }): AsyncIterable<Buffer> | null
}

export const createHeapDumps = (): HeapDumps => {
  let underWay = false
  const released = async function* (pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    try {
      yield* pieces
    } finally {
      underWay = false
    }
  }
  return {
    take: ({ live, secrets }) => {
      if (underWay) return null
      underWay = true
      try {
        if (live) collectGarbage()
        return released(withoutSecrets(getHeapSnapshot(), secrets))
      } catch (error) {
        underWay = false
        throw error
      }
    },
  }
}

/** Credentials of callers, known by their looks. They are of no use in the search for a leak. */
const credentials: readonly RegExp[] = [
  /(?<![\w.-])eyJ[\w.-]{40,4000}/g,
  /\b(?:basic|bearer) [\w+/=.~-]{4,4000}/gi,
  new RegExp(`\\b(?:${Object.values(cookieNames).join('|')})=[^;"\\\\\\s]{4,4000}`, 'g'),
  /\bplinth_[0-9a-f]{12}_[\w-]{43}/g,
  /PRIVATE KEY-----(?:[\w+/=\s]|\\(?!")){0,4000}/g,
]

/** As long as the longest of them. */
const longest = 4096

/** Struck out with as many stars, so that the file keeps its form; a secret may lie across two pieces. */
export const withoutSecrets = async function* (
  pieces: AsyncIterable<Buffer | string>,
  secrets: readonly string[],
): AsyncIterable<Buffer> {
  const known = spellingsOf(secrets).map(secret => Buffer.from(secret))
  const overlap = Math.max(longest, ...known.map(secret => secret.length))
  let held = Buffer.alloc(0)
  for await (const piece of pieces) {
    const text = Buffer.concat([held, Buffer.from(piece)])
    strikeAll(text, known, text.length)
    const ready = Math.max(0, text.length - overlap)
    if (ready > 0) yield text.subarray(0, ready)
    held = text.subarray(ready)
  }
  strikeAll(held, known, held.length + 1)
  yield held
}

/** What goes on to the end of the text may go on after it: it waits for the next piece. */
const strikeAll = (text: Buffer, secrets: readonly Buffer[], end: number): void => {
  for (const secret of secrets) strike(text, secret)
  const characters = text.toString('latin1')
  for (const credential of credentials) {
    for (const { 0: found, index } of characters.matchAll(credential))
      if (index + found.length < end) text.fill('*', index, index + found.length)
  }
}

const strike = (text: Buffer, secret: Buffer): void => {
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at)) text.fill('*', at, at + secret.length)
}
