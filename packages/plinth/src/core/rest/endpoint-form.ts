// Forms for endpoints: the fields of the body, from the declaration.

import type { Registry } from '../model/registry.ts'
import { usersIn } from '../model/rule-book.ts'
import { compileRule } from '../model/rules.ts'
import type { ShapeFields } from '../model/value-field.ts'
import type { Title } from '../model/words.ts'
import type { Endpoint } from './endpoint.ts'
import { permitOf } from './endpoint-access.ts'
import type { Permit } from './permits.ts'

/** An endpoint that a form can be made for. */
export interface EndpointForm {
  /** The id of the endpoint. */
  readonly id: string
  readonly method: string
  /** The path with named parts in braces. */
  readonly path: string
  readonly title: Title
  readonly about: string | undefined
  /** The fields of its body; for `GET`, its parameters. */
  readonly fields: ShapeFields
  /** Throws the problem of callers who may not call it, whatever the record. */
  readonly permit: Permit | undefined
}

/** Returns null for endpoints whose body is no list of fields. */
export const endpointFormOf = (endpoint: Endpoint, registry: Registry): EndpointForm | null => {
  const { id, method, path, summary, description, button } = endpoint
  const fields = fieldsOf(endpoint)
  if (id === undefined || fields === null) return null
  const users = usersIn(registry)
  const { permit } = permitOf(endpoint, rule => compileRule(rule, null, { users }))
  const { title = summary } = button || {}
  return { id, method, path, fields, permit, title, about: description }
}

const fieldsOf = ({ method, query, body, receive }: Endpoint): ShapeFields | null => {
  if (receive) return null
  if (method === 'GET') return query ?? {}
  if (body === undefined) return {}
  if (typeof body.kind !== 'string') return body as ShapeFields
  return body.kind === 'shape' ? (body.fields as ShapeFields) : null
}
