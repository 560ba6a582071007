// POST invitations: invites people by mail to register.

import { fault } from '../../core/fault.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import { longText } from '../../core/model/fields.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Body } from '../../core/rest/body.ts'
import { signedIn } from '../../core/rest/permit.ts'
import type { Context, Inside } from '../../core/rest/platform.ts'
import { invalid, readMembers } from '../../core/rest/read-members.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { emailHashOf, isEmail, queueMail } from '../mail/index.ts'
import { findUserByName, users } from '../people/index.ts'
import { type ReadLines, type Recipient, readAddressLines } from './address-lines.ts'
import { registrationAudit } from './audit.ts'
import { hasInvited, limitInvitations } from './limits.ts'

const maxAtOnce = 100

const addresses: JsonSchema = { type: 'array', items: { type: 'string' } }

export const invitationRoute = (service: Service): Route => ({
  method: 'POST',
  path: '/api/rest/invitations',
  handler: respond(service, {
    resource: null,
    format: formatsByName.json,
    takesBody: true,
    permit: signedIn,
    run: (context, { body }) => invite(context, body),
  }),
  describe: {
    id: 'invite',
    tag: 'registration',
    summary: 'Invite people by e-mail',
    body: {
      schema: {
        type: 'object',
        properties: {
          addressLines: {
            type: 'string',
            description:
              'Addresses as mail programs write them, with or without names, separated by commas, semicolons or line breaks.',
          },
          recipients: {
            type: 'array',
            maxItems: maxAtOnce,
            items: {
              type: 'object',
              properties: { email: { type: 'string' }, firstName: { type: 'string' }, lastName: { type: 'string' } },
              required: ['email'],
            },
          },
        },
      },
    },
    answers: {
      201: {
        says: 'What became of each address.',
        value: {
          type: 'object',
          properties: { invited: addresses, duplicate: addresses, existing: addresses, invalid: addresses },
          required: ['invited', 'duplicate', 'existing', 'invalid'],
        },
      },
    },
    problems: [400, 401, 429],
  },
})

const invite = async (context: Context, body: Body): Promise<Answer> => {
  const { caller, sender, platform } = context
  const { pk } = caller
  if (pk === null) throw new Problem('unauthorized')
  const now = platform.clock()
  const read = readInvitations(body)
  const outcome = await inTransaction(context, async inside => {
    const { tx } = inside
    await limitInvitations(inside, pk, read.recipients.length)
    const { strangers, duplicate, existing } = await classify(tx, read)
    const sent = await send(inside, pk, strangers)
    const [invited, surplus] = [strangers.filter(one => sent.has(one)), strangers.filter(one => !sent.has(one))]
    const data = { count: String(invited.length) }
    await registrationAudit.recordChange(tx, { caller, sender, now }, { type: 'INVITED', data })
    return { invited: addressesOf(invited), duplicate: [...duplicate, ...addressesOf(surplus)], existing }
  })
  const value = { ...outcome, invalid: [...read.invalid] }
  return { kind: 'value', status: 201, name: 'invitations', value }
}

/** Equal for all spellings of an address. */
const hashOf = ({ email }: Recipient): string => String(emailHashOf(email))

const addressesOf = (recipients: readonly Recipient[]): string[] => recipients.map(({ email }) => email)

const readInvitations = (body: Body): ReadLines => {
  const { addressLines } = readMembers(body, { addressLines: longText({ max: 50_000 }) })
  const lines = readAddressLines(addressLines ?? '')
  const listed = readRecipients(body.json as Record<string, unknown>)
  const read = {
    recipients: [...lines.recipients, ...listed.recipients],
    invalid: [...lines.invalid, ...listed.invalid],
  }
  const count = read.recipients.length + read.invalid.length
  if (count === 0) throw new Problem('bad_request', 'Nobody is named: give `addressLines` or `recipients`.')
  if (count > maxAtOnce) throw new Problem('too_costly', `At most ${maxAtOnce} people can be invited at once.`)
  return read
}

/** Also under a name that older clients misspell. */
const readRecipients = (json: Record<string, unknown>): ReadLines => {
  const recipients: Recipient[] = []
  const unreadable: string[] = []
  const faults: Fault[] = []
  for (const member of ['recipients', 'recepients']) {
    const list = json[member] ?? []
    if (!Array.isArray(list)) {
      faults.push({ pointer: `/${member}`, member, ...fault('list') })
      continue
    }
    list.forEach((entry: unknown, at) => {
      const { email, firstName, lastName } = (
        typeof entry === 'object' && entry !== null ? entry : {}
      ) as Partial<Recipient>
      if (typeof email !== 'string') faults.push({ pointer: `/${member}/${at}/email`, member, ...fault('text') })
      else if (isEmail(email.trim()))
        recipients.push({ email: email.trim(), firstName: toName(firstName), lastName: toName(lastName) })
      else unreadable.push(email.slice(0, 254).toWellFormed())
    })
  }
  if (faults.length > 0) throw invalid(faults)
  return { recipients, invalid: unreadable }
}

const toName = (sent: unknown): string => (typeof sent === 'string' ? sent.slice(0, 100).toWellFormed() : '')

/** New addresses, repeated ones, and those of users. */
const classify = async (tx: Transaction, { recipients }: ReadLines) => {
  const [strangers, duplicate, existing]: [Recipient[], string[], string[]] = [[], [], []]
  const seen = new Set<string>()
  for (const recipient of recipients) {
    const hash = hashOf(recipient)
    if (seen.has(hash)) duplicate.push(recipient.email)
    else if (await findUserByName(tx, recipient.email)) existing.push(recipient.email)
    else strangers.push(recipient)
    seen.add(hash)
  }
  return { strangers, duplicate, existing }
}

/** Answers the recipients of a mail; all others have got enough mails before. */
const send = async (
  { platform, tx }: Inside,
  inviter: string,
  recipients: readonly Recipient[],
): Promise<ReadonlySet<Recipient>> => {
  const host = await recordsIn(tx).first(users, { pk: inviter })
  if (!host) throw new Problem('unauthorized')
  const sent = new Set<Recipient>()
  // Always in the same order, so that concurrent invitations of the same people do not deadlock.
  for (const recipient of [...recipients].sort((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1))) {
    const { email, firstName, lastName } = recipient
    if (await hasInvited({ platform, tx }, inviter, hashOf(recipient))) continue
    const name = [firstName, lastName].filter(Boolean).join(' ')
    const content = { name, inviter: host.name, email }
    const mail = { purpose: 'invitation', recipient: email, locale: host.locale, content } as const
    if (await queueMail(tx, mail, platform.clock())) sent.add(recipient)
  }
  return sent
}
