// The document of the sample registry, and what its tests ask of it.

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { formats } from '../formats/index.ts'
import { createAccess } from '../model/access.ts'
import { problemTypes } from '../problem-types.ts'
import { type JsonObject, type OpenApiInput, toOpenApi } from './openapi.ts'
import { registry } from './sample.fixture.ts'

export const input: OpenApiInput = {
  registry,
  formats,
  fileTypes: ['text/csv'],
  access: createAccess(registry),
  info: { title: 'Sample', version: '1.0.0', description: 'A sample.' },
  baseUrl: 'https://api.sample.test',
  firstPage: 0,
  problems: problemTypes,
  problemBodies: false,
  securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
  maxPageSize: 200,
}
export const document = toOpenApi(input)
export const paths = document.paths as Record<string, Record<string, JsonObject>>
export const components = document.components as Record<string, Record<string, JsonObject>>

export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[]
  readonly responses: Record<string, unknown>
}
export const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => [`${method} ${path}`, operation as unknown as DocumentedOperation] as const),
)

export const parameterNames = ({ parameters = [] }: DocumentedOperation) =>
  parameters.map(({ name, $ref }) => name ?? components.parameters?.[$ref?.split('/').at(-1) ?? '']?.name)

// Examples are held to the strictest reading: only fields that the schema declares.
const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'https://api.sample.test/openapi', ...document } as object)
export const faultsOf = (schema: object, value: unknown): string[] => {
  const validate = ajv.compile({ $id: `https://api.sample.test/${ajvCount++}`, ...schema })
  validate(value)
  return (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`)
}
let ajvCount = 0
export const component = (name: string) => ({ $ref: `https://api.sample.test/openapi#/components/schemas/${name}` })

export const resolved = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"https://api.sample.test/openapi#/components'))
