// Searches whose answer is a file: all records that match, in columns, streamed batch by batch.

import { cellOf, type FileColumn, readExportColumn, usualColumns } from '../formats/files/columns.ts'
import type { CellRows, FileFormat } from '../formats/files/index.ts'
import { both, type Query, toFilter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { estimateBatches } from '../query/cost.ts'
import { type Parameters, readParameters } from '../query/parameters.ts'
import { readSearch, type Search } from '../query/read-query.ts'
import type { Answer } from './answer.ts'
import type { Task } from './pipeline.ts'
import type { Context } from './platform.ts'
import { charge } from './rate-limit.ts'

/** The format of a file in the address, for links, which have no `Accept`. */
export const formatParameter = '_export'

export const exportFile = async (context: Context, task: Task<Resource>, file: FileFormat): Promise<Answer> => {
  const { resource, request } = task
  const { columns, query, priced } = readExport(context, resource, readParameters(request.search))
  const estimate = estimateBatches(priced, await context.platform.store.sizes())
  charge(context, request, { estimate, view: priced.search.view })
  const rows = rowsOf(context, { resource, columns, query: { ...query, requester: context.requester } })
  return {
    kind: 'bytes',
    mediaType: file.contentType,
    body: file.write(headersOf(columns), rows),
    headers: { 'Content-Disposition': `attachment; filename="${resource.name}.${file.name}"` },
  }
}

/** Records that are read at a time. */
const batchSize = 500

/** Whatever the address says of pages and of further records has no meaning here. */
const ignored = ['fields', 'include', 'page', formatParameter]

const isIgnored = (name: string): boolean =>
  ignored.includes(name) || /^(?:_pn|_ps|_after|_before|_total|page\[.*\])$/.test(name)

export interface ReadExport {
  readonly columns: readonly FileColumn[]
  readonly query: Query
  readonly priced: { readonly search: Search; readonly added: Query['filter']; readonly most: number }
}

/** Parameters as those of searches; `fields` also takes the label or the pk of a related record, such as `author.name`. */
export const readExport = (context: Context, resource: Resource, parameters: Parameters): ReadExport => {
  if (parameters.has('asOf')) throw new Problem('bad_parameter', 'An export holds the present records: leave out asOf.')
  if (parameters.has('trash'))
    throw new Problem('bad_parameter', 'An export holds the present records: leave out trash.')
  const { platform, visibility, caller } = context
  const added = toFilter(platform.access.permit(resource, 'read', caller))
  const view = visibility.view(resource)
  const fields = (parameters.get('fields') ?? []).flatMap(text => text.split(',')).map(name => name.trim())
  const columns = fields.some(Boolean) ? fields.map(field => readExportColumn(view, field)) : usualColumns(view)
  const own = new Map([...parameters].filter(([name]) => !isIgnored(name)))
  const asked = readSearch(own, resource, { ...platform.limits, visibility, style: 'plain' })
  const window = { kind: 'offset', offset: 0, limit: batchSize } as const
  const found: Search = { ...asked, query: { ...asked.query, window, total: 'none' } }
  return {
    columns,
    query: { ...found.query, filter: both(found.query.filter, added) },
    priced: { search: found, added, most: Number.POSITIVE_INFINITY },
  }
}

interface ExportedRows extends Pick<ReadExport, 'columns' | 'query'> {
  readonly resource: Resource
  readonly onBatch?: (count: number) => void
}

export const headersOf = (columns: readonly FileColumn[]): readonly string[] => columns.map(({ header }) => header)

export async function* rowsOf({ platform }: Context, { resource, columns, query, onBatch }: ExportedRows): CellRows {
  for await (const records of platform.store.stream(resource, query)) {
    yield records.map(record => columns.map(column => cellOf(record, column)))
    onBatch?.(records.length)
  }
}
