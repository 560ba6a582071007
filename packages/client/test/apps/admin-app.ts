// A back office with react-admin, for a browser test.

import { createElement as h } from 'react'
import {
  Admin,
  Create,
  Datagrid,
  Edit,
  EditButton,
  List,
  NumberField,
  NumberInput,
  ReferenceArrayField,
  ReferenceField,
  ReferenceInput,
  ReferenceManyField,
  Resource,
  required,
  SelectInput,
  Show,
  SimpleForm,
  SimpleShowLayout,
  TextField,
  TextInput,
} from 'react-admin'
import { createRoot } from 'react-dom/client'
import { createClient } from '../../src/index.ts'
import { createAuthProvider, createDataProvider } from '../../src/react-admin.ts'

const client = createClient()

const shelfInput = (props: { source: string; alwaysOn?: boolean }) =>
  h(ReferenceInput, { reference: 'shelves', ...props, key: props.source }, h(SelectInput, { optionText: 'name' }))

const filters = [
  h(TextInput, { source: 'q', label: 'Search', alwaysOn: true, key: 'q' }),
  h(NumberInput, { source: 'pages_gte', label: 'Pages from', alwaysOn: true, key: 'pages' }),
  shelfInput({ source: 'shelf', alwaysOn: true }),
]

const BookList = () =>
  h(
    List,
    { filters, sort: { field: 'title', order: 'ASC' } },
    h(
      Datagrid,
      { rowClick: false },
      h(TextField, { source: 'title' }),
      h(NumberField, { source: 'pages' }),
      h(ReferenceField, { source: 'shelf', reference: 'shelves' }, h(TextField, { source: 'name' })),
      h(ReferenceArrayField, { source: 'authors', reference: 'authors' }),
      h(EditButton),
    ),
  )

const bookForm = h(
  SimpleForm,
  null,
  h(TextInput, { source: 'title', validate: required() }),
  h(NumberInput, { source: 'pages' }),
  shelfInput({ source: 'shelf' }),
)

const ShelfShow = () =>
  h(
    Show,
    null,
    h(
      SimpleShowLayout,
      null,
      h(TextField, { source: 'name' }),
      h(
        ReferenceManyField,
        { reference: 'books', target: 'shelf', sort: { field: 'title', order: 'DESC' } },
        h(Datagrid, { bulkActionButtons: false, rowClick: false }, h(TextField, { source: 'title' })),
      ),
    ),
  )

const App = () =>
  h(
    Admin,
    {
      dataProvider: createDataProvider(client, { search: { books: ['title', 'shelf.name'] } }),
      authProvider: createAuthProvider(client),
      disableTelemetry: true,
      requireAuth: true,
    },
    h(Resource, {
      name: 'books',
      list: BookList,
      edit: () => h(Edit, { mutationMode: 'pessimistic' }, bookForm),
      create: () => h(Create, null, bookForm),
    }),
    h(Resource, { name: 'shelves', show: ShelfShow, recordRepresentation: 'name' }),
    h(Resource, { name: 'authors', recordRepresentation: 'name' }),
  )

createRoot(document.body.appendChild(document.createElement('div'))).render(h(App))
