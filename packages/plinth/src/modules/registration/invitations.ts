// POST invitations: invites people by mail to register.

import { longText, text } from '../../core/model/fields.ts'
import type { TransactionRecords } from '../../core/model/records.ts'
import { defineShape, type InputOf, list, object } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import { recordsWithin } from '../../core/records/records.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { addressDigest, isEmail, queueMail } from '../mail/index.ts'
import { findUserByName, users } from '../people/index.ts'
import { registrationAudit } from './faults.ts'
import { hasInvited, limitInvitations } from './limits.ts'
import { invitation } from './mails.ts'

const maxAtOnce = 100

const recipients = list(
  object({ email: text({ required: true, min: 0, max: 10_000 }), firstName: text(), lastName: text() }),
  { maxItems: maxAtOnce },
)

const fields = {
  addressLines: longText({
    max: 50_000,
    about: 'E-mail addresses with or without names, separated by commas, semicolons or line breaks.',
  }),
  recipients,
  /** Older clients misspell it. */
  recepients: recipients,
}

const addresses = list(text(), { required: true })

const outcome = defineShape(
  'InvitationOutcome',
  { invited: addresses, duplicate: addresses, existing: addresses, invalid: addresses },
  { element: 'invitations', about: 'The result for each address.' },
)

export const invite = defineEndpoint({
  method: 'POST',
  path: '/api/rest/invitations',
  id: 'invite',
  tag: 'registration',
  summary: 'Invite people by e-mail',
  access: 'caller.signedIn',
  body: fields,
  answers: { 201: outcome },
  problems: [400, 401, 429],
  run: async ({ context, caller, body }) => {
    const { pk } = caller
    if (pk === null) throw new Problem('unauthorized')
    const now = context.platform.clock()
    const read = readInvitations(body)
    return inTransaction(context, async transaction => {
      const records = recordsWithin(transaction).asService
      await limitInvitations(records, pk, read.recipients.length)
      const { strangers, duplicate, existing } = await classify(records, read)
      const sent = await send(records, pk, strangers)
      const [invited, surplus] = [strangers.filter(one => sent.has(one)), strangers.filter(one => !sent.has(one))]
      const data = { count: invited.length }
      await registrationAudit.recordChange(records, { caller, sender: context.sender, now }, { type: 'INVITED', data })
      const repeated = [...duplicate, ...addressesOf(surplus)]
      return { invited: addressesOf(invited), duplicate: repeated, existing, invalid: read.invalid }
    })
  },
})

/** Returns the same hash for all spellings of an address. */
const hashOf = ({ email }: Recipient): string => addressDigest(email) ?? ''

const addressesOf = (recipients: readonly Recipient[]): string[] => recipients.map(({ email }) => email)

const readInvitations = ({ addressLines, ...sent }: InputOf<typeof fields>): ReadLines => {
  const lines = readAddressLines(addressLines ?? '')
  const listed = [...(sent.recipients ?? []), ...(sent.recepients ?? [])].map(({ email, firstName, lastName }) => ({
    email: email.trim(),
    firstName: (firstName ?? '').slice(0, 100),
    lastName: (lastName ?? '').slice(0, 100),
  }))
  const unreadable = listed.filter(({ email }) => !isEmail(email)).map(({ email }) => email.slice(0, 254))
  const read = {
    recipients: [...lines.recipients, ...listed.filter(({ email }) => isEmail(email))],
    invalid: [...lines.invalid, ...unreadable],
  }
  const count = read.recipients.length + read.invalid.length
  if (count === 0) throw new Problem('bad_request', 'No recipients: send `addressLines` or `recipients`.')
  if (count > maxAtOnce)
    throw new Problem('too_costly', {
      en: `At most ${maxAtOnce} people can be invited at once.`,
      de: `Höchstens ${maxAtOnce} Personen lassen sich auf einmal einladen.`,
    })
  return read
}

/** Sorts addresses into new ones, repeated ones, and those of users. */
const classify = async (records: TransactionRecords, { recipients }: ReadLines) => {
  const [strangers, duplicate, existing]: [Recipient[], string[], string[]] = [[], [], []]
  const seen = new Set<string>()
  for (const recipient of recipients) {
    const hash = hashOf(recipient)
    if (seen.has(hash)) duplicate.push(recipient.email)
    else if (await findUserByName(records, recipient.email)) existing.push(recipient.email)
    else strangers.push(recipient)
    seen.add(hash)
  }
  return { strangers, duplicate, existing }
}

