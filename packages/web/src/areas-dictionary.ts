// The names of the areas, and what they are for.

import { defineDictionary } from './i18n/define-dictionary.ts'

export const areaTexts = defineDictionary(
  'areas',
  {
    home: 'Start',
    homeAbout: 'Overview',
    resources: 'Records',
    resourcesAbout: 'Search, view and edit records',
    counter: 'Counter',
    counterAbout: 'Rent out and return films',
    friends: 'Friends',
    friendsAbout: 'Your friends and who is online',
    network: 'Network',
    networkAbout: 'Memberships in business networks',
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
    counter: 'Theke',
    counterAbout: 'Filme verleihen und zurücknehmen',
    friends: 'Freunde',
    friendsAbout: 'Ihre Freunde und wer online ist',
    network: 'Netzwerk',
    networkAbout: 'Mitgliedschaften in Geschäftsnetzen',
    management: 'Verwaltung',
    managementAbout: 'Status, Metriken, Protokolle und Fehler',
    account: 'Konto',
    accountAbout: 'Ihr Profil, Passwort, Geräte und API-Schlüssel',
  },
)

export type AreaText = keyof typeof areaTexts.texts.en
