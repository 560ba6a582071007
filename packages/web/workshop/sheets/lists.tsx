import { RecordTable } from '../../src/areas/resources/record-table.tsx'
import { fieldsFor, useSchema } from '../../src/common/records/schema.ts'
import { Empty } from '../../src/kit.ts'
import { type Sheet, state } from '../sheet.ts'

const List = ({ path }: { readonly path: string }) => {
  const { data: schema } = useSchema('books')
  if (!schema) return null
  const columns = fieldsFor(schema, 'list').slice(0, 3)
  const listing = {
    resource: path,
    filter: '',
    sort: 'title',
    fields: columns.map(({ name }) => name),
  }
  return (
    <RecordTable
      title="Books"
      listing={listing}
      columns={columns}
      onSort={() => {}}
      empty={<Empty title="No books" />}
    />
  )
}

export const lists: Sheet = {
  name: 'lists',
  shows: [],
  states: [
    state('records', <List path="books" />),
    state('no records', <List path="empty" />),
    state('loading', <List path="slow" />),
    state('an error', <List path="broken" />),
  ],
}
