// The document as a judge of answers: is this status, this media type, this shape among those promised?

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Answered {
  readonly status: number
  readonly type: string
  readonly text: string
}

interface ResponseObject {
  readonly $ref?: string
  readonly content?: Record<string, { readonly schema?: object }>
}

export interface ContractOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, { readonly schema?: object }> }
  readonly responses: Record<string, ResponseObject>
}

export interface OpenApi {
  readonly paths: Record<string, Record<string, ContractOperation>>
  readonly components: { readonly responses: Record<string, ResponseObject> }
}

export interface OperationPlace {
  readonly path: string
  readonly method: string
  readonly operation: ContractOperation
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export const operationsIn = ({ paths }: OpenApi): OperationPlace[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap(method => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  )

/** The operation at an address, such as `/api/rest/users/…/metadata`. */
export const placeAt = (document: OpenApi, method: string, address: string): OperationPlace => {
  const [path = ''] = address.split('?')
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  const places = operationsIn(document).filter(place => place.method === method.toLowerCase() && fits(place.path))
  const found = places.find(place => place.path === path) ?? places[0]
  if (!found) throw new Error(`${method} ${path} is not described`)
  return found
}

/** The interface gives these no body; who asks for problem documents gets one all the same, as their description says. */
const onRequest = (status: number, type: string): { readonly schema: object } | undefined =>
  [401, 403, 404].includes(status) && type === 'application/problem+json'
    ? { schema: { $ref: '#/components/schemas/Problem' } }
    : undefined

const documentId = 'https://plinth.example/openapi'

/** Compiles schemas that refer to the document. */
const createValidators = (document: OpenApi) => {
  const ajv = new Ajv2020({ allErrors: false, strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: documentId, ...document })
  const compiled = new Map<string, ValidateFunction>()
  return (schema: object, isStrict = false): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components', `"${documentId}#/components`)
    const key = text + isStrict
    const known = compiled.get(key)
    if (known) return known
    // Fields that the description does not know are a fault of a success; problems may say more.
    const made = ajv.compile({ ...JSON.parse(text), ...(isStrict && { unevaluatedProperties: false }) })
    compiled.set(key, made)
    return made
  }
}

const toErrorText = (validate: ValidateFunction): string => {
  const [error] = validate.errors ?? []
  return `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`
}

/** Gives what is wrong with a JSON body that is sent; nothing when it is as described. */
export const createBodyJudge = (document: OpenApi) => {
  const validatorOf = createValidators(document)
  return ({ requestBody }: ContractOperation, body: unknown): string | null => {
    const schema = requestBody?.content['application/json']?.schema
    if (!schema) return body === undefined ? null : 'a body is sent where none is described'
    if (body === undefined && !requestBody.required) return null
    const validate = validatorOf(schema)
    return validate(body) ? null : toErrorText(validate)
  }
}

/** Gives what is wrong with an answer; nothing when it is as promised. */
export const createJudge = (document: OpenApi) => {
  const validatorOf = createValidators(document)
  const responseOf = ({ responses }: ContractOperation, status: number): ResponseObject | undefined => {
    const declared = responses[status]
    return declared?.$ref ? document.components.responses[declared.$ref.split('/').at(-1) ?? ''] : declared
  }
  return (operation: ContractOperation, { status, type, text }: Answered): string | null => {
    const promised = responseOf(operation, status)
    if (!promised) return `${status} is not described`
    const bare = type.split(';')[0]?.trim() ?? ''
    if (text === '') {
      // No body counts as null, where one is promised.
      const schema = status < 300 && promised.content?.['application/json']?.schema
      return schema && !validatorOf(schema)(null) ? `${status} has no body, though one is described` : null
    }
    const media = promised.content?.[bare] ?? promised.content?.[type] ?? onRequest(status, bare)
    if (!media) return `${status} as ${type} is not described`
    if (!/[/+]json$/.test(bare) || !media.schema) return null
    const isSuccess = status < 300
    const value: unknown = JSON.parse(text)
    const validate = validatorOf(media.schema, isSuccess && typeof value === 'object' && !Array.isArray(value))
    return validate(value) ? null : `${status} ${bare} does not fit: ${toErrorText(validate)}`
  }
}
