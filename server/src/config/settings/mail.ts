// How mails leave.

import { choice, host, integer, mailbox, text } from '../kinds.ts'
import { setting } from '../load.ts'

export const mailSettings = {
  'app.mail.host': setting({
    is: host,
    default: '',
    meaning:
      'The SMTP server that takes mails; when empty, they are left as files in the folder `outbox` of the data folder.',
  }),
  'app.mail.port': setting({ is: integer(1, 65535), default: 587, meaning: 'The port of the SMTP server.' }),
  'app.mail.security': setting({
    is: choice('starttls', 'tls', 'none'),
    default: 'starttls',
    meaning: 'How the connection to the SMTP server is protected: `starttls`, `tls` from its start, or `none`.',
  }),
  'app.mail.username': setting({
    is: text('a name'),
    default: '',
    meaning: 'The name to sign in with at the SMTP server.',
  }),
  'app.mail.password': setting({
    is: text('a password'),
    default: '',
    secret: true,
    meaning: 'The password to sign in with at the SMTP server.',
  }),
  'app.mail.from': setting({
    is: mailbox,
    default: 'Plinth <no-reply@localhost>',
    meaning: 'The sender of all mails: an address, or a name and an address in angle brackets.',
  }),
  'app.mail.keepDays': setting({
    is: integer(1, 36_500),
    default: 30,
    meaning: 'After how many days mails are deleted, sent or not, with their files in the folder `outbox`.',
  }),
}
