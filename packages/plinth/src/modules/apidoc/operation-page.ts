// One operation of the API reference as HTML: what it takes and returns, examples, and a form to try it. It is made when it is first asked
// for, so that the list of operations opens at once.

import { exampleUuid } from '../../core/describe/example.ts'
import { isObject, textOf } from '../../core/describe/openapi/parts.ts'
import type { JsonObject } from '../../core/describe/openapi.ts'
import { toAttribute } from '../../core/formats/xml-text.ts'
import type { Json } from '../../core/model/json.ts'
import { escaped } from './pages.ts'
import { exampleOf, resolve, rowsOf, type SchemaRow, typeOf } from './schema-view.ts'

interface FoundOperation {
  readonly document: JsonObject
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
  readonly parameters: readonly JsonObject[]
}

const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const entries = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries(value) : [])

const findOperation = (document: JsonObject, id: string): FoundOperation | null => {
  for (const [path, item] of entries(document.paths))
    for (const [method, operation] of entries(item))
      if (isObject(item) && isObject(operation) && operation.operationId === id)
        return {
          document,
          method,
          path,
          operation,
          parameters: [...list(item.parameters), ...list(operation.parameters)].map(one => resolve(document, one)),
        }
  return null
}

/** Lists and code are all the Markdown that descriptions have. */
const toHtml = (text: string): string => {
  const html = escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
  if (!/^- /m.test(html)) return html
  return `<ul class="plain">${html.replaceAll(/^- (.*)$/gm, '<li>$1</li>').replaceAll('\n', '')}</ul>`
}

const tableOf = (rows: readonly SchemaRow[], label: string): string =>
  rows.length === 0
    ? ''
    : `<div class="scroll" tabindex="0" role="region" aria-label="${toAttribute(label)}"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows
        .map(
          ({ name, type, isRequired, about }) =>
            `<tr><th scope="row"><code>${escaped(name)}</code>${isRequired ? ' <em>required</em>' : ''}</th><td>${escaped(type)}</td><td>${toHtml(about)}</td></tr>`,
        )
        .join('\n')}</tbody></table></div>`

const places = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const

const parameterTables = ({ document, parameters }: FoundOperation): string =>
  Object.entries(places)
    .map(([place, title]) => {
      const rows = parameters
        .filter(parameter => parameter.in === place)
        .map(({ name, schema, required, description }) => ({
          name: textOf(name),
          type: typeOf(document, schema),
          isRequired: required === true,
          about: textOf(description),
        }))
      return rows.length === 0 ? '' : `<h2>${title}</h2>${tableOf(rows, title)}`
    })
    .join('\n')

interface Content {
  readonly types: readonly string[]
  readonly schema: Json | undefined
  readonly example: Json | undefined
}

/** JSON stands for the others: it is what most callers use. */
const contentOf = (document: JsonObject, holder: JsonObject): Content | null => {
  const all = entries(holder.content)
  const [, chosen] = all.find(([type]) => type === 'application/json') ?? all[0] ?? []
  if (!isObject(chosen)) return null
  const types = all.map(([type]) => type)
  return { types, schema: chosen.schema, example: chosen.example ?? exampleOf(document, chosen.schema) }
}

const typesOf = ({ types }: Content): string =>
  `<p>${types.map(type => `<code>${escaped(type)}</code>`).join(', ')}</p>`

const code = (text: string, label: string): string =>
  `<pre tabindex="0" role="region" aria-label="${toAttribute(label)}"><code>${escaped(text)}</code></pre>`

const isJsonType = (type: string | undefined): boolean => type !== undefined && /[/+]json$/.test(type)

const exampleBlock = ({ example, types }: Content, title: string): string =>
  example === undefined || !types.some(isJsonType)
    ? ''
    : `<details><summary>${title}</summary>${code(JSON.stringify(example, null, 2), title)}</details>`

const requestBody = ({ document, operation }: FoundOperation): string => {
  const content = contentOf(document, resolve(document, operation.requestBody))
  if (!content) return ''
  return `<h2>Request body</h2>${typesOf(content)}
${tableOf(rowsOf(document, content.schema), 'Request body')}${exampleBlock(content, 'Example of a body')}`
}

const toResponse = (document: JsonObject, [status, responseSpec]: [string, Json]): string => {
  const response = resolve(document, responseSpec)
  const content = contentOf(document, response)
  const title = status === 'default' ? 'Other errors' : status
  const body =
    content && /^2/.test(status)
      ? `${typesOf(content)}${tableOf(rowsOf(document, content.schema), `Response ${status}`)}${exampleBlock(content, `Example of ${status}`)}`
      : ''
  return `<h3>${title}</h3><div class="about">${toHtml(textOf(response.description))}</div>${body}`
}

const responses = ({ document, operation }: FoundOperation): string =>
  `<h2>Responses</h2>${entries(operation.responses)
    .map(one => toResponse(document, one))
    .join('\n')}`

