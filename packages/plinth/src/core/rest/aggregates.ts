// Aggregates: groups of the records that a caller may read, and what is computed of each. As a page in every format, or whole as a file.

import { resourceTitle } from '../describe/names.ts'
import type { FileFormat, WrittenColumn } from '../formats/files/file-format.ts'
import { fileFormatNamed } from '../formats/files/index.ts'
import { type Aggregation, type FoundGroups, maxGroups } from '../model/aggregation.ts'
import type { Json } from '../model/json.ts'
import { both, type Filter, toFilter } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import { type GroupColumn, shownValues, toMembers } from '../query/group-columns.ts'
import { estimateGroups } from '../query/group-cost.ts'
import { numberedLinks, toPaging } from '../query/page-links.ts'
import { type Parameters, readParameters } from '../query/parameters.ts'
import { type GroupSearch, readAggregation, tooManyGroups } from '../query/read-aggregation.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { type Explained, toExplanation } from './explain-cost.ts'
import { formatParameter, markParameter, readMark } from './export.ts'
import { languageFor } from './language.ts'
import { administrator } from './permits.ts'
import { charge } from './query-budget.ts'
import type { Task } from './work.ts'

export const aggregate = (context: Context, task: Task<Resource>): Promise<Answer> => {
  const { resource, request, format } = task
  const { visibility, platform } = context
  const reading = { ...platform.limits, visibility, style: format.pageParameters }
  const query = { task, sent: readParameters(request.search), name: `${resource.name}-aggregates` }
  return answerGroups(context, query, parameters => readAggregation(parameters, resource, reading))
}

interface GroupsRequest {
  readonly task: Task<Resource>
  readonly sent: Parameters
  /** The name of a file without its ending. */
  readonly name: string
}

/** A page of groups, or all of them as a file. `read` makes the search of the parameters that are not about files. */
export const answerGroups = async (
  context: Context,
  { task, sent, name }: GroupsRequest,
  read: (parameters: Parameters) => GroupSearch,
): Promise<Answer> => {
  const { request } = task
  const kind = sent.get(formatParameter)?.[0]
  const file = kind ? fileFormatNamed(kind) : task.file
  const parameters = file ? withoutFile(sent) : sent
  if (parameters.has('explain')) administrator(context, request)
  const search = read(parameters)
  return file
    ? groupsAsFile(context, { task, search, file, name, hasMark: readMark(sent, file) })
    : groupsAsPage(context, { task, search, parameters })
}

/** A file holds all groups. */
const withoutFile = (parameters: Parameters): Parameters =>
  new Map([...parameters].filter(([name]) => name !== formatParameter && name !== markParameter && !isPaging(name)))

const isPaging = (name: string): boolean => /^(?:_pn|_ps|_total|page\[.*\])$/.test(name)

/** The groups that the caller may see: those of records that may be read. The cost is charged first. */
const groupsFor = async (
  context: Context,
  { task: { request }, search }: { readonly task: Pick<Task<Resource>, 'request'>; readonly search: GroupSearch },
): Promise<FoundGroups> => {
  const permitted = permittedOf(context, search)
  const view = context.visibility.view(search.resource)
  charge(context, request, { estimate: await estimateOf(context, search, permitted), view })
  return findGroups(context, search, permitted)
}

const findGroups = ({ tx, platform }: Context, { resource }: GroupSearch, { aggregation }: Permitted) =>
  (tx ?? platform.store).groups(resource, aggregation)

interface Permitted {
  readonly aggregation: Aggregation
  readonly added: Filter | null
}

const permittedOf = (context: Context, { resource, aggregation }: GroupSearch): Permitted => {
  const added = toFilter(context.platform.access.permit(resource, 'read', context.caller))
  const filter = both(aggregation.filter, added)
  return { added, aggregation: { ...aggregation, filter, requester: context.requester } }
}

