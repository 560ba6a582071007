// Reports of modules as routes. A report that names what does not exist stops the start.

import { ownFileFormats } from '../formats/files/index.ts'
import { formats, formatsByName } from '../formats/index.ts'
import type { Route } from '../http/exchange.ts'
import { anonymous } from '../model/caller.ts'
import { DefinitionError } from '../model/definition-error.ts'
import { type Description, shape } from '../model/description.ts'
import type { JsonSchema } from '../model/json.ts'
import { both, type Path } from '../model/query.ts'
import type { Resource } from '../model/resource.ts'
import type { Visibility } from '../model/views.ts'
import { inLanguage, titleIn } from '../model/words.ts'
import { errorMessage, Problem } from '../problem.ts'
import { readParameters } from '../query/parameters.ts'
import { type GroupSearch, readGroupPage } from '../query/read-aggregation.ts'
import { createScope } from '../query/scope.ts'
import { type GroupQuery, toGroupQuery } from '../records/aggregates.ts'
import { fullVisibility } from '../records/context.ts'
import { answerGroups } from './aggregates.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import type { FrontDoor } from './front-door.ts'
import { allowed } from './permits.ts'
import { respond } from './pipeline.ts'
import type { Report } from './report.ts'
import type { Task } from './work.ts'

const nameShape = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

export const reportRoutes = (service: FrontDoor, reports: readonly Report[], module: string): readonly Route[] =>
  reports.map(report => {
    const { access, registry } = service.platform
    const resource = registry.resource(report.resource)
    const rule = access.compile(mustBeSound(report, resource, module).access ?? 'true')
    const read = allowed(resource, 'read')
    return {
      method: 'GET',
      path: `/api/reports/${report.name}`,
      keyScope: resource.name,
      roles: rule.roles,
      handler: respond(service, {
        resource,
        format: formatsByName.json,
        takesBody: false,
        onlyReads: true,
        writesFiles: true,
        permit: (context, request) => {
          read(context, request)
          if (rule.decide(context.caller) !== true)
            throw new Problem(context.caller.pk === null ? 'unauthorized' : 'forbidden')
        },
        run: (context, task) => runReport(context, { report, task: { ...task, resource } }),
      }),
      describe: describeReport(
        report,
        rule.decide(anonymous) === true && access.decide(resource, 'read', anonymous) === true,
      ),
    }
  })

const queryOf = ({ query }: Report, resource: Resource, visibility: Visibility): GroupQuery =>
  toGroupQuery(query, { resource, visibility, isShown: true })

const mustBeSound = (report: Report, resource: Resource, module: string): Report => {
  const fault = (message: string): never => {
    throw new DefinitionError([{ module, message: `report '${report.name}': ${message}`, definition: report }])
  }
  if (!nameShape.test(report.name)) fault("the name must be like 'revenue-by-month'")
  try {
    queryOf(report, resource, fullVisibility)
  } catch (error) {
    fault(errorMessage(error))
  }
  return report
}

interface ReportTask {
  readonly report: Report
  readonly task: Task<Resource>
}

/** Callers may add a filter, pages, a kind of file and their time zone. */
const runReport = async (context: Context, { report, task }: ReportTask): Promise<Answer> => {
  const { resource, request, format } = task
  const { visibility } = createScope(context.visibility)
  const { aggregation, columns } = queryOf(report, resource, visibility)
  for (const { path } of [...aggregation.group, ...aggregation.measures.flatMap(one => ('path' in one ? one : []))])
    mustRead(path, visibility)
  const sent = readParameters(request.search)
  return answerGroups(context, { task, sent, name: report.name }, parameters => {
    const { limits } = context.platform
    const page = readGroupPage(parameters, resource, { ...limits, visibility, style: format.pageParameters })
    const { filter, window, total, timeZone, paging, explains } = page
    const search: GroupSearch = {
      ...{ resource, columns, paging, explains },
      aggregation: {
        ...aggregation,
        ...{ window, total },
        filter: both(aggregation.filter, filter),
        timeZone: timeZone ?? aggregation.timeZone,
        smallestGroup: resource.definition.smallestGroup ?? 1,
      },
    }
    return search
  })
}

/** A report with fields that the caller may not read is not for the caller. */
const mustRead = ({ steps, field }: Path, visibility: Visibility): void => {
  const fields = [...steps.map(({ relation }) => relation), field]
  if (fields.some(one => visibility.view(one.owner).fields.get(one.name) !== one)) throw new Problem('forbidden')
}

const describeReport = (report: Report, open: boolean): Description => {
  const { name, title, about } = report
  const text: JsonSchema = { type: 'string' }
  const pages = formats.flatMap(({ mediaType, schemas }) =>
    schemas ? [[mediaType, shape(schemas.page('Aggregate'))] as const] : [],
  )
  const files = ownFileFormats.map(
    ({ mediaType }) => [mediaType, { type: 'string', contentMediaType: mediaType } as JsonSchema] as const,
  )
  return {
    id: `report${name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: titleIn(title, 'en') ?? name,
    ...(about !== undefined && { description: inLanguage(about, 'en') }),
    tag: report.resource.name,
    ...(open && { open }),
    query: {
      filter: { says: 'A condition on the records, beside that of the report, in RSQL.', schema: text },
      timezone: { says: 'The time zone of periods, such as `Europe/Berlin`.', schema: text },
      _pn: { says: 'The page number, starting at 0.', schema: { type: 'integer', minimum: 0 } },
      _ps: { says: 'Groups per page; default 10.', schema: { type: 'integer', minimum: 1 } },
      _export: { says: 'All groups as a file.', schema: { type: 'string', enum: ['csv', 'ndjson', 'xlsx'] } },
    },
    answers: { 200: { says: 'The groups of the report.', content: Object.fromEntries([...pages, ...files]) } },
    problems: [400, 401, 403, 406],
  }
}
