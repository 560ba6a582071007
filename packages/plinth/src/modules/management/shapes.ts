// What the management endpoints show, for the API description.

import { bareSchema } from '../../core/describe/shape-schema.ts'
import { shape as named } from '../../core/model/description.ts'
import { json } from '../../core/model/fields/collection.ts'
import { boolean, choice, integer, text, timestamp } from '../../core/model/fields.ts'
import type { Json, JsonSchema } from '../../core/model/json.ts'
import { list, mapOf, number, object, optional } from '../../core/model/shape.ts'
import type { ValueField } from '../../core/model/value-field.ts'
import { levelWords } from './loggers.ts'
import { halType } from './media-types.ts'

/** A value with a name among the schemas; unlike other shapes it may be a list or a map. */
export interface ManagementShape<V = unknown> {
  readonly kind: 'management'
  readonly name: string
  readonly schema: JsonSchema
  /** The field that it shows, for the types of clients. The property exists for the compiler alone. */
  readonly of?: V
}

const shape = <V extends ValueField>(name: string, of: V, about?: string): ManagementShape<V> => ({
  kind: 'management',
  name,
  schema: { ...(about !== undefined && { description: about }), ...bareSchema(of, 'answer') },
})

const must = { required: true } as const
const word = text(must)
const words = list(word, must)
const wordMap = mapOf(word, must)
const level = choice(levelWords, must)
const whole = integer(must)
const condition = object({ condition: word, message: word }, must)
const conditions = list(condition, must)

export const autoconfig = shape(
  'ManagementAutoconfig',
  object({
    positiveMatches: mapOf(conditions, must),
    negativeMatches: mapOf(object({ notMatched: conditions, matched: conditions }), must),
    exclusions: words,
  }),
)

const bean = object({ bean: word, scope: word, type: word, resource: word, dependencies: words })

export const beans = shape('ManagementBeans', list(object({ context: word, parent: text(), beans: list(bean, must) })))

export const mappings = shape('ManagementMappings', mapOf(object({ bean: word, method: word })))

export const properties = shape('ManagementProperties', mapOf(object({ prefix: word, properties: wordMap })))

export const environment = shape('ManagementEnvironment', object({ profiles: words }, { others: wordMap }))

export const values = shape('ManagementValues', wordMap)

const frame = object({
  className: word,
  methodName: word,
  fileName: word,
  lineNumber: whole,
  nativeMethod: boolean(must),
})

export const threads = shape(
  'ManagementThreads',
  list(
    object({
      threadName: word,
      threadId: whole,
      threadState: word,
      stackTrace: list(frame, must),
      activeResources: optional(mapOf(whole, must)),
    }),
  ),
)

export const health = shape(
  'ManagementHealth',
  object({ status: choice(['UP', 'DOWN', 'UNKNOWN'], must) }, { others: object({ status: word }) }),
  'Without administrator permission, only the status is shown.',
)

export const info = shape(
  'ManagementInfo',
  object({
    app: object({ name: word, version: word }, must),
    build: optional(object({ version: word, time: timestamp(must), runtime: word }, must)),
    git: optional(object({ branch: optional(word), commit: optional(object({ id: word }, must)) }, must)),
    nodes: optional(list(object({ name: word, party: word, role: word, kind: word }), must)),
  }),
  'Without administrator permission, only `app` is shown.',
)

export const metrics = shape('ManagementMetrics', mapOf(number()))

export const links: ManagementShape = {
  kind: 'management',
  name: 'ManagementLinks',
  schema: { type: 'object', properties: { links: named('Links') } },
}

export const auditTrail = shape(
  'AuditEvents',
  object({
    events: list(
      object({
        timestamp: timestamp(must),
        principal: text(),
        type: word,
        data: object({}, { ...must, others: json() }),
      }),
      must,
    ),
  }),
)

const exchange = object(
  {
    method: word,
    path: word,
    timeTaken: number({ ...must, about: 'Milliseconds.' }),
    requestId: optional(word),
    remoteAddress: optional(word),
    principal: optional(text({ about: 'The pk of the caller.' })),
    headers: object({ request: wordMap, response: wordMap }, must),
  },
  must,
)

export const trace = shape(
  'ManagementTrace',
  list(object({ timestamp: integer({ ...must, about: 'Milliseconds since 1970.' }), info: exchange })),
)

const runFields = {
  trigger: choice(['schedule', 'manual'], must),
  startedBy: text({ about: 'Who started it; null for the schedule.' }),
  started: timestamp(must),
  finished: timestamp(),
  durationMs: integer(),
  status: choice(['running', 'succeeded', 'failed', 'interrupted'], must),
  error: text({ about: 'The message of the error of a failed run.' }),
}

const run = object(runFields, must)

const scheduled = {
  name: word,
  module: word,
  about: text(),
  cron: text({ about: 'The cron expression; null for a job with an interval.' }),
  timeZone: text({ about: 'The time zone of the cron expression.' }),
  everyMs: integer({ about: 'The interval in milliseconds; null for a job with a cron expression.' }),
  isRunning: boolean(must),
  nextRun: timestamp(),
  lastRun: object(runFields),
}

export const jobRun = shape('JobRun', run)

export const job = shape('Job', object({ ...scheduled, runs: list(run, must) }))

export const jobs = shape('Jobs', list(object(scheduled)))

const levels = object({ configuredLevel: choice(levelWords), effectiveLevel: level })

export const logger = shape('LoggerLevels', levels)

export const loggers = shape('Loggers', object({ levels: list(level, must), loggers: mapOf(levels, must) }))

const isSchema = (value: Json | undefined): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A HAL document is an object with links; lists are embedded. */
const inHal = ({ name, schema }: ManagementShape): JsonSchema => {
  const embedded = { _embedded: { type: 'object', additionalProperties: named(name) } }
  if (schema.type === 'array')
    return {
      type: 'object',
      properties: { _links: named('HalLinks'), ...embedded },
      required: ['_links', '_embedded'],
    }
  const { properties, required } = schema
  return {
    ...schema,
    properties: { ...(isSchema(properties) && properties), _links: named('HalLinks') },
    required: [...(Array.isArray(required) ? required : []), '_links'],
  }
}

const isManagement = (of: ManagementShape | JsonSchema): of is ManagementShape => of.kind === 'management'

interface ShapeContent {
  readonly content: Readonly<Record<string, JsonSchema>>
  readonly schemas?: Readonly<Record<string, JsonSchema>>
}

/** The schema of each media type, with the schemas that they refer to. */
export const shapeContent = (of: ManagementShape | JsonSchema, mediaTypes: readonly string[]): ShapeContent => {
  if (!isManagement(of)) return { content: Object.fromEntries(mediaTypes.map(type => [type, of])) }
  const halName = `${of.name}Hal`
  return {
    content: Object.fromEntries(mediaTypes.map(type => [type, named(type === halType ? halName : of.name)])),
    schemas: { [of.name]: of.schema, [halName]: inHal(of) },
  }
}
