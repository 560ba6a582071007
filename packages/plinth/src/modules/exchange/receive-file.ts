// A file that arrives for an import: stored beside the uploads while it is needed.

import { Readable } from 'node:stream'
import { appSettings } from '../../core/config/service-settings.ts'
import { type Config, defineSettings } from '../../core/config/settings.ts'
import { toDiskProblem } from '../../core/durable-files.ts'
import type { FileFormat } from '../../core/formats/files/file-format.ts'
import { fileFormatOfBody, fileFormats } from '../../core/formats/files/index.ts'
import type { Request } from '../../core/http/exchange.ts'
import { integer } from '../../core/model/fields.ts'
import { Problem } from '../../core/problem.ts'
import { discard, type Staged, stage, stagingOf } from '../files/index.ts'

export interface ReceivedFile extends Staged {
  readonly format: FileFormat
  remove(): Promise<void>
}

export const receiveFile = async (config: Config, request: Request): Promise<ReceivedFile> => {
  const format = fileFormatOfBody(request.headers['content-type'])
  if (!format)
    throw new Problem('unsupported_media_type', `Send ${fileFormats.map(({ mediaType }) => mediaType).join(' or ')}.`)
  const { stream, signal } = request
  if (!stream) throw new Problem('bad_request', 'The body is empty.')
  try {
    const content = Readable.from(limited(stream, config.get(exchangeSettings).maxBytes))
    const staged = await stage(stagingOf(config.get(appSettings).dataDir), { name: 'import', content, signal })
    return { ...staged, format, remove: () => discard(staged.path) }
  } catch (error) {
    throw toDiskProblem(error)
  } finally {
    // What is left unread would keep the connection from its next request.
    stream.resume()
  }
}

async function* limited(stream: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > maxBytes) throw new Problem('too_large', `The file has more than ${maxBytes} bytes.`)
    yield piece
  }
}

// Settings of imports over HTTP. The command line has no limits.

export const exchangeSettings = defineSettings('app.exchange', {
  maxBytes: integer({
    default: 268_435_456,
    min: 1024,
    max: 1_099_511_627_776,
    about: 'The maximum size of a file that is imported over HTTP.',
  }),
  maxRowsAtOnce: integer({
    default: 100_000,
    min: 1,
    max: 10_000_000,
    about: 'The maximum number of rows of an import over HTTP that is all or nothing.',
  }),
  maxSecondsAtOnce: integer({
    default: 20,
    min: 1,
    max: 86_400,
    about:
      'On SQLite: how long an import over HTTP that is all or nothing may write, in seconds. Other writers wait for it; keep it below `app.database.writeTimeout`.',
  }),
})
