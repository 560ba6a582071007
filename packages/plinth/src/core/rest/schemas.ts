// JSON Schema and UI schema: the resource described, as this caller sees it, in the language of the caller.

import { toJsonSchema } from '../describe/json-schema.ts'
import { toUiSchema } from '../describe/ui-schema.ts'
import { chooseMediaType } from '../formats/choose-media-type.ts'
import type { Operation } from '../model/access-rules.ts'
import { isAdmin } from '../model/caller.ts'
import type { ResourceField } from '../model/resource.ts'
import { readableOf } from '../model/search/readable.ts'
import type { Answer } from './answer.ts'
import { canRestore } from './can-restore.ts'
import type { Context } from './context.ts'
import { languageFor, languageHeaders } from './language.ts'
import type { ItemTask } from './written.ts'

export const schemaTypes = ['application/json', 'application/schema+json'] as const

export const jsonSchema = (context: Context, { resource, request }: ItemTask): Answer => {
  context.platform.access.permit(resource, 'read', context.caller)
  const language = languageFor(context, request)
  const schema = toJsonSchema(context.visibility.view(resource), { id: request.base + request.path, language })
  const mediaType = chooseMediaType(request.headers.accept, schemaTypes) ?? 'application/json'
  return { kind: 'text', mediaType, body: JSON.stringify(schema), headers: languageHeaders(language) }
}

/** RFC 9745: the interface calls this operation deprecated; the date is that of the interface. No `Sunset`: its end is not planned. */
const deprecation = {
  Deprecation: '@1483228800',
  Link: '</docs/releases.html#deprecation>; rel="deprecation"; type="text/html"',
}

export const uiSchema = (context: Context, { resource, request }: ItemTask): Answer => {
  const { access } = context.platform
  access.permit(resource, 'read', context.caller)
  const rights = {
    may: (operation: Operation) => access.decide(resource, operation, context.caller) !== false,
    mayWrite: (field: ResourceField) => access.mayWrite(field, context.caller),
    caller: context.caller,
    mayRestore: canRestore(context, resource),
    mayReadHistory: isAdmin(context.caller),
    searched: readableOf(resource, context.visibility),
  }
  const language = languageFor(context, request)
  const schema = toUiSchema(context.visibility.view(resource), rights, language)
  const headers = { ...deprecation, ...languageHeaders(language) }
  return { kind: 'text', mediaType: 'application/json', body: JSON.stringify(schema), headers }
}
