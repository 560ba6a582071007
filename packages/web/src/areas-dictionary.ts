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
  },
  {
    home: 'Start',
    homeAbout: 'Überblick',
    resources: 'Datensätze',
    resourcesAbout: 'Datensätze suchen, ansehen und bearbeiten',
    reports: 'Berichte',
    reportsAbout: 'Summen und Vergleiche als Tabellen und Diagramme',
  },
)
