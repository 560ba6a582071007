// A document for clients, in the language of the caller.

import type { JsonSchema } from '../../core/model/json.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { languageHeaders } from '../../core/rest/language.ts'

export const jsonAnswer = (document: JsonSchema, language: string): Answer => ({
  kind: 'text',
  mediaType: 'application/json',
  body: JSON.stringify(document),
  headers: languageHeaders(language),
})
