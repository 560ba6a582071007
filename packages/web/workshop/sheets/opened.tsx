// What opens: dialogs, menus and the lists of pickers. Each has the page to itself.

import { ActionDialog } from '../../src/areas/resources/actions/action-dialog.tsx'
import { BulkDialog } from '../../src/areas/resources/bulk/bulk-dialog.tsx'
import { ColumnsMenu } from '../../src/areas/resources/columns-menu.tsx'
import { ConflictModal } from '../../src/areas/resources/conflict-modal.tsx'
import { ExportMenu } from '../../src/areas/resources/export-menu.tsx'
import { useActions } from '../../src/common/actions/use-actions.ts'
import { FieldInput } from '../../src/common/records/field-input.tsx'
import { fieldsFor, toFieldUse, useSchema } from '../../src/common/records/schema.ts'
import { ConfirmButton, RecordPicker } from '../../src/kit.ts'
import { Preferences } from '../../src/shell/preferences.tsx'
import { UserMenu } from '../../src/shell/user-menu.tsx'
import { user } from '../service.ts'
import { type Sheet, state } from '../sheet.ts'

const nothing = () => {}

const useFields = () => {
  const { data: schema } = useSchema('books')
  return schema ? fieldsFor(schema, 'list') : []
}

const AskedFirst = ({ id }: { readonly id: string }) => {
  const action = useActions('books', 'record').find(one => one.id === id)
  return action && <ActionDialog action={action} onCall={async () => null} onClose={nothing} />
}

const RenewalOfSeveral = () => {
  const [action] = useActions('books', 'record')
  const records = ['Emma', 'Persuasion'].map(title => ({ pk: title, title }))
  if (!action) return null
  const { title, fields } = action
  const about = ['Readers keep them longer.', 'For 2 records.']
  const task = { title, submit: title, about, fields, records, skipped: 1 }
  const calls = { call: async () => null, onSuccess: nothing }
  return <BulkDialog task={{ ...task, ...calls, isDestructive: false }} onRun={nothing} onClose={nothing} />
}

const Conflict = () => {
  const fields = useFields()
  const base = { title: 'Emma', state: 'new', pages: 320 }
  const conflict = { base, mine: { ...base, state: 'used' }, theirs: { ...base, title: 'Emma, a novel', pages: 474 } }
  if (fields.length === 0) return null
  return <ConflictModal fields={fields} conflict={conflict} onClose={nothing} onDrop={nothing} onMerge={nothing} />
}

const Columns = () => {
  const fields = useFields()
  return fields.length > 0 && <ColumnsMenu columns={{ all: fields, visible: fields.slice(0, 3), choose: nothing }} />
}

const listing = { resource: 'books', filter: '', sort: 'title', fields: ['title'] }

const choice = toFieldUse('state', {
  ...{ widget: 'select', label: 'State', options: ['new', 'used', 'lost'] },
  ...{ required: false, nullable: true, readOnly: false, writeOnly: false, searchable: true, sortable: true },
})

export const opened: Sheet = {
  name: 'opened',
  shows: ['Dialog'],
  isOneByOne: true,
  states: [
    state(
      'a question',
      <ConfirmButton question="Delete the loan?" explanation="It cannot be undone." onConfirm={async () => {}}>
        Delete
      </ConfirmButton>,
    ),
    state('the form of an endpoint', <AskedFirst id="renewBook" />),
    state('an endpoint by which something is lost', <AskedFirst id="withdrawBook" />),
    state('the form for several records', <RenewalOfSeveral />),
    state('two people have changed a record', <Conflict />),
    state(
      'records to choose from',
      <RecordPicker resource="books" labelField="title" label="Book" value={null} onChange={nothing} />,
    ),
    state('words to choose from', <FieldInput field={choice} value="used" error={undefined} onChange={nothing} />),
    state('the columns of a list', <Columns />),
    state('the formats of a list', <ExportMenu listing={listing} columns={[]} />),
    state('the menu of the user', <UserMenu user={user} />),
    state('the languages', <Preferences />),
  ],
}
