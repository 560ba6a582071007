import { TextForm } from '../../src/common/text-form.tsx'
import { AnyEndpointForm, AnyRecordForm } from '../../src/kit/forms.tsx'
import { type Sheet, state } from '../sheet.ts'

const form = (resource: string) => (
  <AnyRecordForm resource={resource} fields={['title', 'state', 'pages', 'notes']} onSaved={() => {}} />
)

export const forms: Sheet = {
  name: 'forms',
  shows: ['RecordForm', 'EndpointForm', 'TextForm'],
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
      'an endpoint that does not exist',
      <AnyEndpointForm route="POST /api/rest/books/{pk}/burn" onDone={() => {}} />,
    ),
    state(
      'a few lines of text',
      <TextForm
        fields={[
          { name: 'card', label: 'Number of the card', hint: 'On the back.', required: true },
          { name: 'pin', label: 'PIN', type: 'password', required: true },
        ]}
        submit="Sign in"
        onSubmit={async () => {}}
        onCancel={() => {}}
      />,
    ),
  ],
}