const estimateOf = async ({ platform }: Context, { resource, aggregation }: GroupSearch, { added }: Permitted) =>
  estimateGroups({ resource, aggregation, added }, await platform.store.sizes())

interface PageOfGroups {
  readonly task: Task<Resource>
  readonly search: GroupSearch
  readonly parameters: Parameters
}

const groupsAsPage = async (context: Context, { task, search, parameters }: PageOfGroups): Promise<Answer> => {
  const { request, format } = task
  const { columns, paging, resource, aggregation } = search
  const linksOf = (found: Pick<FoundGroups, 'total' | 'hasMore'>) =>
    numberedLinks(paging, parameters, { ...found, path: request.path })
  if (search.explains) {
    const permitted = permittedOf(context, search)
    const { self } = linksOf({ total: null, hasMore: false })
    const explained: Explained = {
      view: context.visibility.view(resource),
      estimate: await estimateOf(context, search, permitted),
      statements: await context.platform.store.explainGroups(resource, permitted.aggregation),
    }
    return toExplanation(context, explained, { format, links: { self }, base: request.base })
  }
  const found = await groupsFor(context, { task, search })
  const { total } = found
  const keys = aggregation.group.length
  const groups = found.rows.map(row => {
    const values = shownValues(columns, row)
    return { key: JSON.stringify(values.slice(0, keys)), members: toMembers(columns, values) }
  })
  return {
    kind: 'groups',
    document: {
      groups,
      paging: toPaging({ kind: 'page', paging }, { total, estimated: false }),
      links: linksOf(found),
    },
    ...(total !== null && { headers: { 'X-Total-Count': String(total) } }),
  }
}

interface FileOfGroups {
  readonly task: Task<Resource>
  readonly search: GroupSearch
  readonly file: FileFormat
  readonly name: string
  readonly hasMark: boolean
}

const groupsAsFile = async (context: Context, { task, search, file, name, hasMark }: FileOfGroups): Promise<Answer> => {
  const groups = await groupsFor(context, { task, search: wholeOf(search) })
  const title = resourceTitle(search.resource, languageFor(context, task.request))
  return {
    kind: 'bytes',
    mediaType: file.contentType,
    body: writeGroups(groups, { search, file, title, hasMark }),
    headers: { 'Content-Disposition': `attachment; filename="${name}.${file.name}"` },
  }
}

const wholeOf = (search: GroupSearch): GroupSearch => ({
  ...search,
  aggregation: { ...search.aggregation, window: { offset: 0, limit: maxGroups }, total: false },
})

interface GroupsFile {
  readonly search: GroupSearch
  readonly file: FileFormat
  readonly title: string
  readonly hasMark?: boolean
}

const writeGroups = (found: FoundGroups, { search: { columns }, file, title, hasMark = false }: GroupsFile) => {
  const rows = shownRows(columns, found)
  return file.write({ title, columns: columns.map(toWrittenColumn), rows: inOnePiece(rows), hasMark })
}

/** All groups that the caller may see as a file, where no request is behind it. Null without any. */
export const fileOfGroups = async (
  context: Context,
  file: GroupsFile,
): Promise<AsyncIterable<string | Buffer> | null> => {
  const search = wholeOf(file.search)
  const found = await findGroups(context, search, permittedOf(context, search))
  return found.rows.length === 0 ? null : writeGroups(found, file)
}

/** All rows as callers see them; a problem where there are more than `maxGroups`. */
const shownRows = (columns: readonly GroupColumn[], { rows, hasMore }: FoundGroups) => {
  if (hasMore) throw tooManyGroups()
  return rows.map(row => shownValues(columns, row))
}

const toWrittenColumn = ({ name, type }: GroupColumn): WrittenColumn => ({
  header: name,
  type: type?.column === 'date' || type?.column === 'timestamp' ? type.column : 'other',
})

async function* inOnePiece(rows: readonly (readonly Json[])[]): AsyncGenerator<readonly (readonly Json[])[]> {
  yield rows
}