const exampleCall = (found: FoundOperation, base: string): ExampleCall => {
  const { document, operation, method, path, parameters } = found
  const content = contentOf(document, resolve(document, operation.requestBody))
  const bodyType = content
    ? (content.types.find(type => type === 'application/json') ?? content.types[0] ?? null)
    : null
  const accepted = entries(operation.responses).find(([status]) => /^2/.test(status))?.[1]
  const answered = accepted === undefined ? null : contentOf(document, resolve(document, accepted))
  return {
    method,
    path,
    base,
    params: Object.fromEntries(
      parameters
        .filter(parameter => parameter.in === 'path')
        .map(({ name, example, schema }) => [textOf(name), textOf(example ?? exampleOf(document, schema) ?? name)]),
    ),
    bodyType,
    body: isJsonType(bodyType ?? undefined) ? withoutPk(content?.example) : undefined,
    accept: answered?.types.find(type => type === 'application/json') ?? answered?.types[0] ?? null,
    needsCredentials: needsCredentials(found),
  }
}

/** The service gives identifiers itself. Sent with the example, the same one would be taken the second time. */
const withoutPk = (body: Json | undefined): Json | undefined => {
  if (!isObject(body) || body.pk !== exampleUuid) return body
  const { pk: _, ...others } = body
  return others
}

/**
 * The resources whose records the example names by an invented identifier: those of the fields of the body, and that of the path. The
 * page replaces them by records that there are, so that the example works.
 */
const referencesOf = ({ document, operation, path }: FoundOperation): Readonly<Record<string, string>> => {
  const { properties } = resolve(document, contentOf(document, resolve(document, operation.requestBody))?.schema)
  const fields = entries(properties).flatMap(([name, field]) => {
    const relation = isObject(field) ? field['x-relation'] : undefined
    return isObject(relation) ? [[name, textOf(relation.resource)] as const] : []
  })
  const [, own] = /^\/api\/rest\/(\w+)\/\{pk\}/.exec(path) ?? []
  return Object.fromEntries([...fields, ...(own ? [['{pk}', own] as const] : [])])
}

/** An operation whose list of schemes has an empty one takes requests without credentials. */
const needsCredentials = ({ document, operation }: FoundOperation): boolean => {
  const schemes = list(operation.security ?? document.security)
  return schemes.length > 0 && !schemes.some(one => isObject(one) && Object.keys(one).length === 0)
}

const inputFor = ({ name, in: place, required, example }: JsonObject, value: string): string =>
  `<label>${escaped(textOf(name))}${required ? ' <em>required</em>' : ''}
<input name="${toAttribute(textOf(name))}" data-in="${toAttribute(textOf(place))}" value="${toAttribute(value)}" placeholder="${toAttribute(textOf(example))}" autocomplete="off" spellcheck="false"></label>`

const tryForm = (found: FoundOperation, call: ExampleCall): string => {
  if (call.bodyType !== null && !isJsonType(call.bodyType))
    return '<h2>Try it</h2><p>This operation takes files. Use the example for curl.</p>'
  const inputs = found.parameters.map(parameter => inputFor(parameter, call.params[textOf(parameter.name)] ?? ''))
  const required = inputs.filter((_, at) => found.parameters[at]?.required === true)
  const others = inputs.filter((_, at) => found.parameters[at]?.required !== true)
  return `<h2>Try it</h2>
<form data-method="${found.method}" data-path="${toAttribute(found.path)}" data-accept="${toAttribute(call.accept ?? '*/*')}" data-type="${toAttribute(call.bodyType ?? '')}" data-references="${toAttribute(JSON.stringify(referencesOf(found)))}" data-invented="${exampleUuid}">
${required.join('\n')}
${others.length > 0 ? `<details><summary>Optional parameters</summary>${others.join('\n')}</details>` : ''}
${call.bodyType === null ? '' : `<label>Body<textarea name="body" rows="10" spellcheck="false">${escaped(JSON.stringify(call.body ?? {}, null, 2))}</textarea></label>`}
<button>Send request</button>
</form>
<div class="result" role="status"></div>`
}

/** Returns null when there is no such operation. */
export const toOperationPage = (document: JsonObject, id: string, base: string): string | null => {
  const found = findOperation(document, id)
  if (!found) return null
  const { operation, method, path } = found
  const call = exampleCall(found, base)
  return `<article data-operation="${toAttribute(id)}">
<h1>${escaped(textOf(operation.summary ?? id))}</h1>
<p class="address"><b class="${method}">${method}</b> <code>${escaped(path)}</code></p>
<p>${toHtml(textOf(operation.description))}</p>
<p>${call.needsCredentials ? 'Requires <a href="#authentication">authentication</a>, unless access rules allow anonymous callers.' : 'Works without authentication.'}</p>
<h2>Examples</h2>
<h3>curl</h3>${code(toCurl(call), 'Example for curl')}
<h3>TypeScript</h3>${code(toTypeScript(call), 'Example for TypeScript')}
${tryForm(found, call)}
${parameterTables(found)}
${requestBody(found)}
${responses(found)}
</article>`
}

// An operation of the API description as a call of curl and of TypeScript.

export interface ExampleCall {
  readonly method: string
  /** The path with named parts in braces. */
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
  if (name && !hasPk && method === 'get') return `${resource}.find({ limit: 10 })`
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
