// The types by which the client library calls a service, written from its OpenAPI document: a few lines for each resource and
// one for each endpoint.

import type { JsonSchema } from '../../model/json.ts'
import { fileContent, keyOf, members, nameIn, quoted, type Schemas, TypeWriter } from './schema-type.ts'

interface DescribedOperation {
  readonly operationId?: string
  readonly parameters?: readonly JsonSchema[]
  readonly requestBody?: { readonly required?: boolean; readonly content?: Readonly<Record<string, MediaType>> }
  readonly responses?: Readonly<Record<string, JsonSchema>>
}

interface MediaType {
  readonly schema?: JsonSchema
}

type Paths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>

interface OpenApiDocument {
  readonly paths: Paths
  readonly components: {
    readonly schemas: Schemas
    readonly responses?: Readonly<Record<string, JsonSchema>>
    readonly parameters?: Readonly<Record<string, JsonSchema>>
  }
}

export interface ClientTypesOptions {
  /** Writes the routes of endpoints as a value too, for a file that is not a declaration file. */
  readonly withRoutes?: boolean
}

/** The text of a TypeScript file that exports `Schema`, for `createClient<Schema>()`. */
export const toClientTypes = (openapi: object, { withRoutes = false }: ClientTypesOptions = {}): string => {
  const document = openapi as OpenApiDocument
  const writer = new TypeWriter(document.components.schemas)
  const resources = resourcesIn(document.paths)
  const endpoints = endpointsIn(document.paths, resources)
  const text = [
    '// Types of a Plinth service for @plinth/client, written by `plinth types`. Do not edit.',
    '',
    '/** A related record: its pk, or any object that has it. */',
    'export type Ref = string | { readonly pk: string }',
    '',
    'export interface Schema {',
    '  resources: {',
    ...[...resources].flatMap(([name, schema]) => resourceLines(document, writer, { name, schema, resources })),
    '  }',
    '  endpoints: {',
    ...endpoints.map(endpoint => endpointLine(document, writer, endpoint)),
    '  }',
    '}',
    '',
    ...writer.declarations(),
    ...(withRoutes ? ['', ...routeLines(endpoints)] : []),
  ]
  return `${text.flatMap(wrapped).join('\n')}\n`
}

/** The name of its schema by resource. */
const resourcesIn = (paths: Paths): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const path of Object.keys(paths)) {
    const [, name] = /^\/api\/rest\/(\w+)\/jsonschema$/.exec(path) ?? []
    const created = name && nameIn(paths[`/api/rest/${name}`]?.post?.requestBody?.content?.['application/json']?.schema)
    if (name && created) found.set(name, created.replace(/Create$/, ''))
  }
  return found
}

interface ResourceToWrite {
  readonly name: string
  /** The name of its schema. */
  readonly schema: string
  readonly resources: ReadonlyMap<string, string>
}

const resourceLines = (document: OpenApiDocument, writer: TypeWriter, resource: ResourceToWrite): string[] => {
  const { name, schema } = resource
  const { schemas } = document.components
  const properties = propertiesOf(schemas[`${schema}Members`])
  const create = schemas[`${schema}Create`] ?? {}
  const relations = Object.entries(properties).filter(([, one]) => relationOf(one) !== null)
  const values = Object.fromEntries(Object.entries(properties).filter(([, one]) => relationOf(one) === null))
  const inKind = (kind: 'one' | 'links') => relations.filter(([, one]) => relationOf(one)?.kind === kind)
  const target = (one: JsonSchema): string => quoted(relationOf(one)?.resource ?? '')
  const required = new Set(create.required as readonly string[])
  const steps = Object.entries(propertiesOf(create)).flatMap(([field, one]) => stepsIn(field, one))
  return [
    `    ${name}: {`,
    `      values: ${writer.object(values, field => values[field]?.['x-restricted'] !== true)}`,
    `      label: ${labelOf(document, name)}`,
    `      one: ${members(inKind('one').map(([field, one]) => `${keyOf(field)}: ${target(one)}${isNullable(one) ? ' | null' : ''}`))}`,
    `      lists: ${members(inKind('links').map(([field, one]) => `${keyOf(field)}: ${target(one)}`))}`,
    `      many: ${members(manyLines(document, resource, properties))}`,
    `      create: ${writer.object(createdOf(create), field => required.has(field))}`,
    ...(steps.length > 0 ? [`      steps: ${members(steps)}`] : []),
    '    }',
  ]
}

/** What a new record takes: of a state machine, one of its first states; for a field of files, the file itself as well. */
const createdOf = (create: JsonSchema): Schemas =>
  Object.fromEntries(
    Object.entries(propertiesOf(create)).map(([field, one]) => {
      const initial = one['x-initial']
      return [field, withContent(Array.isArray(initial) ? { ...one, enum: initial } : one)]
    }),
  )

const withContent = (schema: JsonSchema): JsonSchema => {
  if (schema['x-file'] !== undefined) return { anyOf: [fileContent, schema] }
  const items = schema.items as JsonSchema | undefined
  return items?.['x-file'] === undefined ? schema : { ...schema, items: withContent(items) }
}

const stepsIn = (field: string, { 'x-transitions': transitions }: JsonSchema): string[] => {
  if (typeof transitions !== 'object' || transitions === null) return []
  const next = Object.entries(transitions as Readonly<Record<string, readonly string[]>>)
  const lines = next.map(([state, states]) => `${keyOf(state)}: ${states.map(quoted).join(' | ') || 'never'}`)
  return [`${keyOf(field)}: ${members(lines)}`]
}

