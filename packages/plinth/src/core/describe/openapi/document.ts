// The parts of an OpenAPI document as plain data: references, merging without loss, and removing unused parts.

import type { Json } from '../../model/json.ts'

export type JsonObject = { readonly [field: string]: Json }

/** An operation's place in a path: methods, and parameters common to them. */
export type PathItem = JsonObject

export const componentKinds = [
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
] as const
export type ComponentKind = (typeof componentKinds)[number]
export type Components = { readonly [kind in ComponentKind]?: JsonObject }

export const ref = (kind: ComponentKind, name: string): { readonly $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
})

/** All entries of all parts; two parts that give the same name are a fault in the program. */
export const joined = (what: string, ...parts: readonly JsonObject[]): JsonObject => {
  const whole: Record<string, Json> = {}
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      if (Object.hasOwn(whole, name)) throw new Error(`the API description has two ${what} named '${name}'`)
      whole[name] = value
    }
  }
  return whole
}

export const joinedComponents = (...parts: readonly Components[]): Components =>
  Object.fromEntries(componentKinds.map(kind => [kind, joined(kind, ...parts.map(part => part[kind] ?? {}))] as const))

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Paths of both. A path in both has the methods of both; a method in both is that of `more`, which took its place. */
export const joinedPaths = (paths: JsonObject, more: JsonObject): JsonObject => {
  const whole: Record<string, Json> = { ...paths }
  for (const [path, item] of Object.entries(more)) {
    const present = whole[path]
    whole[path] = isObject(present) && isObject(item) ? { ...present, ...item } : item
  }
  return whole
}

/** The addresses of the components that a part of the document refers to. */
export const referencesIn = (part: Json, found = new Set<string>()): Set<string> => {
  if (Array.isArray(part)) for (const one of part) referencesIn(one, found)
  else if (isObject(part)) {
    if (typeof part.$ref === 'string') found.add(part.$ref)
    for (const value of Object.values(part)) referencesIn(value, found)
  }
  return found
}

/** Keeps the components that can be reached from the paths. A reference that leads nowhere stops the start. */
export const reachable = (components: Components, paths: JsonObject): Components => {
  const kept = new Map<string, Map<string, Json>>()
  const follow = (part: Json): void => {
    for (const address of referencesIn(part)) {
      const [kind = '', name = ''] = address.replace('#/components/', '').split('/')
      if (kept.get(kind)?.has(name)) continue
      const found = components[kind as ComponentKind]?.[name]
      if (found === undefined) throw new Error(`the API description refers to '${address}', which does not exist`)
      kept.set(kind, (kept.get(kind) ?? new Map()).set(name, found))
      follow(found)
    }
  }
  follow(paths)
  const { securitySchemes } = components
  return {
    ...Object.fromEntries([...kept].map(([kind, entries]) => [kind, Object.fromEntries([...entries].sort(byName))])),
    ...(securitySchemes && { securitySchemes }),
  }
}

const byName = ([left]: [string, Json], [right]: [string, Json]): number => (left < right ? -1 : 1)
