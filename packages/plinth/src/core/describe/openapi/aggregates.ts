// Aggregates of a resource: the parameters of the operation, and its answers in every format.

import type { DescribedFormat } from '../../model/description.ts'
import type { Json, JsonSchema } from '../../model/json.ts'
import { bucketUnits } from '../../model/time-buckets.ts'
import { capitalised, severalOf } from '../names.ts'
import { type JsonObject, ref } from './document.ts'
import { carrying, type Named, searchParameters, text, toParameters } from './parameters.ts'
import { headerRefs } from './response-headers.ts'
import { bareAnswer, type DescribedTypes, fileContent, schemaOf } from './responses.ts'
import { type Scene, toOperation } from './scene.ts'

const fieldsOf = (what: string): string => `The fields, separated by commas, ${what}`

const parameters = {
  Group: [
    'group',
    `Fields to group by, separated by commas, also of related records. Of a time, a period: ${bucketUnits
      .map(unit => `\`createdDate:${unit}\``)
      .join(', ')}.`,
    text,
    // Whatever the fields of a resource are called.
    { example: 'pk' },
  ],
  GroupCount: ['count', 'Counts the records of each group.', { type: 'boolean' }, { allowEmptyValue: true }],
  GroupSum: ['sum', fieldsOf('whose values are added up.'), text],
  GroupAverage: ['avg', fieldsOf('whose average is computed.'), text],
  GroupMinimum: ['min', fieldsOf('whose smallest value is found.'), text],
  GroupMaximum: ['max', fieldsOf('whose largest value is found.'), text],
  GroupDistinct: ['distinct', fieldsOf('whose different values are counted.'), text],
  GroupMedian: ['median', fieldsOf('whose median is computed.'), text],
  GroupPercentile90: ['p90', fieldsOf('of which the value is computed that 90 % of the values do not exceed.'), text],
  GroupPercentile95: ['p95', fieldsOf('of which the value is computed that 95 % of the values do not exceed.'), text],
  GroupPercentile99: ['p99', fieldsOf('of which the value is computed that 99 % of the values do not exceed.'), text],
  Having: ['having', 'A condition on groups in the language of `filter`: `count=ge=3;sum.total>100`.', text],
  GroupSort: ['sort', 'The order of the groups: names of groups, `count`, `-sum.total`.', text],
  TimeZone: ['timezone', 'The time zone of periods, such as `Europe/Berlin`; UTC by default.', text],
} satisfies Record<string, Named>

export const aggregateParameters: JsonObject = toParameters('query', parameters)

/** The parameters of searches that have the same meaning here. */
const shared = (Object.keys(searchParameters) as (keyof typeof searchParameters)[]).filter(
  name => !/After|Before|^Sort$|AsOf|Trash/.test(name),
)

const anything: JsonSchema = { type: 'object', additionalProperties: true }

const numbers = (description: string): JsonSchema => ({ ...anything, description })

const group: JsonSchema = {
  description: 'A group of records, and what was computed of it.',
  type: 'object',
  properties: {
    group: numbers('What the records have in common, by the names in `group`; null for absent values.'),
    count: { type: 'integer', minimum: 0 },
    sum: numbers('Sums by field; null without values.'),
    avg: numbers('Averages by field.'),
    min: numbers('The smallest values by field.'),
    max: numbers('The largest values by field.'),
    distinct: numbers('How many different values there are, by field.'),
    median: numbers('Medians by field, interpolated between two values.'),
    p90: numbers('The values that 90 % do not exceed, by field.'),
    p95: numbers('The values that 95 % do not exceed, by field.'),
    p99: numbers('The values that 99 % do not exceed, by field.'),
  },
  xml: { name: 'aggregate' },
}

const page = ref('schemas', 'PageInfo')
const entries: JsonSchema = { type: 'array', items: ref('schemas', 'Aggregate'), xml: { wrapped: true } }

export const aggregateSchemas: JsonObject = {
  Aggregate: group,
  AggregatePage: {
    type: 'object',
    properties: { content: entries, page, links: ref('schemas', 'Links') },
    required: ['content', 'links'],
    xml: { name: 'aggregates' },
  },
  AggregateHalPage: {
    type: 'object',
    properties: {
      _embedded: { type: 'object', properties: { aggregates: entries }, required: ['aggregates'] },
      page,
      _links: ref('schemas', 'HalLinks'),
    },
    required: ['_embedded', '_links'],
  },
  AggregateCollection: {
    type: 'object',
    properties: {
      data: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            type: { type: 'string', enum: ['aggregates'] },
            id: { type: 'string', description: 'The values in `group` as a JSON list.' },
            attributes: ref('schemas', 'Aggregate'),
          },
          required: ['type', 'id', 'attributes'],
        },
      },
      links: ref('schemas', 'JsonApiLinks'),
      meta: { type: 'object', properties: { page } },
    },
    required: ['data', 'links'],
  },
}

const contentOf = (formats: readonly DescribedFormat[]): Json =>
  Object.fromEntries(
    formats.flatMap(format =>
      format.schemas
        ? [[format.mediaType, { schema: schemaOf(format, schemas => schemas.page('Aggregate')) }] as const]
        : [],
    ),
  )

export const aggregateResponses = ({ formats, fileTypes }: DescribedTypes): JsonObject => ({
  Aggregates: {
    description: 'The groups. As a file, at most 10,000 of them.',
    headers: headerRefs('X-Total-Count', 'Link', 'ETag', 'Vary'),
    content: { ...(contentOf(formats) as JsonObject), ...fileContent(fileTypes) },
  },
})

export const aggregatePaths = (scene: Scene): JsonObject => ({
  [`/api/rest/${scene.resource.name}/aggregates`]: {
    get: toOperation(scene, {
      operationId: `aggregate${capitalised(scene.resource.name)}`,
      summary: `Count and sum ${severalOf(scene.resource)}`,
      description:
        'Groups the records that the caller may read, and computes numbers of each group. Filters and pages are those of the list.',
      right: 'read',
      parameters: [
        ...[...Object.keys(parameters), ...shared].map(name => ref('parameters', name)),
        ...carrying('IfNoneMatch'),
      ],
      responses: { 200: ref('responses', 'Aggregates'), 304: bareAnswer('NotModified') },
      problems: [400, 401, 403, 404, 406],
    }),
  },
})
