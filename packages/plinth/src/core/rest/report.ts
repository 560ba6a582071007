// defineReport: an aggregate under a name. Callers get it at an address of its own, in every format and as a file, and see in it what they
// may read.

import type { ResourceDefinition } from '../model/define.ts'
import type { AggregateQuery } from '../model/row-aggregate.ts'
import type { Text, Title } from '../model/words.ts'
import { markPlace } from '../source-place.ts'

/** What `defineReport` takes: the query of `records.aggregate`, and what people see of it. */
export interface ReportOptions<D> extends Omit<AggregateQuery<D>, 'limit' | 'offset'> {
  /** The last part of its address, such as `revenue-by-month`. */
  readonly name: string
  readonly title: Title
  readonly about?: Text
  /** How the web client draws the first number of each group, beside the table. */
  readonly chart?: 'bar' | 'line' | 'pie'
  /** Shows the report on the start page of the web client, too. */
  readonly card?: boolean
  /** A rule on the caller, beside the read rule of the resource: `caller.has('ROLE_STAFF')`. */
  readonly access?: string
  /** Sends it by mail, too. */
  readonly mail?: ReportSchedule
}

/** When a report is sent by mail, and to whom. */
export interface ReportSchedule {
  /** As for a job: `0 7 1 * *` is the first day of each month at seven. */
  readonly cron: string
  /** An IANA name such as `Europe/Berlin`; UTC unless given. */
  readonly timeZone?: string
  /** A role, or several: each active user with one of them gets what they may read themselves. */
  readonly to: string | readonly string[]
}

/** A report, as modules list it. */
export interface Report
  extends Pick<ReportOptions<never>, 'name' | 'title' | 'about' | 'chart' | 'card' | 'access' | 'mail'> {
  readonly resource: ResourceDefinition
  readonly query: Readonly<Record<string, unknown>> & { readonly where?: Readonly<Record<string, unknown>> }
}

/**
 * Declares a report: groups of records and numbers of each, at `GET /api/reports/{name}`.
 *
 * @example
 * export const revenueByMonth = defineReport(invoices, {
 *   name: 'revenue-by-month',
 *   title: { en: 'Revenue by month', de: 'Umsatz nach Monaten' },
 *   group: ['shop.name', 'paid:month'],
 *   count: true,
 *   sum: ['net', 'total'],
 * })
 */
export const defineReport = <D extends ResourceDefinition>(resource: D, options: ReportOptions<D>): Report => {
  const { name, title, about, chart, card, access, mail, ...query } = options
  const optional = {
    ...(about !== undefined && { about }),
    ...(chart && { chart }),
    ...(card && { card }),
    ...(access !== undefined && { access }),
    ...(mail && { mail }),
  }
  return markPlace({ name, title, ...optional, resource, query }, defineReport)
}
