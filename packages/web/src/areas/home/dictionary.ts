import { defineDictionary } from '../../i18n/dictionary.ts'

export const homeTexts = defineDictionary(
  {
    welcome: 'Welcome to Plinth',
    welcomeBack: 'Hello, {name}',
    intro: 'Every record of the service, ready to search, read and change.',
    introNobody: 'Some records are open to everybody. Sign in to see and do more.',
    areas: 'Where to?',
    records: 'Records',
    none: 'Nothing is open to you yet',
    developers: 'For developers',
    developersText: 'Whatever you see here is also an HTTP interface with schemas, four formats and a reference.',
    reference: 'Open the API reference',
  },
  {
    welcome: 'Willkommen bei Plinth',
    welcomeBack: 'Hallo, {name}',
    intro: 'Alle Datensätze des Dienstes, zum Suchen, Lesen und Ändern.',
    introNobody: 'Einige Datensätze sind für alle offen. Melden Sie sich an, um mehr zu sehen und zu tun.',
    areas: 'Wohin?',
    records: 'Datensätze',
    none: 'Noch ist für Sie nichts offen',
    developers: 'Für Entwickler',
    developersText:
      'Alles, was Sie hier sehen, ist auch eine HTTP-Schnittstelle mit Schemas, vier Formaten und einer Referenz.',
    reference: 'API-Referenz öffnen',
  },
)
