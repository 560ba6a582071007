import { FileDrop, RecordPicker } from '../../src/kit.ts'
import { type Sheet, state } from '../sheet.ts'

const picker = { resource: 'books', labelField: 'title', label: 'Book', onChange: () => {} }

export const inputs: Sheet = {
  name: 'inputs',
  shows: ['RecordPicker', 'FileDrop'],
  states: [
    state('a record to choose', <RecordPicker {...picker} value={null} required />),
    state('a chosen record', <RecordPicker {...picker} value={{ pk: 'book-0', title: 'Emma' }} />),
    state('a refused record', <RecordPicker {...picker} value={null} error="Choose a book that is there." />),
    state('files', <FileDrop label="Photos of the damage" accept="image/*" onFiles={() => {}} />),
    state('no files at present', <FileDrop label="Photos of the damage" onFiles={() => {}} disabled />),
  ],
}
