// Reports of modules as routes.

import { ownFileFormats } from '../formats/files/index.ts'
import { formats, formatsByName } from '../formats/index.ts'
import type { Route } from '../http/exchange.ts'
import { anonymous } from '../model/caller.ts'
import { type Description, shape } from '../model/description.ts'
import type { JsonSchema } from '../model/json.ts'
import type { Resource } from '../model/resource.ts'
import { inLanguage, titleIn } from '../model/words.ts'
import { Problem } from '../problem.ts'
import { readParameters } from '../query/parameters.ts'
import { answerGroups } from './aggregates.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import type { DeclaredReport } from './declared-report.ts'
import type { FrontDoor } from './front-door.ts'
import { allowed } from './permits.ts'
import { respond } from './pipeline.ts'
import type { Report } from './report.ts'
import { searchOfReport } from './report-search.ts'
import type { Task } from './work.ts'

export const reportRoutes = (service: FrontDoor, reports: readonly DeclaredReport[]): readonly Route[] =>
  reports.map(declared => {
    const { report, resource, rule } = declared
    const { access } = service.platform
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
        run: (context, task) => runReport(context, { declared, task: { ...task, resource } }),
      }),
      describe: describeReport(
        report,
        rule.decide(anonymous) === true && access.decide(resource, 'read', anonymous) === true,
      ),
    }
  })

interface ReportTask {
  readonly declared: DeclaredReport
  readonly task: Task<Resource>
}

/** Callers may add a filter, pages, a kind of file and their time zone. */
const runReport = async (context: Context, { declared, task }: ReportTask): Promise<Answer> => {
  const { report } = declared
  const { request, format } = task
  const sent = readParameters(request.search)
  return answerGroups(context, { task, sent, name: report.name }, parameters =>
    searchOfReport(context, declared, { parameters, style: format.pageParameters }),
  )
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
