// The membership operations in the API document.

import {
  type AnswerDescription,
  type Description,
  type ParameterDescription,
  shape,
} from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { rulings, statuses } from './membership-states.ts'
import type { MembershipNode } from './node.ts'

const text: JsonSchema = { type: 'string' }
const optionalText: JsonSchema = { type: ['string', 'null'] }
const party = 'An X.500 name, or an organisation that only one party on the network map has.'

const recordSchemas: Readonly<Record<string, JsonSchema>> = {
  NetworkMembership: {
    type: 'object',
    required: ['member', 'bno', 'status', 'linearId', 'version'],
    properties: {
      member: { ...text, description: 'X.500 name.' },
      bno: { ...text, description: 'X.500 name of the operator.' },
      membershipMetadata: { description: 'As the deployment defines it.' },
      networkID: optionalText,
      status: { type: 'string', enum: [...statuses] },
      issued: { type: 'string', format: 'date-time' },
      modified: { type: 'string', format: 'date-time' },
      linearId: { type: 'string', format: 'uuid' },
      participants: { type: 'array', items: text },
      reason: optionalText,
      version: { type: 'integer', minimum: 1 },
    },
  },
  NetworkNode: {
    type: 'object',
    required: ['name', 'party', 'organisation', 'role', 'kind', 'operators', 'health', 'operations'],
    properties: {
      name: { ...text, description: 'As configured; for paths and for the header that names a node.' },
      party: { ...text, description: 'X.500 name.' },
      organisation: text,
      role: { type: 'string', enum: ['operator', 'member'] },
      kind: { ...text, description: 'Where its ledger is: `embedded`, `remote`, or as an adapter calls it.' },
      operators: { type: ['array', 'null'], items: text },
      health: {
        description: 'Administrators and site operators see more than the status.',
        type: 'object',
        required: ['status'],
        properties: { status: { type: 'string', enum: ['UP', 'DOWN'] } },
      },
      operations: {
        description: 'Where its memberships are, as far as that is published.',
        type: 'object',
        required: ['operator', 'member', 'header'],
        properties: {
          operator: { ...optionalText, description: 'For those it decides on.' },
          member: { ...optionalText, description: 'For those it asks for, and for lists.' },
          header: { ...text, description: 'Names the node where the path does not.' },
        },
      },
    },
  },
  MembershipRuling: {
    type: 'object',
    required: ['member'],
    properties: {
      member: { ...text, description: party },
      bno: { ...optionalText, description: 'The operator; the identity of the node when left out.' },
      networkId: { ...optionalText, maxLength: 100 },
      reason: { ...optionalText, maxLength: 500 },
      version: { type: ['integer', 'null'], minimum: 1, description: 'The version that is believed to be present.' },
    },
  },
  MembershipApplication: {
    type: 'object',
    required: ['party'],
    properties: {
      party: { ...text, description: `The operator. ${party}` },
      networkId: { ...optionalText, maxLength: 100 },
      membershipMetadata: { description: 'As the deployment defines it.' },
    },
  },
}

const historySchemas: Readonly<Record<string, JsonSchema>> = {
  MembershipState: {
    type: 'object',
    required: ['sequence', 'act', 'record', 'signer', 'signature', 'hash', 'previous', 'isSigned', 'isLinked'],
    properties: {
      sequence: { type: 'integer', minimum: 1, description: "Its place in the operator's history." },
      act: { type: 'string', enum: ['request', 'amend', ...Object.keys(rulings)] },
      record: shape('NetworkMembership'),
      signer: { ...text, description: 'X.500 name of the operator.' },
      signature: { ...text, description: 'Ed25519, base64.' },
      hash: { ...text, description: 'SHA-256 of the signed text.' },
      previous: { ...text, description: 'The hash of the state before; empty for the first.' },
      isSigned: { type: ['boolean', 'null'], description: 'Null when the key of the operator is not known.' },
      isLinked: { type: ['boolean', 'null'], description: 'Null when the node does not keep the state before.' },
    },
  },
}

export const membershipSchemas: Readonly<Record<string, JsonSchema>> = { ...recordSchemas, ...historySchemas }

const record: AnswerDescription = { says: 'The membership.', value: shape('NetworkMembership') }
const list: AnswerDescription = {
  says: 'The memberships, by the names of their members.',
  value: { type: 'array', items: shape('NetworkMembership') },
}
const oneOrMany = { anyOf: [shape('MembershipRuling'), { type: 'array', items: shape('MembershipRuling') }] }
const flag: JsonSchema = { type: 'boolean' }

