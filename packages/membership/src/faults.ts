// What can be wrong with parties and metadata.

import { defineFaults } from 'plinth'

export const membershipFault = defineFaults({
  x500: { en: '{message}', de: 'Ungültiger X.500-Name: {message}.' },
  party: { en: '{message}', de: 'Diese Partei ist nicht verwendbar: {message}.' },
  json_schema: { en: '{message}', de: 'Entspricht nicht dem Schema: {message}.' },
  named_twice: { en: 'is listed twice', de: 'Ist doppelt aufgeführt.' },
  version: { en: 'must be a whole number from 1 on', de: 'Geben Sie eine ganze Zahl ab 1 ein.' },
})
