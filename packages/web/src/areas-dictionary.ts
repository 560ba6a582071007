// The names of the web client's own areas, and what they are for.

import { defineDictionary } from './i18n/define-dictionary.ts'

export const areaTexts = defineDictionary(
  'areas',
  {
    home: 'Start',
    homeAbout: 'Overview',
    resources: 'Records',
    resourcesAbout: 'Search, view and edit records',
    reports: 'Reports',
    reportsAbout: 'Numbers that add up, as tables and charts',
    management: 'Management',
    managementAbout: 'Health, metrics, logs and errors',
    account: 'Account',
    accountAbout: 'Your profile, password, devices and API keys',
  },
  {
    home: 'Start',
    homeAbout: 'Überblick',
    resources: 'Datensätze',
    resourcesAbout: 'Datensätze suchen, ansehen und bearbeiten',
    reports: 'Berichte',
    reportsAbout: 'Summen und Vergleiche als Tabellen und Diagramme',
    management: 'Verwaltung',
    managementAbout: 'Status, Metriken, Protokolle und Fehler',
    account: 'Konto',
    accountAbout: 'Ihr Profil, Passwort, Geräte und API-Schlüssel',
  },
)
