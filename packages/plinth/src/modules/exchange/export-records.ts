// Writes the records of a resource to a file, batch by batch.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { replaceFile } from '../../core/durable-files.ts'
import type { Caller } from '../../core/model/caller.ts'
import { toFilter } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import { readParameters } from '../../core/query/parameters.ts'
import { readSearch } from '../../core/query/read-query.ts'
import { contextFor, type Platform } from '../../core/rest/platform.ts'
import { cellOf, type FileColumn, readColumn, usualColumns } from './columns.ts'
import type { FileFormat } from './file-formats.ts'

/** The user of the command line can do everything on this machine, and is no user of the service. */
export const commandLine: Caller = { pk: null, username: 'command line', roles: new Set(['ROLE_ADMIN']) }

/** Problem `bad_request` when there is no such resource, or it is internal. */
export const findResource = ({ registry }: Platform, name: string): Resource => {
  const found = registry.published(name)
  if (found) return found
  throw new Problem('bad_request', `There is no resource '${name}'. \`GET /api/rest\` lists the resources.`)
}

export interface ExportTask {
  readonly resource: Resource
  readonly format: FileFormat
  /** Names of fields; all that have a value in each record unless given. */
  readonly fields?: readonly string[] | undefined
  /** As the parameters of a search. */
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  /** Standard output unless given. */
  readonly out?: string | undefined
}

const batchSize = 500

/** Gives the number of records. */
export const exportRecords = async (platform: Platform, task: ExportTask): Promise<number> => {
  const { resource, format, fields, filter, sort, out } = task
  const context = contextFor(platform, commandLine)
  const view = context.visibility.view(resource)
  const columns = fields ? fields.map(field => readColumn(view, field)) : usualColumns(view)
  const parameters = new URLSearchParams({ ...(filter && { filter }), ...(sort && { sort }) })
  const { query } = readSearch(readParameters(String(parameters)), resource, {
    ...platform.limits,
    visibility: context.visibility,
    style: 'plain',
  })
  const visible = toFilter(platform.access.permit(resource, 'read', commandLine))
  if (visible) throw new Problem('forbidden', `The records of ${resource.name} cannot be exported.`)
  let count = 0
  const texts = async function* (): AsyncGenerator<string> {
    const { open, row, close } = format.write(columns.map(({ header }) => header))
    yield open
    const window = { kind: 'offset' as const, offset: 0, limit: batchSize }
    for await (const records of platform.store.stream(resource, { ...query, window, total: 'none' })) {
      let text = ''
      for (const record of records) {
        text += row(
          columns.map((column: FileColumn) => cellOf(record, column)),
          count === 0,
        )
        count += 1
      }
      yield text
    }
    yield close
  }
  if (out === undefined) await pipeline(Readable.from(texts()), process.stdout, { end: false })
  else await replaceFile(out, Readable.from(texts()))
  return count
}
