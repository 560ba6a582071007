// How a mail leaves: by SMTP, or as a file in the outbox folder when no server is configured. Each file is named after its record.

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { defineTextType, hostName, list } from '../../core/config/fields.ts'
import { appSettings } from '../../core/config/service-settings.ts'
import { type Config, defineSettings } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { choice, integer, secret, text } from '../../core/model/fields.ts'

/** A file that a mail carries. */
export interface OutgoingAttachment {
  readonly name: string
  readonly mediaType: string
  readonly content: Buffer
}

export interface OutgoingMail {
  /** The same at every attempt: a mailbox that gets the mail twice can tell. */
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly attachments: readonly OutgoingAttachment[]
  readonly date: Date
  /** The name of the application. */
  readonly application: string
}

export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/** The time limits, together well below the time of a lease. */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** The library must not read files or fetch addresses. */
const selfContained = { disableFileAccess: true, disableUrlAccess: true }

/** Loads the mailer with the first mail. */
const loadMailer = async () => (await import('nodemailer')).default

export const createTransport = (config: Config): Promise<MailTransport> =>
  config.get(mailSettings).host ? smtp(config) : folder(config)

const smtpOptions = (config: Config) => {
  const { host, port, security, username: user, password: pass } = config.get(mailSettings)
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user && { auth: { user, pass } }),
    ...selfContained,
  }
}

/** Connects to the server, encrypts and signs in as the settings say, and sends nothing. Throws what `toSmtpFailure` explains. */
export const tryMailServer = async (config: Config, timeoutMs: number): Promise<void> => {
  const limits = {
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  }
  const mailer = (await loadMailer()).createTransport({ ...smtpOptions(config), ...limits })
  try {
    await mailer.verify()
  } finally {
    mailer.close()
  }
}

const smtp = async (config: Config): Promise<MailTransport> => {
  const mailer = (await loadMailer()).createTransport({ ...smtpOptions(config), ...timeouts })
  return {
    send: async mail => {
      await mailer.sendMail(toMessage(mail, config.get(mailSettings).from))
    },
    close: () => mailer.close(),
  }
}

const folder = async (config: Config): Promise<MailTransport> => {
  const mailer = (await loadMailer()).createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...selfContained,
  })
  return {
    send: async mail => {
      const { message } = await mailer.sendMail(toMessage(mail, config.get(mailSettings).from))
      await writeMessage(config, mail.id, message)
    },
    close: () => {},
  }
}

/** Makes a message with an explicit envelope, so that no header can add another recipient. */
const toMessage = (
  { id, recipient, subject, html, text, attachments, date, application }: OutgoingMail,
  from: string,
) => ({
  messageId: `<${id}@plinth>`,
  date,
  from: from.includes('<') ? from : { name: application, address: from },
  to: { name: '', address: recipient },
  envelope: { from, to: [recipient] },
  subject,
  html,
  text,
  attachments: attachments.map(({ name, mediaType, content }) => ({
    ...{ filename: name, contentType: mediaType, content },
  })),
  // RFC 3834: automatic responders must not reply.
  headers: { 'Auto-Submitted': 'auto-generated' },
})

const outboxOf = (config: Config): string => join(config.get(appSettings).dataDir, 'outbox')

const pathOf = (config: Config, id: string): string => join(outboxOf(config), `${id}.eml`)

const draftOf = (config: Config, id: string): string => join(outboxOf(config), `.${id}`)

/** Links in mails open accounts: only the user that runs the service may read the file. */
const writeMessage = (config: Config, id: string, message: Buffer | Readable): Promise<void> =>
  replaceFile(pathOf(config, id), message, draftOf(config, id))

/** Returns null when there is no file: the mail is not written yet, or was sent to a server. */
export const readMessage = (config: Config, id: string): Promise<Buffer | null> =>
  readFile(pathOf(config, id)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

const ours = /^\.?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.eml)?$/

/** The pks of all mails with a file, complete or not. */
export const listMessages = async (config: Config): Promise<readonly string[]> => {
  const names = await readdir(outboxOf(config)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.flatMap(name => ours.exec(name)?.[1] ?? [])
}

export const removeMessage = async (config: Config, id: string): Promise<void> => {
  for (const path of [pathOf(config, id), draftOf(config, id)]) await rm(path, { force: true })
}

// Settings of the SMTP connection.

/** `ada@example.com` or `Ada <ada@example.com>`. */
const mailbox = defineTextType('text', 'must be an e-mail address, optionally with a name before it', text =>
  /^(?:[^<>"@,;:\\\r\n]* <)?[^\s<>@,;:"]+@[A-Za-z0-9.-]+>?$/.test(text) && text.includes('<') === text.endsWith('>')
    ? text
    : undefined,
)

/** What the outbox can hold at most, in bytes: mail servers take less. */
export const mostAttachmentBytes = 52_428_800

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
    default: 'no-reply@localhost',
    about:
      'The sender of all e-mails: an address, or a name and an address in angle brackets. ' +
      'Without a name, it is that of the application.',
  }),
  keepDays: integer({
    default: 30,
    min: 1,
    max: 36_500,
    about: 'Days until e-mails are deleted, sent or not, with their files in the folder `outbox`.',
  }),
  maxAttachments: integer({ default: 10, min: 0, max: 100, about: 'How many attachments an e-mail can have.' }),
  maxAttachmentBytes: integer({
    default: 10_485_760,
    min: 1024,
    max: mostAttachmentBytes,
    about: 'The maximum size of all attachments of an e-mail together, in bytes.',
  }),
  attachmentTypes: list(text({}), {
    default: [],
    about:
      'The media types that attachments can have, such as `application/pdf` and `image/*`. If empty, they can have any.',
  }),
})
