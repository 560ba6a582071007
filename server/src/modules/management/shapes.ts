// The shapes of the answers, for the API description.

import { shape } from '../../core/model/description.ts'
import type { Json, JsonSchema } from '../../core/model/json.ts'
import { levelWords } from './loggers.ts'

const text: JsonSchema = { type: 'string' }
const object = (properties: JsonSchema, required: readonly string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
})
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values })
const time: JsonSchema = { type: 'string', format: 'date-time' }
const level: JsonSchema = { type: 'string', enum: levelWords }

const condition = object({ condition: text, message: text })

const structureSchemas = {
  ManagementAutoconfig: object({
    positiveMatches: mapOf(list(condition)),
    negativeMatches: mapOf(object({ notMatched: list(condition), matched: list(condition) })),
    exclusions: list(text),
  }),
  ManagementBeans: list(
    object({
      context: text,
      parent: { type: ['string', 'null'] },
      beans: list(object({ bean: text, scope: text, type: text, resource: text, dependencies: list(text) })),
    }),
  ),
  ManagementMappings: mapOf(object({ bean: text, method: text })),
}

const settingSchemas = {
  ManagementProperties: mapOf(object({ prefix: text, properties: mapOf(text) })),
  ManagementEnvironment: {
    type: 'object',
    properties: { profiles: list(text) },
    required: ['profiles'],
    additionalProperties: mapOf(text),
  },
  ManagementValues: mapOf(text),
}

const runtimeSchemas = {
  ManagementThreads: list(
    object(
      {
        threadName: text,
        threadId: { type: 'integer' },
        threadState: text,
        stackTrace: list(
          object({
            className: text,
            methodName: text,
            fileName: text,
            lineNumber: { type: 'integer' },
            nativeMethod: { type: 'boolean' },
          }),
        ),
        activeResources: mapOf({ type: 'integer' }),
      },
      ['threadName', 'threadId', 'threadState', 'stackTrace'],
    ),
  ),
  ManagementHealth: {
    description: 'Callers who are no administrators see the status alone.',
    type: 'object',
    properties: { status: { type: 'string', enum: ['UP', 'DOWN', 'UNKNOWN'] } },
    required: ['status'],
    additionalProperties: object({ status: text }),
  },
  ManagementInfo: {
    description: 'Callers who are no administrators see the member `app` alone.',
    type: 'object',
    properties: {
      app: object({ name: text, version: text }),
      build: object({ version: text, time, runtime: text }),
      git: object({ branch: text, commit: object({ id: text }) }, []),
      nodes: list(object({ name: text, party: text, role: text, kind: text })),
    },
    required: ['app'],
  },
  ManagementMetrics: mapOf({ type: 'number' }),
}

const plainSchemas = {
  ManagementLinks: {
    type: 'object',
    properties: { links: shape('Links') },
  },
  AuditEvents: object({
    events: list(
      object({ timestamp: time, principal: { type: ['string', 'null'] }, type: text, data: { type: 'object' } }),
    ),
  }),
  ManagementTrace: list(
    object({
      timestamp: { type: 'integer', description: 'Milliseconds since 1970.' },
      info: object(
        {
          method: text,
          path: text,
          timeTaken: { type: 'number', description: 'Milliseconds.' },
          requestId: text,
          remoteAddress: text,
          principal: { type: ['string', 'null'], description: 'The pk of the caller.' },
          headers: object({ request: mapOf(text), response: mapOf(text) }),
        },
        ['method', 'path', 'timeTaken', 'headers'],
      ),
    }),
  ),
  LoggerLevels: object({ configuredLevel: { anyOf: [level, { type: 'null' }] }, effectiveLevel: level }),
  Loggers: object({ levels: list(level), loggers: mapOf(shape('LoggerLevels')) }),
  LoggerChange: object({
    configuredLevel: { type: ['string', 'null'], description: `One of ${levelWords.join(', ')}.` },
  }),
  ...structureSchemas,
  ...settingSchemas,
  ...runtimeSchemas,
} satisfies Record<string, JsonSchema>

export type ShapeName = keyof typeof plainSchemas

const isSchema = (value: Json | undefined): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A HAL document is an object with links; lists are embedded. */
const inHal = (name: string, schema: JsonSchema): JsonSchema => {
  if (schema.type === 'array') return object({ _links: shape('HalLinks'), _embedded: mapOf(shape(name)) })
  const { properties, required } = schema
  return {
    ...schema,
    properties: { ...(isSchema(properties) && properties), _links: shape('HalLinks') },
    required: [...(Array.isArray(required) ? required : []), '_links'],
  }
}

const halName = (name: string): string => `${name}Hal`

/** By the name of the plain shape. */
export const halShape = (name: ShapeName): JsonSchema => shape(halName(name))

export const managementSchemas: Readonly<Record<string, JsonSchema>> = {
  ...plainSchemas,
  ...Object.fromEntries(Object.entries(plainSchemas).map(([name, schema]) => [halName(name), inHal(name, schema)])),
}
