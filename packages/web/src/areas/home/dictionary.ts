import { defineDictionary } from '../../i18n/define-dictionary.ts'

export const homeTexts = defineDictionary(
  'home',
  {
    welcome: 'Welcome to {application}',
    welcomeBack: 'Hello, {name}',
    intro: 'Search, view and edit the records of this service.',
    introSignedOut: 'Some records are public. Sign in to see and do more.',
    areas: 'Areas',
    records: 'Records',
    none: 'You cannot see any records yet',
    developers: 'For developers',
    developersText: 'Everything here is also available as an HTTP API with schemas, four formats and a reference.',
    reference: 'Open API reference',
  },
  {
    welcome: 'Willkommen bei {application}',
    welcomeBack: 'Hallo, {name}',
    intro: 'Datensätze dieses Dienstes suchen, ansehen und bearbeiten.',
    introSignedOut: 'Einige Datensätze sind öffentlich. Melden Sie sich an, um mehr zu sehen und zu tun.',
    areas: 'Bereiche',
    records: 'Datensätze',
    none: 'Sie haben noch keinen Zugriff auf Datensätze',
    developers: 'Für Entwickler',
    developersText: 'Alles hier ist auch über eine HTTP-API verfügbar, mit Schemas, vier Formaten und einer Referenz.',
    reference: 'API-Referenz öffnen',
  },
)
