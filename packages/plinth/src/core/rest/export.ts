// Searches whose answer is a file: all records that match, in columns, streamed batch by batch.

import { resourceTitle } from '../describe/names.ts'
import { fault } from '../fault.ts'
import { cellOf, type FileColumn, readExportColumn, toWritten, usualColumns } from '../formats/files/columns.ts'
import type { CellRows, FileFormat } from '../formats/files/file-format.ts'
import { both, type Query, toFilter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import { Problem } from '../problem.ts'
import { estimateBatches } from '../query/cost.ts'
import { isNearParameter } from '../query/near.ts'
import { type Parameters, readParameters } from '../query/parameters.ts'
import { readSearch, type Search } from '../query/read-query.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { partsOf } from './export-parts.ts'
import { languageFor } from './language.ts'
import { chargeExport } from './query-budget.ts'
import { callerKey } from './rate-limiter.ts'
import { findRanked } from './word-search.ts'
import type { Task } from './work.ts'

/** The format of a file in the address, for links, which have no `Accept`. */
export const formatParameter = '_export'

/** CSV begins with a byte order mark. */
export const markParameter = '_bom'

export const exportFile = async (context: Context, task: Task<Resource>, file: FileFormat): Promise<Answer> => {
  const { resource, request } = task
  const { platform, requester, caller } = context
  const parameters = readParameters(request.search)
  const hasMark = readMark(parameters, file)
  const { columns, query: read, priced } = readExport(context, resource, parameters)
  const found = await findRanked(context, priced.search, priced)
  const query: Query = found ? { ...read, source: found } : read
  const estimate = estimateBatches({ ...priced, found: found?.search }, await platform.store.sizes())
  const key = callerKey(caller, request)
  platform.exports.mustHavePlace(key)
  chargeExport(context, request, { estimate, view: priced.search.view })
  const rows = rowsOf(context, { resource, columns, query: { ...query, requester } })
  const title = resourceTitle(resource, languageFor(context, request))
  return {
    kind: 'bytes',
    mediaType: file.contentType,
    body: file.write({ title, columns: columns.map(toWritten), rows: platform.exports.inTurn(key, rows), hasMark }),
    headers: { 'Content-Disposition': `attachment; filename="${resource.name}.${file.name}"` },
  }
}

export const readMark = (parameters: Parameters, { canHaveMark = false }: FileFormat): boolean => {
  const [mark, second] = parameters.get(markParameter) ?? []
  if (mark === undefined) return false
  const isKnown = (mark === 'true' || mark === 'false') && second === undefined
  if (!isKnown || !canHaveMark) {
    const detail = isKnown ? `${markParameter} is for CSV only.` : `${markParameter} is true or false.`
    throw new Problem('bad_parameter', {
      detail,
      errors: [{ parameter: markParameter, ...fault('structure', { message: detail }) }],
    })
  }
  return mark === 'true'
}

/** Records that are read at a time: few milliseconds of work. */
const batchSize = 250

/** The parameters without meaning here: those of pages and of further records. */
const ignored = ['fields', 'include', 'page', formatParameter, markParameter]

const isIgnored = (name: string): boolean =>
  ignored.includes(name) || /^(?:_pn|_ps|_after|_before|_total|_matches|page\[.*\])$/.test(name)

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
  if ([...parameters.keys()].some(name => isNearParameter(name, visibility.view(resource))))
    throw new Problem('bad_parameter', 'An export holds all records, and not the nearest: leave out near.')
  const added = toFilter(platform.access.permit(resource, 'read', caller))
  const view = visibility.view(resource)
  const fields = (parameters.get('fields') ?? []).flatMap(text => text.split(',')).map(name => name.trim())
  const columns = fields.some(Boolean) ? fields.map(field => readExportColumn(view, field)) : usualColumns(view)
  const own = new Map([...parameters].filter(([name]) => !isIgnored(name)))
  const search = readSearch(own, resource, { ...platform.limits, visibility, style: 'plain' })
  const window = { kind: 'offset', offset: 0, limit: batchSize } as const
  const found: Search = { ...search, query: { ...search.query, window, total: 'none' } }
  return {
    columns,
    query: { ...found.query, filter: both(found.query.filter, added) },
    priced: { search: { ...found, view: viewOf(resource, columns) }, added, most: Number.POSITIVE_INFINITY },
  }
}

/** What is written of each record. */
const viewOf = (resource: Resource, columns: readonly FileColumn[]): View => ({
  resource,
  fields: new Map(columns.map(({ field }) => [field.name, field])),
})

interface ExportedRows extends Pick<ReadExport, 'columns' | 'query'> {
  readonly resource: Resource
  readonly onBatch?: (count: number) => void
}

export async function* rowsOf({ platform }: Context, { resource, columns, query, onBatch }: ExportedRows): CellRows {
  for await (const records of platform.store.stream(resource, query)) {
    yield* partsOf(records.map(record => columns.map(column => cellOf(record, column))))
    onBatch?.(records.length)
  }
}
