// `plinth openapi`: the OpenAPI document, or a part of it. `plinth types`: the types of the service for @plinth/client.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AppDefinition } from '../app/define-app.ts'
import { toClientTypes } from '../core/describe/client-types/index.ts'
import { trimOpenApi } from '../core/describe/openapi/parts.ts'
import type { Format } from '../core/formats/format.ts'
import { formatsByName } from '../core/formats/index.ts'
import { nearestName } from '../core/nearest-name.ts'
import { errorMessage } from '../core/problem.ts'
import { CommandError } from './explain.ts'

export interface OpenapiOptions {
  readonly out?: string
  /** Names of resources and modules, separated by commas. */
  readonly only?: string
  readonly format?: string
}

export const formatNames = Object.keys(formatsByName)

/** The folder may be new. */
const writeInto = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Writes the document; without a file, returns its text. */
export const writeOpenapi = async (document: object, app: Modules, options: OpenapiOptions): Promise<string> => {
  const { out, only, format } = options
  const isWhole = only === undefined && format === undefined
  const trimmed = isWhole
    ? document
    : trimOpenApi(document, {
        ...(only !== undefined && { only: tagsOf(document, app, only) }),
        ...(format !== undefined && { without: otherMediaTypes(format) }),
      })
  const text = JSON.stringify(trimmed, null, 2)
  if (out === undefined) return text
  await writeInto(out, `${text}\n`)
  return `Wrote the OpenAPI document to ${out}`
}

/** The media types of the other formats. JSON and HAL share the type of problems. */
const otherMediaTypes = (name: string): ReadonlySet<string> => {
  const typesOf = ([, { mediaType, problemType, mergePatchType = mediaType }]: [string, Format]): string[] => [
    mediaType,
    problemType,
    mergePatchType,
  ]
  const all = Object.entries<Format>(formatsByName)
  const own = new Set(all.filter(([one]) => one === name).flatMap(typesOf))
  return new Set(all.flatMap(typesOf).filter(mediaType => !own.has(mediaType)))
}

type Modules = Pick<AppDefinition, 'modules'>

/** The tags of the document that the names stand for: resources, modules, and the resources of modules. */
const tagsOf = (document: object, { modules }: Modules, only: string): ReadonlySet<string> => {
  const known = (document as { readonly tags: readonly { readonly name: string }[] }).tags.map(({ name }) => name)
  const names = only
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const tags = names.flatMap(name => {
    const module = modules.find(one => one.name === name)
    const found = [name, ...(module?.resources ?? []).map(resource => resource.name)].filter(tag => known.includes(tag))
    if (found.length > 0) return found
    const near = nearestName([...known, ...modules.map(one => one.name)], name)
    const hint = near === undefined ? '' : `; did you mean '${near}'?`
    throw new CommandError(`There is no resource or module '${name}' in the OpenAPI document${hint}`)
  })
  return new Set(tags)
}

// plinth types: the types of the service for @plinth/client.

/** The OpenAPI document of a running service. */
export const fetchOpenapi = async (address: string): Promise<object> => {
  if (!URL.canParse(address)) throw new CommandError(`'${address}' is not an address, such as https://library.example.`)
  const response = await fetch(new URL('/api/openapi.json', address)).catch((error: Error) => {
    throw new CommandError(`${address} cannot be reached: ${errorMessage(error.cause ?? error)}`)
  })
  if (!response.ok) throw new CommandError(`${address} answered ${response.status} instead of its OpenAPI document.`)
  return (await response.json()) as object
}

export interface TypesOptions {
  readonly out?: string
  /** Names of resources and modules, separated by commas. Of a running service, its resources alone are known. */
  readonly only?: string
}

/** Writes the types; without a file, returns their text. A file that is not a declaration file also gets the routes. */
export const writeTypes = async (
  openapi: object,
  { out: file, only }: TypesOptions = {},
  app: Modules = { modules: [] },
): Promise<string> => {
  const withRoutes = file !== undefined && !file.endsWith('.d.ts')
  const document = only === undefined ? openapi : trimOpenApi(openapi, { only: tagsOf(openapi, app, only) })
  const text = toClientTypes(document, { withRoutes })
  if (file === undefined) return text.trimEnd()
  await writeInto(file, text)
  return `The types are in ${file}`
}