/** Relations to many that records do not show: each has a path that returns pages of the related resource. */
const manyLines = (
  { paths, components }: OpenApiDocument,
  resource: ResourceToWrite,
  properties: Schemas,
): string[] => {
  const prefix = `/api/rest/${resource.name}/{pk}/relationships/`
  const bySchema = new Map([...resource.resources].map(([name, schema]) => [schema, name]))
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const relation = path.startsWith(prefix) ? path.slice(prefix.length) : ''
    if (relation === '' || properties[relation] !== undefined) return []
    const answer = answerOf(components, get)
    const target = bySchema.get(pageIn(answer)?.replace(/Page$/, '') ?? '')
    return target === undefined ? [] : [`${keyOf(relation)}: ${quoted(target)}`]
  })
}

/** A page may have more fields than its own schema names. */
const pageIn = (schema: JsonSchema | null): string | null => {
  const [first = schema] = (schema?.allOf ?? []) as readonly JsonSchema[]
  return nameIn(first ?? undefined)
}

interface Relation {
  readonly resource: string
  readonly kind: string
  readonly label?: string
}

const relationOf = (schema: JsonSchema): Relation | null =>
  (schema['x-relation'] as unknown as Relation | undefined) ?? null

const isNullable = ({ type, anyOf }: JsonSchema): boolean =>
  (Array.isArray(type) && type.includes('null')) || Array.isArray(anyOf)

const propertiesOf = (schema: JsonSchema | undefined): Schemas => (schema?.properties ?? {}) as Schemas

/** Relations to a resource name its label. */
const labelOf = ({ components: { schemas } }: OpenApiDocument, resource: string): string => {
  for (const schema of Object.values(schemas))
    for (const property of Object.values(propertiesOf(schema))) {
      const relation = relationOf(property)
      if (relation?.resource === resource && relation.label !== undefined) return quoted(relation.label)
    }
  return 'never'
}

interface DescribedRoute {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: DescribedOperation
}

/** Operations beyond the generic ones, without aliases and pages for people. */
const endpointsIn = (paths: Paths, resources: ReadonlyMap<string, string>): readonly DescribedRoute[] =>
  Object.entries(paths).flatMap(([path, operations]) => {
    if (!path.startsWith('/api/') || path.endsWith('.json') || isGeneric(path, paths, resources)) return []
    return Object.entries(operations).flatMap(([method, operation]) =>
      operation.operationId === undefined || method === 'options'
        ? []
        : [{ id: operation.operationId, method: method.toUpperCase(), path, operation }],
    )
  })

const isGeneric = (path: string, paths: Paths, resources: ReadonlyMap<string, string>): boolean => {
  const [, name = '', rest = ''] = /^\/api\/rest\/(\w+)(.*)$/.exec(path) ?? []
  if (!resources.has(name)) return path === '/api/rest/operations'
  if (
    ['', '/{pk}', '/aggregates', '/jsonschema', '/uischema'].includes(rest) ||
    rest.startsWith('/{pk}/relationships/')
  )
    return true
  const relation = /^\/\{pk\}\/(\w+)$/.exec(rest)?.[1]
  return relation !== undefined && paths[`/api/rest/${name}/{pk}/relationships/${relation}`] !== undefined
}

const endpointLine = (document: OpenApiDocument, writer: TypeWriter, route: DescribedRoute): string => {
  const { id, method, path, operation } = route
  const { components } = document
  const parameters = (operation.parameters ?? []).map(one => components.parameters?.[nameIn(one) ?? ''] ?? one)
  const inPlace = (place: 'path' | 'query'): string =>
    members(
      parameters
        .filter(parameter => parameter.in === place)
        .map(({ name, required, schema }) => {
          const type = place === 'path' ? 'string' : writer.type((schema ?? {}) as JsonSchema)
          return `${keyOf(String(name))}${required === true ? '' : '?'}: ${type}`
        }),
    )
  const body = operation.requestBody?.content?.['application/json']?.schema
  const answer = answerOf(components, operation)
  const parts = [
    `route: ${quoted(`${method} ${path}`)}`,
    `params: ${inPlace('path')}`,
    `query: ${inPlace('query')}`,
    `body: ${body ? writer.type(body) : operation.requestBody ? 'unknown' : 'undefined'}`,
    `answer: ${answer ? writer.type(answer) : 'unknown'}`,
  ]
  return `    ${keyOf(id)}: { ${parts.join('; ')} }`
}

/** The JSON of the first successful answer. */
const answerOf = (
  { responses = {} }: OpenApiDocument['components'],
  operation: DescribedOperation | undefined,
): JsonSchema | null => {
  const [, found] = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2')) ?? []
  const response = responses[nameIn(found) ?? ''] ?? found
  const content = response?.content as Readonly<Record<string, MediaType>> | undefined
  return content?.['application/json']?.schema ?? null
}

const routeLines = (endpoints: readonly DescribedRoute[]): string[] => [
  '/** The routes for the option `endpoints` of createClient. */',
  'export const endpoints = {',
  ...endpoints.map(({ id, method, path }) => `  ${keyOf(id)}: ${quoted(`${method} ${path}`)},`),
  '} as const',
]

const width = 140

/** Breaks a long line between fields. */
const wrapped = (line: string): string[] => {
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `
  const lines: string[] = []
  let current = ''
  for (const part of line.split(/(?<=; )/)) {
    if (current !== '' && current.length + part.length > width) {
      lines.push(current.trimEnd())
      current = indent
    }
    current += part
  }
  return [...lines, current]
}
