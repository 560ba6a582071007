import { AnyEndpointForm, AnyRecordForm } from '../../src/kit/forms.tsx'
import { type Sheet, state } from '../sheet.ts'

const form = (resource: string) => (
  <AnyRecordForm resource={resource} fields={['title', 'state', 'pages', 'notes']} onSaved={() => {}} />
)

export const forms: Sheet = {
  name: 'forms',
  shows: ['RecordForm', 'EndpointForm'],
  states: [
    state('a new record', form('books')),
    state('loading', form('slow')),
    state('an error', form('broken')),
    state(
      'the body of an endpoint',
      <AnyEndpointForm
        route="POST /api/rest/books/{pk}/renew"
        params={{ pk: '1' }}
        onDone={() => {}}
        onCancel={() => {}}
      />,
    ),
    state(
      'an endpoint that is not offered',
      <AnyEndpointForm route="POST /api/rest/books/{pk}/burn" onDone={() => {}} />,
    ),
  ],
}
