import { variantOf } from '../../core/model/define.ts'
import { defineModule } from '../../core/module.ts'
import { contactDetails } from './contact-details.ts'
import { contactHooks } from './contact-hooks.ts'
import { mailboxes } from './mailboxes.ts'
import { contactFault } from './parts.ts'
import { personalDetails } from './personal-details.ts'

export { askToConfirm, confirmAddress } from './confirm.ts'
export { contactDetails } from './contact-details.ts'
export { createDetails } from './create-details.ts'
export { mailboxOf } from './mailboxes.ts'
export { personalDetails } from './personal-details.ts'
export { isUnconfirmed } from './unconfirmed.ts'

export const contacts = defineModule({
  name: 'contacts',
  title: { de: 'Kontakte' },
  about: {
    en: 'How to reach users, and their personal details.',
    de: 'Wie Personen zu erreichen sind, und ihre persönlichen Daten.',
  },
  faults: contactFault.table,
  resources: [variantOf(contactDetails, { ...contactDetails, hooks: contactHooks }), personalDetails, mailboxes],
})
