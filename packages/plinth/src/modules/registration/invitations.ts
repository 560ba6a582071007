// POST invitations: invites people by mail to register.

import { longText, text } from '../../core/model/fields.ts'
import { defineShape, type InputOf, list, object } from '../../core/model/shape.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { inTransaction } from '../../core/records/context.ts'
import { recordsIn } from '../../core/records/records.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import type { Inside } from '../../core/rest/platform.ts'
import { emailHashOf, isEmail, queueMail } from '../mail/index.ts'
import { findUserByName, users } from '../people/index.ts'
import { type ReadLines, type Recipient, readAddressLines } from './address-lines.ts'
import { registrationAudit } from './declarations.ts'
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
    return inTransaction(context, async inside => {
      const { tx } = inside
      await limitInvitations(inside, pk, read.recipients.length)
      const { strangers, duplicate, existing } = await classify(tx, read)
      const sent = await send(inside, pk, strangers)
      const [invited, surplus] = [strangers.filter(one => sent.has(one)), strangers.filter(one => !sent.has(one))]
      const data = { count: invited.length }
      await registrationAudit.recordChange(tx, { caller, sender: context.sender, now }, { type: 'INVITED', data })
      const repeated = [...duplicate, ...addressesOf(surplus)]
      return { invited: addressesOf(invited), duplicate: repeated, existing, invalid: read.invalid }
    })
  },
})

/** Equal for all spellings of an address. */
const hashOf = ({ email }: Recipient): string => emailHashOf(email) ?? ''

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
  if (count > maxAtOnce) throw new Problem('too_costly', `At most ${maxAtOnce} people can be invited at once.`)
  return read
}

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
  const records = recordsIn(tx)
  const host = await records.first(users, { pk: inviter })
  if (!host) throw new Problem('unauthorized')
  const sent = new Set<Recipient>()
  // Always in the same order, so that concurrent invitations of the same people do not deadlock.
  for (const recipient of [...recipients].sort((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1))) {
    const { email, firstName, lastName } = recipient
    if (await hasInvited({ platform, tx }, inviter, hashOf(recipient))) continue
    const name = [firstName, lastName].filter(Boolean).join(' ')
    const content = { name, inviter: host.name, email }
    if (await queueMail(records, invitation, { recipient: email, locale: host.locale, content })) sent.add(recipient)
  }
  return sent
}
