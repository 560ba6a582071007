import { defineModule } from '../../core/module.ts'
import { mailContents, mails } from './mails.ts'
import { startSender } from './sender.ts'

export { emailHashOf, emailPattern, isEmail } from './address.ts'
export { queueMail } from './queue.ts'

export const mail = defineModule({
  name: 'mail',
  about: 'The outbox, and what sends it.',
  resources: [mails, mailContents],
  start: startSender,
})
