// The types that a membership's metadata may have. Each turns the JSON that was sent into what is kept, or refuses it.
// A deployment's own type is a further file that exports a `MetadataType`, and its name in the list below.

import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Fault, type Json, Problem } from 'plinth'
import { readJsonValue, ValueFault } from 'plinth/module'
import { membershipFault } from './faults.ts'

/** Throws Problem `invalid` when the JSON is no such metadata. */
export type ReadMetadata = (json: Json) => Json

export interface MetadataSettings {
  /** `app.nodes.<name>.metadataSchema`, when given. */
  readonly schema: string | undefined
}

export interface MetadataType {
  /** The name in `bnmsServiceType`. */
  readonly name: string
  /**
   * Creates the reader once for each node that uses the type, at the start; what is wrong in the settings is thrown as
   * an Error.
   */
  create(settings: MetadataSettings): ReadMetadata
}

const anyJson: MetadataType = { name: 'json', create: () => json => json }

const jsonSchema: MetadataType = {
  name: 'json-schema',
  create: ({ schema }) => {
    if (schema === undefined) throw new Error('json-schema needs metadataSchema')
    const validate = compileSchema(schema)
    return json => {
      if (!validate(json)) throw invalid((validate.errors ?? []).map(toFault))
      return json
    }
  },
}

const metadataTypes: readonly MetadataType[] = [anyJson, jsonSchema]

export const maxMetadataLength = 16_384

/** The reader of a node's metadata; an unknown type stops the start. */
export const createMetadataReader = (typeName: string, settings: MetadataSettings): ReadMetadata => {
  const type = metadataTypes.find(known => known.name === typeName)
  if (!type) throw new Error(`expected one of ${metadataTypes.map(known => known.name).join(', ')}`)
  const read = type.create(settings)
  return json => read(readAnyJson(json))
}

const readAnyJson = (json: Json): Json => {
  try {
    return readJsonValue(json, maxMetadataLength)
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    throw invalid(error.at('/membershipMetadata', 'membershipMetadata'))
  }
}

/** The schema itself, or the file that holds it. Draft 2020-12 unless it says otherwise. */
const compileSchema = (rawText: string): ValidateFunction => {
  const text = rawText.trimStart().startsWith('{') ? rawText : readFileSync(rawText, 'utf8')
  const schema = JSON.parse(text) as { $schema?: string }
  const Compiler = schema.$schema?.includes('draft-07') ? Ajv : Ajv2020
  const compiler = new Compiler({ strict: false, allErrors: true })
  formats.default(compiler)
  return compiler.compile(schema)
}

const toFault = ({ instancePath, message = 'is not valid' }: ErrorObject): Fault => ({
  pointer: `/membershipMetadata${instancePath}`,
  member: 'membershipMetadata',
  ...membershipFault('json_schema', { message }),
})

const invalid = (errors: readonly Fault[]): Problem =>
  new Problem('invalid', {
    detail: 'The membership metadata is not valid.',
    errors: errors.slice(0, 100),
  })
