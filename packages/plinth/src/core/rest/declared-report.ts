// The reports of the running service. One that names what does not exist stops the start.

import type { Aggregation } from '../model/aggregation.ts'
import { DefinitionError } from '../model/definition-error.ts'
import type { Resource } from '../model/resource.ts'
import type { Rule } from '../model/rules.ts'
import type { Visibility } from '../model/views.ts'
import { errorMessage } from '../problem.ts'
import { type GroupQuery, toGroupQuery } from '../records/aggregates.ts'
import { fullVisibility } from '../records/context.ts'
import type { Context } from './context.ts'
import type { Platform } from './platform.ts'
import type { Report } from './report.ts'

const nameShape = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

const roleShape = /^ROLE_[A-Z0-9_]+$/

/** A report of the running service. */
export interface DeclaredReport {
  readonly report: Report
  readonly resource: Resource
  /** Its groups and numbers, as far as they depend on no caller. */
  readonly aggregation: Aggregation
  readonly rule: Rule
}

export const declaredReports = (
  { access, registry }: Pick<Platform, 'access' | 'registry'>,
  reports: readonly Report[],
  module: string,
): readonly DeclaredReport[] =>
  reports.map(report => {
    const resource = registry.resource(report.resource)
    const { aggregation } = mustBeSound(report, resource, module)
    return { report, resource, aggregation, rule: access.compile(report.access ?? 'true') }
  })

/** May the caller see the report, of some records at least? */
export const maySeeReport = (
  { platform: { access }, caller, visibility }: Context,
  { resource, rule, aggregation }: DeclaredReport,
): boolean =>
  rule.decide(caller) === true &&
  access.decide(resource, 'read', caller) !== false &&
  isReadable(aggregation, visibility)

export const queryOf = ({ query }: Report, resource: Resource, visibility: Visibility): GroupQuery =>
  toGroupQuery(query, { resource, visibility, isShown: true })

const mustBeSound = (report: Report, resource: Resource, module: string): GroupQuery => {
  const fault = (message: string): never => {
    throw new DefinitionError([{ module, message: `report '${report.name}': ${message}`, definition: report }])
  }
  if (!nameShape.test(report.name)) fault("the name must be like 'revenue-by-month'")
  for (const role of [report.mail?.to ?? []].flat())
    if (!roleShape.test(role)) fault(`it is mailed to '${role}', which is no role; roles are like 'ROLE_MANAGER'`)
  try {
    return queryOf(report, resource, fullVisibility)
  } catch (error) {
    return fault(errorMessage(error))
  }
}

/** May the caller read all fields that are grouped by or computed with? */
export const isReadable = ({ group, measures }: Aggregation, visibility: Visibility): boolean =>
  [...group, ...measures]
    .flatMap(one => ('path' in one ? [...one.path.steps.map(({ relation }) => relation), one.path.field] : []))
    .every(field => visibility.view(field.owner).fields.get(field.name) === field)
