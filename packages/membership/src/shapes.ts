// What the membership operations answer.

import { boolean, choice, defineShape, integer, json, list, manyOf, object, text, timestamp } from 'plinth'
import { type Ruling, rulings, statuses } from './membership-states.ts'

const must = { required: true } as const
const word = text(must)
const x500 = text({ ...must, about: 'X.500 name.' })

export const membershipShape = defineShape(
  'NetworkMembership',
  {
    member: x500,
    bno: text({ ...must, about: 'X.500 name of the operator.' }),
    membershipMetadata: json({ about: 'Defined by the deployment.' }),
    networkID: text(),
    status: choice(statuses, must),
    issued: timestamp(must),
    modified: timestamp(must),
    linearId: text({ ...must, format: 'uuid' }),
    participants: list(word, must),
    reason: text(),
    version: integer({ ...must, min: 1 }),
  },
  { element: 'membership', about: 'The membership.' },
)

export const membershipList = manyOf(membershipShape, 'memberships')

const rulingNames = Object.keys(rulings) as Ruling[]

const stateShape = defineShape(
  'MembershipState',
  {
    sequence: integer({ ...must, min: 1, about: "Its place in the operator's history." }),
    act: choice(['request', 'amend', ...rulingNames], must),
    record: object(membershipShape, must),
    signer: text({ ...must, about: 'X.500 name of the operator.' }),
    signature: text({ ...must, about: 'Ed25519, base64.' }),
    hash: text({ ...must, about: 'SHA-256 of the signed text.' }),
    previous: text({ ...must, about: 'The hash of the state before; empty for the first.' }),
    isSigned: boolean({ about: 'Null when the key of the operator is not known.' }),
    isLinked: boolean({ about: 'Null when the node does not keep the state before.' }),
  },
  { element: 'state' },
)

export const historyList = manyOf(stateShape, 'history')

export const nodeShape = defineShape(
  'NetworkNode',
  {
    name: text({ ...must, about: 'As configured; for paths and for the header that names a node.' }),
    party: x500,
    organisation: word,
    role: choice(['operator', 'member'], must),
    kind: text({ ...must, about: 'Where its ledger is: `embedded`, `remote`, or as an adapter calls it.' }),
    operators: list(word),
    health: object(
      { status: choice(['UP', 'DOWN'], must) },
      { ...must, others: json(), about: 'Administrators and site operators see more than the status.' },
    ),
    operations: object(
      {
        operator: text({ about: 'For memberships that it decides on.' }),
        member: text({ about: 'For memberships that it requests, and for lists.' }),
        header: text({ ...must, about: 'The header that names the node if the path does not.' }),
      },
      { ...must, about: 'Links to its memberships, if they are published.' },
    ),
  },
  { element: 'node' },
)

export const nodeList = manyOf(nodeShape, 'nodes')
