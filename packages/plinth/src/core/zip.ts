// ZIP archives that are made while they are read.

import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Adds an entry, and settles when it has been read. What is compressed already is stored as it is. */
export type AddEntry = (
  path: string,
  content: AsyncIterable<Uint8Array | string>,
  options?: { readonly compress: boolean },
) => Promise<void>

/** The archive of the entries that `fill` adds, one after the other. */
export async function* zipOf(fill: (add: AddEntry) => Promise<void>): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const leaving = new AbortController()
  const add: AddEntry = async (path, content, options = { compress: true }) => {
    leaving.signal.throwIfAborted()
    const entry = Readable.from(content, { signal: leaving.signal })
    zip.addReadStream(entry, path, options)
    await finished(entry)
  }
  fill(add).then(
    () => zip.end(),
    (error: unknown) => zip.emit('error', error),
  )
  yield* outputOf(zip, () => leaving.abort())
}

/** A reader who leaves ends the archive, but not the entry that is being read: `onEnd` does. */
export async function* outputOf(zip: ZipFile, onEnd: () => void): AsyncGenerator<Buffer> {
  const output = Readable.from(zip.outputStream as AsyncIterable<Buffer>)
  zip.on('error', (error: Error) => output.destroy(error))
  try {
    yield* output
  } finally {
    onEnd()
  }
}
