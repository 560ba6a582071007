// Ways to reach somebody. Each has a `value`, the text by which it is known again, and the mark that it was verified.

import { defineFaults } from '../../core/fault.ts'
import { boolean, computed, text } from '../../core/model/fields.ts'
import { refPart } from '../../core/model/structures.ts'
import { emailPattern } from '../mail/index.ts'

export const contactFault = defineFaults({
  telephone: 'must be a telephone number',
  confirmed: 'is confirmed: it is replaced by confirming another one, not removed',
})

const verified = boolean({ serverOwned: true, default: false, about: 'Has the person shown that it is theirs?' })
const description = text({ max: 255 })

export const emailParts = {
  email: text({ required: true, max: 254, format: 'email', pattern: emailPattern }),
  description,
  value: computed(text({ max: 254 }), ({ email }) => String(email)),
  verified,
}

export const cellphoneParts = {
  number: text({
    required: true,
    max: 40,
    pattern: { is: /^\+?[0-9][0-9 ()./-]{3,38}$/, says: contactFault('telephone') },
  }),
  description,
  value: computed(text({ max: 40 }), ({ number }) => String(number).replace(/[^+0-9]/g, '')),
  verified,
}

export const addressParts = {
  addressLine1: text({ required: true, max: 255 }),
  addressLine2: text({ max: 255 }),
  postOfficeBoxNumber: text({ max: 50 }),
  postCode: refPart('postalCodes'),
  description,
  value: computed(text({ max: 900 }), ({ addressLine1, addressLine2, postOfficeBoxNumber, postCode }) =>
    [addressLine1, addressLine2, postOfficeBoxNumber, postCode].filter(Boolean).join(', '),
  ),
  verified,
}
