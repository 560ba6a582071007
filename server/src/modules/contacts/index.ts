import { defineModule } from '../../core/module.ts'
import { contactDetails } from './contact-details.ts'
import { mailboxes } from './mailboxes.ts'
import { personalDetails } from './personal-details.ts'

export { askToConfirm, confirmAddress } from './confirm.ts'
export { createDetails } from './create-details.ts'
export { mailboxOf } from './mailboxes.ts'
export { isUnconfirmed } from './unconfirmed.ts'

export const contacts = defineModule({
  name: 'contacts',
  about: 'How to reach users, and their personal details.',
  resources: [contactDetails, personalDetails, mailboxes],
})
