// A mail server on loopback that stores what it receives.

import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { waitingFor } from '../../plinth/src/testing/waiting.ts'
import type { Certified } from './certificate.ts'

export interface ReceivedMail {
  /** The user who signed in to send it; null without a sign-in. */
  readonly by: string | null
  readonly isEncrypted: boolean
  /** The sender has asked for addresses beyond ASCII (RFC 6531). */
  readonly isInternational: boolean
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly mail: ParsedMail
}

export interface MailServer {
  readonly port: number
  readonly deliveries: readonly ReceivedMail[]
  /** Waits for the next delivery that fits. */
  next(fits?: (delivery: ReceivedMail) => boolean): Promise<ReceivedMail>
  stop(): Promise<void>
}

export interface MailServerOptions {
  readonly port?: number
  /** The reply to a recipient: an SMTP status in place of acceptance. */
  readonly refuses?: (address: string) => number | null
  /** Offers STARTTLS or, with `fromStart`, speaks nothing but TLS. */
  readonly tls?: Certified & { readonly fromStart?: boolean }
  /** Takes mails only from those who sign in, which takes TLS. */
  readonly knows?: (username: string, password: string) => boolean
}

export const startMailServer = async (options: MailServerOptions = {}): Promise<MailServer> => {
  const { port = 0, refuses, tls, knows } = options
  const deliveries: ReceivedMail[] = []
  const arrivals = new EventEmitter().setMaxListeners(0)
  const server = new SMTPServer({
    authOptional: knows === undefined,
    disabledCommands: tls ? [] : ['STARTTLS'],
    ...(tls && { key: tls.key, cert: tls.certificate, secure: tls.fromStart === true }),
    onAuth: ({ username, password }, _session, done) =>
      username && password && knows?.(username, password)
        ? done(null, { user: username })
        : done(new Error(`not so, ${username}: ${password}`)),
    onRcptTo: ({ address }, _session, done) => {
      const status = refuses?.(address) ?? null
      done(status === null ? null : Object.assign(new Error(`no such box: ${address}`), { responseCode: status }))
    },
    onData: (stream, { envelope, secure, user }, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', async () => {
        const raw = Buffer.concat(pieces)
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        const args: unknown = envelope.mailFrom ? envelope.mailFrom.args : null
        const isInternational = typeof args === 'object' && args !== null && 'SMTPUTF8' in args
        const [by, isEncrypted] = [user ?? null, secure]
        const mail = await simpleParser(raw)
        deliveries.push({ by, isEncrypted, isInternational, from, to, raw: raw.toString(), mail })
        done()
        arrivals.emit('mail')
      })
    },
  })
  const nextThat = async (fits: (delivery: ReceivedMail) => boolean): Promise<ReceivedMail> => {
    for (;;) {
      const found = deliveries.find(fits)
      if (found) return found
      await once(arrivals, 'mail')
    }
  }
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    deliveries,
    next: (fits = () => true) => waitingFor('a mail', nextThat(fits)),
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}

export const smtpSettings = (port: number): Record<string, string> => ({
  'app.mail.host': '127.0.0.1',
  'app.mail.port': String(port),
  'app.mail.security': 'none',
  'app.mail.from': 'service@example.org',
})

/** The link of the mail's one button. */
export const linkIn = ({ mail }: ReceivedMail): URL => {
  const [, href = ''] = /(https?:\/\/\S+)/.exec(mail.text ?? '') ?? []
  return new URL(href)
}
