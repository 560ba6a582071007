// Ways to reach somebody. Each has a `value`, the text by which it is known again, and the mark that it was verified.

import { defineFaults } from '../../core/fault.ts'
import { boolean, computed, text } from '../../core/model/fields.ts'
import { refPart } from '../../core/model/structures.ts'
import { emailPattern } from '../mail/index.ts'

export const contactFault = defineFaults({
  telephone: 'must be a telephone number',
  confirmed: 'is confirmed: it is replaced by confirming another one, not removed',
})

const verified = boolean({
  serverOwned: true,
  default: false,
  about: { en: 'Has the person shown that it is theirs?', de: 'Hat die Person bestätigt, dass dies ihr gehört?' },
  title: { de: 'Bestätigt' },
})
const description = text({ max: 255, title: { de: 'Beschreibung' } })

export const emailParts = {
  email: text({ required: true, max: 254, format: 'email', pattern: emailPattern, title: { de: 'E-Mail' } }),
  description,
  value: computed(text({ max: 254, title: { de: 'Wert' } }), ({ email }) => String(email)),
  verified,
}

export const cellphoneParts = {
  number: text({
    required: true,
    max: 40,
    pattern: { is: /^\+?[0-9][0-9 ()./-]{3,38}$/, says: contactFault('telephone') },
    title: { de: 'Nummer' },
  }),
  description,
  value: computed(text({ max: 40, title: { de: 'Wert' } }), ({ number }) => String(number).replace(/[^+0-9]/g, '')),
  verified,
}

export const addressParts = {
  addressLine1: text({ required: true, max: 255, title: { en: 'Address line 1', de: 'Anschrift' } }),
  addressLine2: text({ max: 255, title: { en: 'Address line 2', de: 'Adresszusatz' } }),
  postOfficeBoxNumber: text({ max: 50, title: { de: 'Postfach' } }),
  postCode: refPart('postalCodes', { title: { de: 'Postleitzahl' } }),
  description,
  value: computed(
    text({ max: 900, title: { de: 'Wert' } }),
    ({ addressLine1, addressLine2, postOfficeBoxNumber, postCode }) =>
      [addressLine1, addressLine2, postOfficeBoxNumber, postCode].filter(Boolean).join(', '),
  ),
  verified,
}
