// `plinth export`: writes the records of a resource to a file, batch by batch.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { replaceFile } from '../../core/durable-files.ts'
import type { FileFormat } from '../../core/formats/files/file-format.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import { readParameters } from '../../core/query/parameters.ts'
import { headersOf, readExport, rowsOf } from '../../core/rest/export.ts'
import { contextFor, type Platform } from '../../core/rest/platform.ts'

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
  /** As the parameters of a search. */
  readonly fields?: string | undefined
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  /** Standard output unless given. */
  readonly out?: string | undefined
}

/** Gives the number of records. */
export const exportRecords = async (platform: Platform, task: ExportTask): Promise<number> => {
  const { resource, format, fields, filter, sort, out } = task
  const context = contextFor(platform, commandLine)
  const parameters = new URLSearchParams({
    ...(fields && { fields }),
    ...(filter && { filter }),
    ...(sort && { sort }),
  })
  const { columns, query } = readExport(context, resource, readParameters(parameters.toString()))
  let count = 0
  const onBatch = (records: number): void => {
    count += records
  }
  const file = Readable.from(format.write(headersOf(columns), rowsOf(context, { resource, columns, query, onBatch })))
  if (out === undefined) await pipeline(file, process.stdout, { end: false })
  else await replaceFile(out, file)
  return count
}