/** Answers the recipients of a mail; all others have got enough mails before. */
const send = async (
  records: TransactionRecords,
  inviter: string,
  recipients: readonly Recipient[],
): Promise<ReadonlySet<Recipient>> => {
  const host = await records.first(users, { where: { pk: inviter } })
  if (!host) throw new Problem('unauthorized')
  const sent = new Set<Recipient>()
  // Always in the same order, so that concurrent invitations of the same people do not deadlock.
  for (const recipient of [...recipients].sort((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1))) {
    const { email, firstName, lastName } = recipient
    if (await hasInvited(records, inviter, hashOf(recipient))) continue
    const name = [firstName, lastName].filter(Boolean).join(' ')
    const content = { name, inviter: host.name, email }
    if (await queueMail(records, invitation, { recipient: email, locale: host.locale, content })) sent.add(recipient)
  }
  return sent
}

// Addresses as people paste them from mail programs: one to a line or separated by commas and semicolons, with or without a
// name. Names may be quoted (RFC 5322, 3.4), and then contain separators.

export interface Recipient {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

export interface ReadLines {
  readonly recipients: readonly Recipient[]
  /** What cannot be understood, as it was written. */
  readonly invalid: readonly string[]
}

export const readAddressLines = (text: string): ReadLines => {
  const recipients: Recipient[] = []
  const invalid: string[] = []
  // A header that mail programs have folded goes on in the next line (RFC 5322, 2.2.3).
  const lines = text.replace(/\r?\n[ \t]+(?=<)/g, ' ').split(/[\r\n]+/)
  for (const entry of lines.flatMap(splitLine)) {
    const { email, name } = toParts(entry)
    if (isEmail(email)) recipients.push({ email, ...splitName(name) })
    else invalid.push(entry.slice(0, 254))
  }
  return { recipients, invalid }
}

const closers: Readonly<Record<string, string>> = { '"': '"', '<': '>', '(': ')' }

/** The entries of a line. Separators within quotes, brackets and comments do not count. */
const splitLine = (line: string): string[] => {
  const entries: string[] = []
  // What is opened and never closed is an ordinary character. To look for its end once is enough.
  const unclosed = new Set<string>()
  let start = 0
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (char === ',' || char === ';') {
      entries.push(line.slice(start, at))
      start = at + 1
    } else if (char in closers && !unclosed.has(char)) {
      const end = endOf(line, at)
      if (end === -1) unclosed.add(char)
      else at = end
    }
  }
  return [...entries, line.slice(start)].map(entry => entry.trim()).filter(entry => entry !== '')
}

/** Returns the place where the quote, bracket or comment that opens at `start` is closed; -1 when it is not. */
const endOf = (line: string, start: number): number => {
  const opener = line[start] ?? ''
  const closer = closers[opener] ?? ''
  if (opener !== '"') return line.indexOf(closer, start)
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === '\\') at += 1
    else if (line[at] === closer) return at
  }
  return -1
}

const toParts = (entry: string): { readonly email: string; readonly name: string } => {
  const bracket = entry.endsWith('>') ? entry.lastIndexOf('<') : -1
  if (bracket !== -1) return { email: entry.slice(bracket + 1, -1).trim(), name: unquote(entry.slice(0, bracket)) }
  const comment = entry.endsWith(')') ? entry.indexOf('(') : -1
  if (comment !== -1) return { email: entry.slice(0, comment).trim(), name: entry.slice(comment + 1, -1) }
  return { email: unquote(entry), name: '' }
}

/** Names are quoted twice by those mail programs that put single quotes around what they show. */
const unquote = (text: string): string => {
  const inner = /^"(.*)"$/s.exec(text.trim())?.[1]?.replace(/\\(.)/gs, '$1') ?? text.trim()
  return /^'(.*)'$/s.exec(inner)?.[1] ?? inner
}

/** A name that is an address adds nothing. */
const splitName = (name: string): { readonly firstName: string; readonly lastName: string } => {
  if (isEmail(name)) return { firstName: '', lastName: '' }
  const [family = '', names, ...more] = name.split(',')
  const isReversed = names !== undefined && more.length === 0
  const [first = '', ...rest] = (isReversed ? names : name).trim().split(/\s+/)
  const last = isReversed ? [...rest, family.trim()] : rest
  return { firstName: first.slice(0, 100), lastName: last.join(' ').slice(0, 100) }
}
