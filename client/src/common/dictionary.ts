// What every area says: buttons, and what can go wrong.

import { defineDictionary } from '../i18n/dictionary.ts'

export const commonTexts = defineDictionary(
  {
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    delete: 'Delete',
    edit: 'Edit',
    create: 'Create',
    back: 'Back',
    retry: 'Try again',
    search: 'Search',
    clear: 'Clear',
    undo: 'Undo',
    copy: 'Copy',
    copied: 'Copied',
    yes: 'Yes',
    no: 'No',
    none: 'none',
    loading: 'Loading …',
    required: 'This is needed.',
    more: 'More',
    showMore: 'Show more',
    reference: 'Recorded as {id}',
    retryIn: { one: 'Try again in {count} second.', other: 'Try again in {count} seconds.' },
  },
  {
    save: 'Speichern',
    cancel: 'Abbrechen',
    close: 'Schließen',
    delete: 'Löschen',
    edit: 'Bearbeiten',
    create: 'Anlegen',
    back: 'Zurück',
    retry: 'Noch einmal versuchen',
    search: 'Suchen',
    clear: 'Leeren',
    undo: 'Rückgängig',
    copy: 'Kopieren',
    copied: 'Kopiert',
    yes: 'Ja',
    no: 'Nein',
    none: 'keine',
    loading: 'Wird geladen …',
    required: 'Wird benötigt.',
    more: 'Mehr',
    showMore: 'Mehr zeigen',
    reference: 'Aufgezeichnet als {id}',
    retryIn: {
      one: 'Versuchen Sie es in {count} Sekunde noch einmal.',
      other: 'Versuchen Sie es in {count} Sekunden noch einmal.',
    },
  },
)

/** By the code of a problem; a code that is missing here is told in the service's own words. */
export const problemTexts = defineDictionary(
  {
    unreachable: 'The service does not answer. Check the connection.',
    unavailable: 'The service is busy or being restarted. It should answer again in a moment.',
    internal: 'The service failed. The incident is recorded.',
    unauthorized: 'You are not signed in, or what you typed is wrong.',
    forbidden: 'You have no right to do this.',
    not_found: 'It does not exist, or it is not yours to see.',
    too_many_requests: 'That was too often in a short time.',
    precondition_failed: 'Somebody else has changed it meanwhile.',
    stale: 'Somebody else has changed it meanwhile.',
    taken: 'This name or identifier is already taken.',
    referenced: 'Other records still refer to it.',
    too_large: 'That is too large.',
    invalid: 'Some entries are not right yet.',
  },
  {
    unreachable: 'Der Dienst antwortet nicht. Prüfen Sie die Verbindung.',
    unavailable: 'Der Dienst ist überlastet oder startet neu. Gleich sollte er wieder antworten.',
    internal: 'Der Dienst hat versagt. Der Vorfall ist aufgezeichnet.',
    unauthorized: 'Sie sind nicht angemeldet, oder die Eingabe ist falsch.',
    forbidden: 'Dazu haben Sie kein Recht.',
    not_found: 'Es existiert nicht, oder es ist nicht für Sie bestimmt.',
    too_many_requests: 'Das war zu oft in kurzer Zeit.',
    precondition_failed: 'Jemand anders hat es inzwischen geändert.',
    stale: 'Jemand anders hat es inzwischen geändert.',
    taken: 'Dieser Name oder diese Kennung ist schon vergeben.',
    referenced: 'Andere Datensätze verweisen noch darauf.',
    too_large: 'Das ist zu groß.',
    invalid: 'Einige Eingaben stimmen noch nicht.',
  },
)

/** By the code of a fault of one member. */
export const faultTexts = defineDictionary(
  {
    required: 'This is needed.',
    taken: 'This is already taken.',
    unique: 'This is already taken.',
  },
  {
    required: 'Wird benötigt.',
    taken: 'Das ist schon vergeben.',
    unique: 'Das ist schon vergeben.',
  },
)
