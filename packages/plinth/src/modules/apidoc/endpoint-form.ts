// The form for the body of any endpoint, also of those that have no button.

import { toUiInputs } from '../../core/describe/ui-input.ts'
import { text } from '../../core/model/fields.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import { titleIn } from '../../core/model/words.ts'
import { Problem } from '../../core/problem.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { languageFor } from '../../core/rest/language.ts'
import type { Service } from '../../core/service.ts'
import { labelIn } from './actions.ts'
import { jsonAnswer } from './json-answer.ts'

const formSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The operation in the API description.' },
    title: { type: 'string' },
    about: { type: 'string' },
    fields: { type: 'object', description: 'The fields of the body, as in a UI schema; for `GET`, the parameters.' },
  },
  required: ['id', 'title', 'fields'],
}

export const getEndpointForm = (service: Service) =>
  defineEndpoint({
    method: 'GET',
    path: '/api/forms',
    id: 'getEndpointForm',
    summary: 'Read the form for an endpoint',
    description:
      'The fields that a form for an endpoint has. Those of an endpoint that the caller may not call are refused.',
    access: 'true',
    query: {
      endpoint: text({
        required: true,
        max: 300,
        about: 'The method and the path, with named parts in braces: `POST /api/rest/loans/{pk}/return`.',
      }),
    },
    answers: { 200: { about: 'The form.', content: { 'application/json': formSchema } } },
    problems: [400, 401, 403, 404, 406],
    answer: ({ context, request, query }) => {
      const form = service.overview().forms.find(({ method, path }) => `${method} ${path}` === query.endpoint)
      if (!form) throw new Problem('not_found')
      form.permit?.(context, request)
      const { id, about, fields } = form
      const language = languageFor(context, request)
      const title = titleIn(form.title, language) ?? id
      const inputs = toUiInputs(fields, { language, labelOf: labelIn(context) })
      return jsonAnswer({ id, title, ...(about !== undefined && { about }), fields: inputs }, language)
    },
  })
