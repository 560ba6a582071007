// Unpacks a ZIP archive, as people do with a downloaded backup.

import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fromBufferPromise } from 'yauzl'

export const unzip = async (archive: Buffer, folder: string): Promise<void> => {
  const zip = await fromBufferPromise(archive)
  for await (const entry of zip.eachEntry()) {
    const file = join(folder, entry.fileName)
    await mkdir(dirname(file), { recursive: true })
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file))
  }
}
