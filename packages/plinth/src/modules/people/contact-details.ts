// Contact and personal details. Contact details are e-mail addresses, telephone numbers and postal addresses: each has a `value`, the
// text that identifies it, and says whether it was verified.

import { fault } from '../../core/fault.ts'
import type { AccessRules } from '../../core/model/access-rules.ts'
import { defineResource } from '../../core/model/define.ts'
import { listOf, refPart, structure } from '../../core/model/fields/structure.ts'
import { boolean, computed, date, ref, text } from '../../core/model/fields.ts'
import { sharedWith } from '../../core/model/identifier.ts'
import { emailPattern } from '../mail/index.ts'

const rule = "record.pk == caller.pk || caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')"

/** The access of the user and of those who run the site. */
export const ownOrManaged: AccessRules = { read: rule, write: rule }

const verified = boolean({
  serverOwned: true,
  default: false,
  about: { en: 'Whether the user has confirmed it.', de: 'Hat die Person bestätigt, dass dies ihr gehört?' },
  title: { de: 'Bestätigt' },
})
const description = text({ max: 255, title: { de: 'Beschreibung' } })

const emailParts = {
  email: text({ required: true, max: 254, format: 'email', pattern: emailPattern, title: { de: 'E-Mail' } }),
  description,
  value: computed(text({ max: 254, title: { de: 'Wert' } }), ({ email }: { readonly email: string }) => email),
  verified,
}

const cellphoneParts = {
  number: text({
    required: true,
    max: 40,
    pattern: { is: /^\+?[0-9][0-9 ()./-]{3,38}$/, says: fault('telephone') },
    title: { de: 'Nummer' },
  }),
  description,
  value: computed(text({ max: 40, title: { de: 'Wert' } }), ({ number }: { readonly number: string }) =>
    number.replace(/[^+0-9]/g, ''),
  ),
  verified,
}

/** What the text of a postal address is computed from. */
export interface AddressValues {
  readonly addressLine1: string
  readonly addressLine2?: string | null | undefined
  readonly postOfficeBoxNumber?: string | null | undefined
  readonly postCode?: string | null | undefined
}

const addressParts = {
  addressLine1: text({ required: true, max: 255, title: { en: 'Address line 1', de: 'Anschrift' } }),
  addressLine2: text({ max: 255, title: { en: 'Address line 2', de: 'Adresszusatz' } }),
  postOfficeBoxNumber: text({ max: 50, title: { de: 'Postfach' } }),
  postCode: refPart('postalCodes', { title: { de: 'Postleitzahl' } }),
  description,
  value: computed(
    text({ max: 900, title: { de: 'Wert' } }),
    ({ addressLine1, addressLine2, postOfficeBoxNumber, postCode }: AddressValues) =>
      [addressLine1, addressLine2, postOfficeBoxNumber, postCode].filter(Boolean).join(', '),
  ),
  verified,
}

/** The addresses and phone numbers of a user: the standard resource `contactDetails`. */
export const contactDetails = defineResource('contactDetails', {
  title: { de: 'Kontaktdaten' },
  singularTitle: { de: 'Kontaktdaten' },
  about: { en: 'Contact details of a user.', de: 'Kontaktdaten einer Person.' },
  singular: 'contactDetails',
  identifier: sharedWith('user'),
  history: true,
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Person' } }),
    primaryEmail: structure(emailParts, {
      identity: 'value',
      title: { en: 'E-mail', de: 'E-Mail' },
      about: {
        en: 'Users can sign in with it once it is confirmed. Confirm another address to replace it. Only administrators can remove it, or change it before the registration is confirmed. You cannot change it for users with roles that you do not have.',
        de: 'Nach der Bestätigung kann man sich damit anmelden. Bestätigen Sie eine andere Adresse, um sie zu ersetzen. Nur Administratoren können sie entfernen oder vor der Bestätigung der Registrierung ändern.',
      },
    }),
    primaryCellphone: structure(cellphoneParts, { identity: 'value', title: { en: 'Cellphone', de: 'Mobiltelefon' } }),
    primaryAddress: structure(addressParts, { identity: 'value', title: { en: 'Address', de: 'Adresse' } }),
    emails: listOf(emailParts, {
      identity: 'value',
      title: { en: 'Other e-mail addresses', de: 'Weitere E-Mail-Adressen' },
    }),
    cellphones: listOf(cellphoneParts, {
      identity: 'value',
      title: { en: 'Further cellphones', de: 'Weitere Mobiltelefone' },
    }),
    addresses: listOf(addressParts, { identity: 'value', title: { en: 'Further addresses', de: 'Weitere Adressen' } }),
  },
  requires: { recentSignIn: { create: ['primaryEmail'], update: ['primaryEmail'] } },
  families: { create: 'jsonApi', find: 'jsonApi', delete: 'jsonApi' },
  access: ownOrManaged,
})

/** The standard resource `personalDetails`: date of birth and the like. */
export const personalDetails = defineResource('personalDetails', {
  title: { de: 'Persönliche Daten' },
  singularTitle: { de: 'Persönliche Daten' },
  about: {
    en: 'Personal data, visible to the user and to site operators.',
    de: 'Persönliche Daten, sichtbar für die Person selbst und die Betreiber.',
  },
  singular: 'personalDetails',
  identifier: sharedWith('user'),
  history: true,
  fields: {
    user: ref('users', { required: true, onDelete: 'cascade', title: { de: 'Person' } }),
    birthDay: date({ title: { en: 'Date of birth', de: 'Geburtsdatum' } }),
  },
  families: { create: 'jsonApi', find: 'jsonApi', delete: 'jsonApi' },
  access: ownOrManaged,
})
