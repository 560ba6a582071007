// What a report asks of the database for one caller.

import type { Format } from '../formats/format.ts'
import { both } from '../model/query.ts'
import { Problem } from '../problem.ts'
import type { Parameters } from '../query/parameters.ts'
import { type GroupSearch, readGroupPage } from '../query/read-aggregation.ts'
import { createScope } from '../query/scope.ts'
import type { Context } from './context.ts'
import { type DeclaredReport, isReadable, queryOf } from './declared-report.ts'

interface SentParameters {
  readonly parameters: Parameters
  /** How the parameters of pages are written. */
  readonly style: Format['pageParameters']
}

export const searchOfReport = (
  context: Context,
  { report, resource }: DeclaredReport,
  { parameters, style }: SentParameters,
): GroupSearch => {
  const { visibility } = createScope(context.visibility)
  const { aggregation, columns } = queryOf(report, resource, visibility)
  // A report with fields that the caller may not read is not for the caller.
  if (!isReadable(aggregation, visibility)) throw new Problem('forbidden')
  const page = readGroupPage(parameters, resource, { ...context.platform.limits, visibility, style })
  const { filter, window, total, timeZone, paging, explains } = page
  return {
    ...{ resource, columns, paging, explains },
    aggregation: {
      ...aggregation,
      ...{ window, total },
      filter: both(aggregation.filter, filter),
      timeZone: timeZone ?? aggregation.timeZone,
      smallestGroup: resource.definition.smallestGroup ?? 1,
    },
  }
}
