// An operation of the API description as a call of curl and of TypeScript.

import type { Json } from '../../core/model/json.ts'

export interface ExampleCall {
  readonly method: string
  /** With named parts in braces. */
  readonly path: string
  /** The address of the service. */
  readonly base: string
  readonly params: Readonly<Record<string, string>>
  /** The media type of the body; null without one. */
  readonly bodyType: string | null
  readonly body: Json | undefined
  readonly accept: string | null
  readonly needsCredentials: boolean
}

const filled = (path: string, params: ExampleCall['params']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name))

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const isJson = (type: string | null): boolean => type !== null && /[/+]json$/.test(type)

const curlBody = ({ bodyType, body }: ExampleCall): string[] => {
  if (bodyType === null) return []
  if (bodyType === 'multipart/form-data') return ["-F 'report.pdf=@report.pdf'"]
  const content = isJson(bodyType) ? quoted(JSON.stringify(body ?? {}, null, 2)) : '@file'
  return [`-H 'Content-Type: ${bodyType}'`, `${isJson(bodyType) ? '-d' : '--data-binary'} ${content}`]
}

export const toCurl = (call: ExampleCall): string => {
  const { method, path, base, params, accept, needsCredentials } = call
  const parts = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted(base + filled(path, params))}`,
    ...(needsCredentials ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(accept ? [`-H 'Accept: ${accept}'`] : []),
    ...curlBody(call),
  ]
  return parts.join(' \\\n  ')
}

const toLiteral = (value: Json | undefined): string =>
  JSON.stringify(value ?? {}, null, 2).replaceAll(/"([a-z]\w*)":/gi, '$1:')

/** The generic operations by method and path, as methods of the client. */
const clientCall = ({ method, path, params, body }: ExampleCall): string => {
  const [, name, hasPk] = /^\/api\/rest\/(\w+)(\/\{pk\})?$/.exec(path) ?? []
  const pk = `'${params.pk ?? 'pk'}'`
  const resource = `client.${name}`
  if (name && !hasPk && method === 'get') return `${resource}.find({ size: 10 })`
  if (name && !hasPk && method === 'post') return `${resource}.create(${toLiteral(body)})`
  if (name && hasPk && method === 'get') return `${resource}.get(${pk})`
  if (name && hasPk && method === 'patch') return `${resource}.update(${pk}, ${toLiteral(body)})`
  if (name && hasPk && method === 'delete') return `${resource}.remove(${pk})`
  const input = [
    ...(Object.keys(params).length > 0 ? [`params: ${toLiteral(params)}`] : []),
    ...(body === undefined ? [] : [`body: ${toLiteral(body)}`]),
  ].join(', ')
  return `client.call('${method.toUpperCase()} ${path}'${input ? `, { ${input} }` : ''})`
}

const fetchCall = ({ method, path, base, params, bodyType }: ExampleCall): string =>
  `const response = await fetch('${base}${filled(path, params)}', {
  method: '${method.toUpperCase()}',
  headers: { Authorization: \`Bearer \${apiKey}\`${bodyType === 'multipart/form-data' ? '' : `, 'Content-Type': '${bodyType}'`} },
  body: ${bodyType === 'multipart/form-data' ? 'form, // a FormData' : 'content,'}
})`

export const toTypeScript = (call: ExampleCall): string => {
  if (call.bodyType !== null && !isJson(call.bodyType)) return fetchCall(call)
  const options = call.needsCredentials ? `url: '${call.base}', apiKey` : `url: '${call.base}'`
  return `import { createClient } from '@plinth/client'

const client = createClient({ ${options} })
const result = await ${clientCall(call)}`
}
