// Bodies and parameters of the membership operations → orders.

import { createHash, randomUUID } from 'node:crypto'
import {
  boolean,
  type Caller,
  choice,
  defineShape,
  fault,
  type InputOf,
  integer,
  type Json,
  list,
  Problem,
  text,
} from 'plinth'
import { type Request, ValueFault, type ValueField } from 'plinth/module'
import { membershipFault } from './faults.ts'
import { type Status, statuses } from './membership-states.ts'
import type { Listing, Order, Selected } from './node.ts'

/** A text that is not blank and has no control characters. */
const words = {
  is: /\S/,
  says: fault('not_empty'),
  faultOf: (sent: string) => (/\p{Cc}/u.test(sent) ? fault('characters') : null),
}

/** May be empty, but without control characters. */
const printable = { is: /^\P{Cc}*$/u, says: fault('characters') }

const maxName = 1000
const maxReason = 500

const party = 'An X.500 name, or an organisation that only one party on the network map has.'
const operatorField = text({
  max: maxName,
  pattern: words,
  about: 'The operator; default: the node itself.',
})
const networkField = text({ max: 100, pattern: words })
const reasonField = text({ max: maxReason, pattern: words })

const wholeNumber = integer({ min: 1, about: 'The expected current version.' })

const versionField: typeof wholeNumber = {
  ...wholeNumber,
  type: {
    ...wholeNumber.type,
    read: input => {
      try {
        return wholeNumber.type.read(input)
      } catch (error) {
        throw error instanceof ValueFault ? new ValueFault(membershipFault('version')) : error
      }
    },
  },
}

const rulingFields = {
  member: text({ required: true, max: maxName, pattern: words, about: party }),
  bno: operatorField,
  networkId: networkField,
  /** The network as the record spells it, so that a record can be sent back. */
  networkID: networkField,
  reason: reasonField,
  version: versionField,
}

export const rulingShape = defineShape('MembershipRuling', rulingFields)

/** Parameters of the names of a body: many callers cannot send a body with DELETE. */
export const rulingQuery = {
  member: text({ max: maxName, pattern: words, about: party }),
  bno: operatorField,
  networkId: networkField,
  reason: reasonField,
  version: versionField,
}

export const toSelected = ({ networkID, ...sent }: InputOf<typeof rulingFields>): Selected => ({
  ...sent,
  networkId: sent.networkId ?? networkID,
})

export const toSelection = ({ member, ...sent }: InputOf<typeof rulingQuery>): Selected => {
  if (member !== null) return { member, ...sent }
  const reason = fault('required')
  const errors = [{ parameter: 'member', member: 'member', ...reason }]
  throw new Problem('invalid', { detail: `member ${reason.message}.`, errors })
}

/** Each node reads it by the settings of its own. */
const metadataField = (required: boolean): ValueField<Json> => ({
  role: 'value',
  type: {
    name: 'metadata',
    column: 'json',
    schema: {},
    widget: 'json',
    nullIsValue: true,
    read: input => input,
    readText: () => {
      throw new ValueFault(fault('unsearchable'))
    },
    wildcards: false,
  },
  options: { required, about: 'Defined by the deployment.' },
  optionNames: {},
})

const applicationFields = (needsMetadata: boolean) => ({
  party: text({ required: true, max: maxName, pattern: words, about: `The operator. ${party}` }),
  networkId: networkField,
  networkID: networkField,
  membershipMetadata: metadataField(needsMetadata),
})

export const applicationShape = defineShape('MembershipApplication', applicationFields(false))
export const amendmentShape = defineShape('MembershipAmendment', applicationFields(true))

export const toApplication = (sent: InputOf<ReturnType<typeof applicationFields>>) => ({
  operator: sent.party,
  networkId: sent.networkId ?? sent.networkID,
  metadata: sent.membershipMetadata,
})

/** The caller's own key makes the order known again; another caller's same key is another order. */
export const readOrder = (request: Request, caller: Caller): Order => {
  const key = request.headers['idempotency-key']
  const actor = caller.username ?? ''
  if (key === undefined) return { actor, operationId: randomUUID() }
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Problem('bad_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
  return { actor, operationId: createHash('sha256').update(`${caller.pk}\n${key}`).digest('hex') }
}

export const listQuery = (maxPageSize: number) => ({
  bno: text({
    max: maxName,
    pattern: printable,
    about: 'The operator; optional if the network map has only one.',
  }),
  networkId: text({ max: 100, pattern: printable, about: 'Only this network.' }),
  status: list(choice([...statuses, 'ALL']), { about: 'States separated by commas, or ALL; by default ACTIVE.' }),
  member: text({ max: maxName, pattern: printable, about: 'Only the memberships of this party.' }),
  filterOutMissingFromNetworkMap: boolean({ default: true, about: 'Drop members missing from the network map.' }),
  forceRefresh: boolean({ default: false, about: 'Refresh from the operator.' }),
  _ps: integer({ min: 1, max: maxPageSize, about: 'The maximum number of results; default: all.' }),
  _after: text({ max: 36, pattern: printable, about: 'Only memberships after the one with this linearId.' }),
})

/** `usual` is what is meant when no status is given. */
export const toListing = (sent: InputOf<ReturnType<typeof listQuery>>, usual: readonly Status[] | null): Listing => ({
  bno: orNull(sent.bno),
  networkId: orNull(sent.networkId),
  statuses: toStatuses(sent.status) ?? usual,
  member: orNull(sent.member),
  onlyOnNetworkMap: sent.filterOutMissingFromNetworkMap,
  forceRefresh: sent.forceRefresh,
  after: orNull(sent._after),
  limit: sent._ps,
})

const orNull = (sent: string | null): string | null => (sent === null || sent.trim() === '' ? null : sent)

const toStatuses = (sent: readonly (Status | 'ALL')[] | null): readonly Status[] | null => {
  if (sent === null) return null
  return sent.includes('ALL') ? statuses : sent.filter(status => status !== 'ALL')
}