const listQuery = (maxPageSize: number): Readonly<Record<string, ParameterDescription>> => ({
  bno: { says: 'The operator; may be left out when the network map has one only.' },
  networkId: { says: 'Only this network.' },
  status: { says: 'States separated by commas, or ALL; by default ACTIVE.' },
  member: { says: 'Only the memberships of this party.' },
  filterOutMissingFromNetworkMap: {
    says: 'Drop members missing from the network map.',
    schema: { ...flag, default: true },
  },
  forceRefresh: { says: 'Ask the operator again.', schema: { ...flag, default: false } },
  _ps: {
    says: 'At most so many; all of them when left out.',
    schema: { type: 'integer', minimum: 1, maximum: maxPageSize },
  },
  _after: { says: 'Only what comes after the membership of this linearId.' },
})

const rulingQuery = Object.fromEntries(
  ['member', 'bno', 'networkId', 'reason', 'version'].map(name => [name, { says: `As \`${name}\` of a body.` }]),
)

const problems = [400, 401, 403, 404, 406, 409, 415, 422, 503]

const operations = {
  activate: {
    summary: 'Activate a pending or suspended membership',
    description: 'A list activates all of them or none.',
    body: { schema: oneOrMany },
    answers: { 200: { ...record, says: 'The membership, or the list of them.' } },
  },
  suspend: {
    summary: 'Suspend an active membership',
    description: 'Takes a body as activation does, or parameters.',
    query: rulingQuery,
    body: { schema: oneOrMany, optional: true },
    answers: { 200: record },
  },
  decline: {
    summary: 'Decline a pending membership',
    body: { schema: oneOrMany },
    answers: { 200: record },
  },
  revoke: {
    summary: 'Revoke an active or suspended membership for good',
    body: { schema: oneOrMany },
    answers: { 200: record },
  },
  overview: {
    summary: 'List all memberships of the operator, in every state',
    answers: { 200: list },
  },
  list: { summary: 'List memberships from a network operator', answers: { 200: list } },
  request: {
    summary: 'Ask the operator to start on-boarding',
    body: { schema: shape('MembershipApplication') },
    answers: { 201: record },
  },
  amend: {
    summary: 'Propose a change to the membership metadata',
    body: { schema: shape('MembershipApplication') },
    answers: { 200: record },
  },
  history: {
    summary: 'Read how a membership came to be what it is',
    description: 'The signed states that the node keeps of it, oldest first, each checked anew.',
    answers: { 200: { says: 'The states.', value: { type: 'array', items: shape('MembershipState') } } },
  },
  nodes: {
    summary: 'List the membership nodes of this service',
    description:
      'With how they fare, and with the operators that each deals with; null for a node that does not answer.',
    answers: { 200: { says: 'The nodes.', value: { type: 'array', items: shape('NetworkNode') } } },
  },
  message: {
    summary: 'Take a signed message of another node',
    body: { schema: { type: 'object' } },
    answers: { 200: { says: 'The signed reply.', value: { type: 'object' } } },
  },
} satisfies Record<string, Omit<Description, 'id'>>

export type OperationName = keyof typeof operations

const verbs: Readonly<Record<OperationName, string>> = {
  activate: 'activateMembership',
  suspend: 'suspendMembership',
  decline: 'declineMembership',
  revoke: 'revokeMembership',
  overview: 'listOperatorMemberships',
  list: 'listNetworkMemberships',
  request: 'requestMembership',
  amend: 'amendMembership',
  history: 'getMembershipHistory',
  nodes: 'listNetworkNodes',
  message: 'takeNodeMessage',
}

/** Both roles have a history. */
const idOf = (name: OperationName, hasNode: boolean, role: MembershipNode['role'] | undefined): string =>
  verbs[name] + (name === 'history' && role === 'operator' ? 'AtOperator' : '') + (hasNode ? 'OfNode' : '')

interface Placement {
  /** The path names the node. */
  readonly hasNode?: boolean
  readonly role?: MembershipNode['role']
}

export const describeOperation = (
  name: OperationName,
  { maxPageSize }: Platform['limits'],
  { hasNode = false, role }: Placement = {},
): Description => ({
  ...operations[name],
  id: idOf(name, hasNode, role),
  tag: 'membership',
  problems,
  ...(name === 'message' && { open: true }),
  ...((name === 'overview' || name === 'list') && { query: listQuery(maxPageSize) }),
  path: {
    ...(hasNode && { nodeName: 'The configured name of the node, its organisation or its X.500 name.' }),
    ...(name === 'history' && { linearId: 'The membership.' }),
  },
})
