// A JSON Schema → a TypeScript type. Schemas that others refer to by name become interfaces of their own.

import type { JsonSchema } from '../../model/json.ts'

export type Schemas = Readonly<Record<string, JsonSchema>>

/** What the client library sends as a file. No schema of a service has this type. */
export const fileContent = { type: 'Blob' } as const

/** Writes types, and remembers which named schemas they use. */
export class TypeWriter {
  readonly #schemas: Schemas
  readonly #used = new Set<string>()

  constructor(schemas: Schemas) {
    this.#schemas = schemas
  }

  /** The declarations of all schemas that were used, and of those that they use. */
  declarations(): string[] {
    const written: string[] = []
    // The set grows while its entries are written.
    for (const name of this.#used) {
      const schema = this.#schemas[name]
      if (schema) written.push(`export type ${name} = ${this.type(schema)}`)
    }
    return written.sort()
  }

  type(schema: JsonSchema): string {
    const name = nameIn(schema)
    if (name !== null) return this.#reference(name)
    const alternatives = schema.anyOf ?? schema.oneOf
    if (Array.isArray(alternatives) && alternatives.some(isDescribing))
      return union((alternatives as JsonSchema[]).map(one => this.type(one)))
    if (Array.isArray(schema.allOf)) return (schema.allOf as JsonSchema[]).map(one => this.type(one)).join(' & ')
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (Array.isArray(schema.enum)) return union(schema.enum.map(value => literal(value)))
    const types = Array.isArray(schema.type) ? schema.type : [schema.type]
    return union(types.map(type => this.#typed(String(type), schema)))
  }

  /** The fields of an object: `{ name: string; age?: number | null }`. */
  object(properties: Schemas, isRequired: (name: string) => boolean): string {
    return members(
      Object.entries(properties).map(
        ([name, schema]) => `${keyOf(name)}${isRequired(name) ? '' : '?'}: ${this.type(schema)}`,
      ),
    )
  }

  #reference(name: string): string {
    if (name === 'Reference') return 'Ref'
    this.#used.add(name)
    return name
  }

  #typed(type: string, schema: JsonSchema): string {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
      case fileContent.type:
        return type
      case 'integer':
      case 'number':
        return 'number'
      case 'array':
        return `readonly ${parenthesized(schema.items ? this.type(schema.items as JsonSchema) : 'unknown')}[]`
      case 'object':
        return this.#objectType(schema)
      default:
        return 'unknown'
    }
  }

  #objectType({ properties, required = [], additionalProperties }: JsonSchema): string {
    const others =
      typeof additionalProperties === 'object' && additionalProperties !== null
        ? `Readonly<Record<string, ${this.type(additionalProperties as JsonSchema)}>>`
        : null
    if (!properties || Object.keys(properties).length === 0) return others ?? 'Readonly<Record<string, unknown>>'
    return this.object(properties as Schemas, name => (required as readonly string[]).includes(name))
  }
}

/** Alternatives such as "one of these fields is required" say nothing about the type. */
const isDescribing = (schema: JsonSchema): boolean => Object.keys(schema).some(key => key !== 'required')

export const nameIn = (schema: JsonSchema | undefined): string | null =>
  typeof schema?.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null

const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))

export const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const parenthesized = (type: string): string => (/[|&]/.test(type) && !type.startsWith('{') ? `(${type})` : type)

export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

export const members = (parts: readonly string[]): string => (parts.length === 0 ? 'object' : `{ ${parts.join('; ')} }`)
