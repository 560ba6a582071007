import { defineDictionary } from '../../i18n/define-dictionary.ts'

export const actionTexts = defineDictionary(
  'actions',
  {
    done: '{title}: done.',
    result: 'Result',
    unavailable: 'Not possible for this record at present.',
    notOffered: 'You don’t have access to this action, or it does not exist.',
    yes: 'Yes',
    no: 'No',
  },
  {
    done: '{title}: erledigt.',
    result: 'Ergebnis',
    unavailable: 'Für diesen Datensatz derzeit nicht möglich.',
    notOffered: 'Diese Aktion gibt es nicht, oder Sie haben keinen Zugriff.',
    yes: 'Ja',
    no: 'Nein',
  },
)
