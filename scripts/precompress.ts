// Compressed forms of built files, made once, so that the service does not compress the same file for every visitor.

import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

/** The best quality takes ten times as long as 9 for a few per cent. */
type Quality = 9 | 11

/** Compresses on all processors. */
export const precompress = async (folder: string, quality: Quality = 11): Promise<void> => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  await Promise.all(
    names.filter(name => /\.(?:js|css|html|svg)$/.test(name)).map(name => compress(join(folder, name), quality)),
  )
}

const compress = async (path: string, quality: Quality): Promise<void> => {
  const content = await readFile(path)
  if (content.length < 1000) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const [gzipped, brotli] = await Promise.all([toGzip(content, { level: 9 }), toBrotli(content, { params })])
  await Promise.all([writeFile(`${path}.gz`, gzipped), writeFile(`${path}.br`, brotli)])
}
