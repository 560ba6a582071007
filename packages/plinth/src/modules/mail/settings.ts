// Settings of the SMTP connection.

import { defineTextType, hostName } from '../../core/config/fields.ts'
import { defineSettings } from '../../core/config/settings.ts'
import { choice, integer, secret, text } from '../../core/model/fields.ts'

/** `ada@example.com` or `Ada <ada@example.com>`. */
const mailbox = defineTextType('text', 'must be an e-mail address, optionally with a name before it', text =>
  /^(?:[^<>"@,;:\\\r\n]* <)?[^\s<>@,;:"]+@[A-Za-z0-9.-]+>?$/.test(text) && text.includes('<') === text.endsWith('>')
    ? text
    : undefined,
)

export const mailSettings = defineSettings('app.mail', {
  host: hostName({
    default: '',
    about: 'The SMTP server. If empty, e-mails are written as files to the folder `outbox` in the data folder.',
  }),
  port: integer({ default: 587, min: 1, max: 65535, about: 'The port of the SMTP server.' }),
  security: choice(['starttls', 'tls', 'none'], {
    default: 'starttls',
    about: 'The encryption of the connection to the SMTP server: `starttls`, `tls` or `none`.',
  }),
  username: text({ default: '', about: 'The username for the SMTP server.' }),
  password: secret({ default: '', about: 'The password for the SMTP server.' }),
  from: mailbox({
    default: 'Plinth <no-reply@localhost>',
    about: 'The sender of all e-mails: an address, or a name and an address in angle brackets.',
  }),
  keepDays: integer({
    default: 30,
    min: 1,
    max: 36_500,
    about: 'Days until e-mails are deleted, sent or not, with their files in the folder `outbox`.',
  }),
})
