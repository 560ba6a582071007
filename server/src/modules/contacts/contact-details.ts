import { defineResource, sharedWith } from '../../core/model/define.ts'
import { ref } from '../../core/model/fields.ts'
import { listOf, structure } from '../../core/model/structures.ts'
import { ownOrManaged } from './access.ts'
import { addressParts, cellphoneParts, emailParts } from './parts.ts'

export const contactDetails = defineResource('contactDetails', {
  title: { de: 'Kontaktdaten' },
  singularTitle: { de: 'Kontaktdaten' },
  about: { en: 'How to reach a user.', de: 'Wie eine Person zu erreichen ist.' },
  singular: 'contactDetails',
  identifier: sharedWith('user'),
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Person' } }),
    primaryEmail: structure(emailParts, {
      identity: 'value',
      title: { en: 'E-mail', de: 'E-Mail' },
      about: {
        en: 'Opens the account once it is confirmed. A confirmed one is replaced by confirming another; only administrators remove it, and only they change that of a registration that is not confirmed yet. For a user with a role that the caller lacks it is not to be written.',
        de: 'Nach der Bestätigung öffnet sie das Konto. Eine bestätigte Adresse wird ersetzt, indem eine andere bestätigt wird; nur Administratoren können sie entfernen oder die einer noch nicht bestätigten Registrierung ändern.',
      },
    }),
    primaryCellphone: structure(cellphoneParts, { identity: 'value', title: { en: 'Cellphone', de: 'Mobiltelefon' } }),
    primaryAddress: structure(addressParts, { identity: 'value', title: { en: 'Address', de: 'Adresse' } }),
    emails: listOf(emailParts, {
      identity: 'value',
      title: { en: 'Further e-mail addresses', de: 'Weitere E-Mail-Adressen' },
    }),
    cellphones: listOf(cellphoneParts, {
      identity: 'value',
      title: { en: 'Further cellphones', de: 'Weitere Mobiltelefone' },
    }),
    addresses: listOf(addressParts, { identity: 'value', title: { en: 'Further addresses', de: 'Weitere Adressen' } }),
  },
  access: ownOrManaged,
})
