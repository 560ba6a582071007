// The memory of the process as a V8 heap snapshot: streamed, one at a time, with the secrets of the configuration struck out.

import { getHeapSnapshot, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { spellingsOf } from '../../core/log/secrets.ts'

export const heapDumpType = 'application/octet-stream'

/** Collects garbage first, so that only what is reachable is seen. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}

export interface HeapDumps {
  /** Null while another one is under way. */
  take(live: boolean): AsyncIterable<Buffer> | null
}

export const createHeapDumps = (secrets: readonly string[]): HeapDumps => {
  let underWay = false
  const released = async function* (pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    try {
      yield* pieces
    } finally {
      underWay = false
    }
  }
  return {
    take: live => {
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

/** Struck out with as many stars, so that the file keeps its form; a secret may lie across two pieces. */
export const withoutSecrets = async function* (
  pieces: AsyncIterable<Buffer | string>,
  secrets: readonly string[],
): AsyncIterable<Buffer> {
  const known = spellingsOf(secrets).map(secret => Buffer.from(secret))
  const overlap = Math.max(0, ...known.map(secret => secret.length - 1))
  let held = Buffer.alloc(0)
  for await (const piece of pieces) {
    const text = Buffer.concat([held, Buffer.from(piece)])
    for (const secret of known) strike(text, secret)
    const ready = Math.max(0, text.length - overlap)
    if (ready > 0) yield text.subarray(0, ready)
    held = text.subarray(ready)
  }
  yield held
}

const strike = (text: Buffer, secret: Buffer): void => {
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at)) text.fill('*', at, at + secret.length)
}
