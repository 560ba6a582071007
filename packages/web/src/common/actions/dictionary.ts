import { defineDictionary } from '../../i18n/define-dictionary.ts'

export const actionTexts = defineDictionary(
  'actions',
  {
    done: '{title}: done.',
    question: 'Do you want to go on?',
    result: 'Result',
    unavailable: 'Not possible for this record at present.',
    yes: 'Yes',
    no: 'No',
  },
  {
    done: '{title}: erledigt.',
    question: 'Möchten Sie fortfahren?',
    result: 'Ergebnis',
    unavailable: 'Für diesen Datensatz derzeit nicht möglich.',
    yes: 'Ja',
    no: 'Nein',
  },
)
