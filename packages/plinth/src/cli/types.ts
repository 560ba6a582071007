// plinth types: the types of the service for @plinth/client.

import { writeFile } from 'node:fs/promises'
import { toClientTypes } from '../core/describe/client-types/index.ts'

/** The OpenAPI document of a running service. */
export const fetchOpenapi = async (address: string): Promise<object> => {
  const response = await fetch(new URL('/api/openapi.json', address))
  if (!response.ok) throw new Error(`${address} answered ${response.status} instead of its OpenAPI document.`)
  return (await response.json()) as object
}

/** Writes the types; without a file, returns their text. A file that is not a declaration file also gets the routes. */
export const writeTypes = async (openapi: object, file: string | undefined): Promise<string> => {
  const withRoutes = file !== undefined && !file.endsWith('.d.ts')
  const text = toClientTypes(openapi, { withRoutes })
  if (file === undefined) return text.trimEnd()
  await writeFile(file, text)
  return `The types are in ${file}`
}
