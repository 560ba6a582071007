// Which methods a path has, for `Allow`: asked only when no route takes the request.

import type { Route } from './exchange.ts'

interface Step {
  readonly literal: Map<string, Step>
  named: Step | null
  readonly methods: Set<string>
}

/** The methods of a path as sent, HEAD and OPTIONS among them; null when no route has the path. */
export type AllowedMethods = (path: string) => readonly string[] | null

export const everyMethod: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const step = (): Step => ({ literal: new Map(), named: null, methods: new Set() })

export const isNamedPart = (part: string): boolean => part.startsWith('{') && part.endsWith('}')

export const createAllowedMethods = (routes: readonly Route[]): AllowedMethods => {
  const root = step()
  for (const { method, path } of routes) descend(root, path).methods.add(method)
  return path => {
    const found = new Set<string>()
    collect(root, path.split('/'), found)
    return found.size === 0 ? null : inOrder(found)
  }
}

/** HEAD follows from GET; OPTIONS is answered everywhere. */
const inOrder = (methods: ReadonlySet<string>): string[] =>
  everyMethod.filter(method => method === 'OPTIONS' || methods.has(method === 'HEAD' ? 'GET' : method))

const descend = (root: Step, path: string): Step => {
  let at = root
  for (const part of path.split('/')) {
    if (isNamedPart(part)) {
      at.named ??= step()
      at = at.named
    } else {
      const next = at.literal.get(part) ?? step()
      at.literal.set(part, next)
      at = next
    }
  }
  return at
}

/** Follows literal and named parts alike, as the router does when it looks for one method after the other. */
const collect = (at: Step, parts: readonly string[], found: Set<string>): void => {
  const [part, ...rest] = parts
  if (part === undefined) {
    for (const method of at.methods) found.add(method)
    return
  }
  const literal = at.literal.get(decoded(part))
  if (literal) collect(literal, rest, found)
  if (at.named && part !== '') collect(at.named, rest, found)
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
