// How a mail leaves: by SMTP when a server is configured, else as a file in the outbox folder.

import nodemailer from 'nodemailer'
import type { Config } from '../../core/config/settings.ts'
import { writeMessage } from './outbox.ts'
import { mailSettings } from './settings.ts'

export interface Letter {
  /** Stays the same however often the mail is tried: a mailbox that gets it twice can tell. */
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly date: Date
}

export interface Transport {
  send(letter: Letter): Promise<void>
  close(): void
}

/** Together well below the time for which a mail is leased. */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Nothing in a message may make the library read files or fetch addresses. */
const selfContained = { disableFileAccess: true, disableUrlAccess: true }

export const createTransport = (config: Config): Transport =>
  config.get(mailSettings).host ? smtp(config) : folder(config)

const smtp = (config: Config): Transport => {
  const security = config.get(mailSettings).security
  const user = config.get(mailSettings).username
  const mailer = nodemailer.createTransport({
    host: config.get(mailSettings).host,
    port: config.get(mailSettings).port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user && { auth: { user, pass: config.get(mailSettings).password } }),
    ...timeouts,
    ...selfContained,
  })
  return {
    send: async letter => {
      await mailer.sendMail(toMessage(letter, config.get(mailSettings).from))
    },
    close: () => mailer.close(),
  }
}

const folder = (config: Config): Transport => {
  const mailer = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...selfContained,
  })
  return {
    send: async letter => {
      const { message } = await mailer.sendMail(toMessage(letter, config.get(mailSettings).from))
      await writeMessage(config, letter.id, message)
    },
    close: () => {},
  }
}

/** The envelope names the recipient by itself, so that no header can add another. */
const toMessage = ({ id, recipient, subject, html, text, date }: Letter, from: string) => ({
  messageId: `<${id}@plinth>`,
  date,
  from,
  to: { name: '', address: recipient },
  envelope: { from, to: [recipient] },
  subject,
  html,
  text,
  // RFC 3834: a machine that answers mails must not answer this one.
  headers: { 'Auto-Submitted': 'auto-generated' },
})
