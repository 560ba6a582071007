// GET /api/reports: the reports that the caller may see, so that a client has a page for each without knowing any: what its columns are
// called, and how their values are written.

import { titleOf } from '../../core/describe/names.ts'
import { toUiField } from '../../core/describe/ui-schema.ts'
import type { GroupKey, Measure } from '../../core/model/aggregation.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { Path } from '../../core/model/query.ts'
import { inLanguage, titleIn } from '../../core/model/words.ts'
import { keyColumn, measureColumn } from '../../core/query/group-columns.ts'
import { type DeclaredReport, maySeeReport } from '../../core/rest/declared-report.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { languageFor } from '../../core/rest/language.ts'
import type { Service } from '../../core/service.ts'
import { jsonAnswer } from './json-answer.ts'

const text: JsonSchema = { type: 'string' }

const columnSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: { ...text, description: 'As in sorts and in the headers of files.' },
    place: { type: 'array', items: text, description: 'The members that lead to the value in a group.' },
    label: text,
    period: { ...text, description: 'The period that times are grouped by, such as `month`.' },
    function: {
      ...text,
      description: 'What is computed of the group, such as `sum`; absent for what records are grouped by.',
    },
    field: { type: 'object', description: 'How its values are written, as in a UI schema.' },
  },
  required: ['name', 'place', 'field'],
}

const reportSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: { ...text, description: 'The last segment of its path.' },
    title: text,
    about: text,
    resource: { ...text, description: 'The resource whose records it adds up.' },
    chart: { enum: ['bar', 'line', 'pie'] },
    card: { type: 'boolean', description: 'Whether the start page shows it.' },
    columns: { type: 'array', items: columnSchema },
  },
  required: ['name', 'title', 'resource', 'card', 'columns'],
}

export const listReports = (service: Service) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/reports',
    id: 'listReports',
    summary: 'List the reports that the caller may see',
    access: 'true',
    answers: {
      200: {
        about: 'The reports.',
        content: {
          'application/json': {
            type: 'object',
            properties: { reports: { type: 'array', items: reportSchema } },
            required: ['reports'],
          },
        },
      },
    },
    problems: [401, 406, 503],
    answer: ({ context, request }) => {
      const language = languageFor(context, request)
      const visible = service.overview().reports.filter(report => maySeeReport(context, report))
      const reader = { language, caller: context.caller }
      return jsonAnswer({ reports: visible.map(report => toDocument(report, reader)) }, language)
    },
  })

interface ReportReader {
  readonly language: string
  readonly caller: Caller
}

const toDocument = ({ report, resource, aggregation }: DeclaredReport, reader: ReportReader): JsonSchema => {
  const { name, title, about, chart, card = false } = report
  const { language } = reader
  return {
    name,
    title: titleIn(title, language) ?? name,
    ...(about !== undefined && { about: inLanguage(about, language) }),
    resource: resource.name,
    ...(chart && { chart }),
    card,
    columns: [
      ...aggregation.group.map(key => toKeyColumn(key, reader)),
      ...aggregation.measures.map(measure => toMeasureColumn(measure, reader)),
    ],
  }
}

const toKeyColumn = (key: GroupKey, reader: ReportReader): JsonSchema => {
  const { name, place, type } = keyColumn(key)
  const { path, bucket } = key
  return {
    ...{ name, place, label: labelOf(path, reader) },
    ...(bucket && { period: bucket }),
    field: bucket && type ? { fieldType: type.name, widget: type.widget } : drawn(path, reader),
  }
}

const wholeNumber: JsonSchema = { fieldType: 'integer', widget: 'number' }

const toMeasureColumn = (measure: Measure, reader: ReportReader): JsonSchema => {
  const { name, place } = measureColumn(measure)
  if (measure.kind === 'count') return { name, place, function: 'count', field: wholeNumber }
  const { kind, path } = measure
  const field = kind === 'distinct' ? wholeNumber : drawn(path, reader)
  return { name, place, label: labelOf(path, reader), function: kind, field }
}

const drawn = ({ field }: Path, { caller, language }: ReportReader): JsonSchema =>
  toUiField(field, { mayWrite: false, caller, language })

/** A related record goes by its label, so its field need not be named. */
const labelOf = ({ steps, field }: Path, { language }: ReportReader): string => {
  const isLabel = steps.length > 0 && field === field.owner.label
  return [...steps.map(({ relation }) => relation), ...(isLabel ? [] : [field])]
    .map(one => titleOf(one, language))
    .join(' › ')
}
