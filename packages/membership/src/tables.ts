// What the nodes of this database keep. Each row belongs to one node: the memberships as the node knows them, the signed
// states behind them, and what passes between the node and others.

import {
  assigned,
  boolean,
  choice,
  defineResource,
  integer,
  json,
  longText,
  type Row,
  text,
  textList,
  timestamp,
} from 'plinth'
import { statuses } from './membership-states.ts'
import { longestNodeName } from './node-settings.ts'
import { longestName } from './x500.ts'

const node = text({
  required: true,
  max: longestNodeName,
  fixed: true,
  about: {
    en: 'The configured name of the node.',
    de: 'Der konfigurierte Name des Knotens, der die Mitgliedschaft führt.',
  },
  title: { de: 'Knoten' },
})
const partyName = text({ required: true, max: longestName, title: { de: 'Mitglied' } })

export const memberships = defineResource('memberships', {
  title: { de: 'Mitgliedschaften' },
  singularTitle: { de: 'Mitgliedschaft' },
  about: {
    en: 'Memberships in business networks, as known to the nodes of this service.',
    de: 'Mitgliedschaften in Geschäftsnetzwerken, wie die Knoten dieses Dienstes sie kennen.',
  },
  label: 'member',
  identifier: assigned(),
  stamps: 'none',
  fields: {
    node,
    member: partyName,
    bno: text({ required: true, max: longestName, title: { en: 'Operator', de: 'Betreiber' } }),
    networkID: text({ max: 100, title: { en: 'Network', de: 'Netzwerk' } }),
    status: choice(statuses, {
      required: true,
      title: { de: 'Status' },
      labels: {
        PENDING: { de: 'beantragt' },
        ACTIVE: { de: 'aktiv' },
        SUSPENDED: { de: 'ausgesetzt' },
        DECLINED: { de: 'abgelehnt' },
        REVOKED: { de: 'entzogen' },
      },
    }),
    membershipMetadata: json({ title: { en: 'Metadata', de: 'Metadaten' } }),
    issued: timestamp({ required: true, title: { de: 'Ausgestellt' } }),
    modified: timestamp({ required: true, title: { de: 'Geändert' } }),
    linearId: text({ required: true, max: 36, indexed: true, title: { de: 'Kennung im Netzwerk' } }),
    participants: textList({ max: longestName, title: { de: 'Beteiligte' } }),
    reason: text({ max: 500, title: { de: 'Grund' } }),
    revision: integer({
      required: true,
      about: {
        en: 'How many states the operator has issued.',
        de: 'Wie viele Fassungen der Betreiber ausgestellt hat.',
      },
      title: { de: 'Fassung' },
    }),
    sequence: integer({
      required: true,
      about: {
        en: "The place of the present state in the operator's history.",
        de: 'Die Nummer der aktuellen Fassung im Verlauf des Betreibers.',
      },
      title: { de: 'Nummer im Verlauf' },
    }),
  },
  indexes: [
    ['node', 'bno', 'status', 'member'],
    ['node', 'bno', 'member'],
  ],
  // Changed by the nodes alone, through the membership operations.
  access: { read: "caller.has('ROLE_SITE_OPERATOR')" },
})

export const membershipEntries = defineResource('membershipEntries', {
  about: "Signed states of memberships: an operator's whole history, and what members received of it. Only added to.",
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    node,
    bno: partyName,
    sequence: integer({ required: true }),
    membership: text({ required: true, max: 200, indexed: true }),
    /** The exact text that was signed. */
    entry: longText({ required: true, max: 200_000 }),
    hash: text({ required: true, max: 64 }),
    signature: text({ required: true, max: 100 }),
    /** The order that led to it, on the operator's side. */
    operationId: text({ max: 64 }),
    fingerprint: text({ max: 64 }),
  },
  indexes: [
    ['node', 'bno', 'sequence'],
    ['node', 'operationId'],
  ],
  access: {},
})

export const membershipNodes = defineResource('membershipNodes', {
  about: 'Nodes with their ledger in this database: identity and length of the history.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    partyName,
    publicKey: text({ required: true, max: 200 }),
    /** The private key, where it is kept with the ledger: see node-key.ts. */
    privateKey: text({ max: 200, backup: 'encrypted' }),
    sequence: integer({ required: true }),
    head: text({ required: true, max: 64, min: 0 }),
  },
  access: {},
})

export const membershipPeers = defineResource('membershipPeers', {
  about: 'Progress of notifications to other parties, and of lists received from operators.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: {
    node,
    party: partyName,
    /** The state of our history up to which the party has confirmed what concerns it. */
    acknowledged: integer({ required: true }),
    /** Says whether an operator's whole list has been read since the node became a member. */
    complete: boolean({ required: true }),
  },
  indexes: [['node', 'acknowledged']],
  access: {},
})

export const membershipNonces = defineResource('membershipNonces', {
  about: 'Received messages of other nodes, so that none is processed twice.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { expires: timestamp({ required: true, indexed: true }) },
  access: {},
})

export const tables = [memberships, membershipEntries, membershipNodes, membershipPeers, membershipNonces]

export type MembershipRow = Row<typeof memberships>
export type EntryRow = Row<typeof membershipEntries>
