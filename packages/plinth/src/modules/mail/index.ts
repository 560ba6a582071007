import { givenBy } from '../../core/config/features.ts'
import { mailsOf } from '../../core/mail.ts'
import { defineModule } from '../../core/module.ts'
import { attachmentsFor, mailAttachments, type ReadContent } from './attachments.ts'
import { mailAudit, mailContents, mails, outboxFor, readMessageEndpoint } from './mails.ts'
import { checkMail, mailSweeps, withdrawQueuedTokens } from './queue.ts'
import { startSender } from './sender.ts'
import { oneTimeTokens } from './tokens.ts'
import { createTransport, mailSettings } from './transport.ts'

export {
  addressDigest,
  canonicalAddress,
  emailPattern,
  isEmail,
  isSameMailbox,
  maskEmail,
} from '../../core/model/email-address.ts'
export { isAttached } from './attachments.ts'
export { mails } from './mails.ts'
export { type NewMail, queueLinkMail, queueMail } from './queue.ts'
export { toSmtpFailure } from './smtp-failure.ts'
export { defineLinkMail, disarm, type NamedAccount } from './templates.ts'
export { endTokens, readToken, type TokenBinding, useToken } from './tokens.ts'
export { mailSettings, type OutgoingMail, tryMailServer } from './transport.ts'

/**
 * `readContent` reads files of records; `open` opens the way out for mails: to a server or a folder, as the settings say, unless it is
 * given.
 */
export const createMail = (readContent: ReadContent, open: typeof createTransport = createTransport) =>
  defineModule({
    name: 'mail',
    title: { de: 'Post' },
    about: {
      en: 'The e-mail outbox, its delivery and one-time tokens in e-mails.',
      de: 'Der E-Mail-Ausgang, der Versand und Einmal-Token in E-Mails.',
    },
    settings: [mailSettings],
    features: [givenBy('mail.smtp', mailSettings, 'host')],
    auditTypes: mailAudit.types,
    resources: [mails, mailContents, mailAttachments, oneTimeTokens],
    configure: (config, modules) => ({
      resources: [
        outboxFor({ mails: mailsOf(modules), settings: config.get }),
        mailContents,
        attachmentsFor(config),
        oneTimeTokens,
      ],
    }),
    endpoints: service => [readMessageEndpoint(service)],
    seeds: [withdrawQueuedTokens],
    health: { mail: checkMail },
    sweeps: mailSweeps,
    start: service => startSender(service, { open, readContent }),
  })
