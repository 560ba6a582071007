// The member's side: asks operators, believes only what they have signed, and keeps a copy of what they say.

import { setImmediate as turn } from 'node:timers/promises'
import type { Json } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import type { Ask } from './exchange.ts'
import { type Change, type Ledger, type Received, toMembership } from './ledger.ts'
import type { ReadMetadata } from './metadata-types.ts'
import type { NetworkMap, Party } from './network-map.ts'
import type { Application, Listing, Membership } from './node.ts'
import type { Operator } from './operator.ts'
import { isComplete, setComplete } from './peers.ts'
import { activeNetworks, membershipsOf, rowsOf, type Selection } from './readings.ts'
import { readSignedEntries } from './received.ts'
import { type Status, statuses } from './states.ts'

export interface MemberParts {
  readonly ledger: Ledger
  readonly map: NetworkMap
  readonly readMetadata: ReadMetadata
  readonly whitelist: readonly string[] | null
  readonly ask: Ask
  /** The operator's side of the same node, when it has one. */
  readonly operator: Operator | null
  readonly log: { warn(fields: object, message: string): void }
}

type Records = readonly Membership[]
type Batches = AsyncIterable<Records>
type View = Omit<Selection, 'bno'>

interface Kept {
  readonly received: readonly Received[]
  /** Has it made the node a member? Then there is a list to be read. */
  readonly isNewMember: boolean
}

export type MemberSide = ReturnType<typeof createMember>

export const createMember = ({ ledger, map, readMetadata, whitelist, ask, operator, log }: MemberParts) => {
  const self = (): string => ledger.identity().party

  const operators = (): readonly string[] =>
    map
      .operators()
      .map(({ name }) => name)
      .filter(name => whitelist === null || name === self() || whitelist.includes(name))

  const operatorNamed = (text: string, where: string): Party => {
    const party = map.party(map.resolve(text, where))
    if (!party?.isOperator) throw new Problem('not_found', `No operator on the network map is called '${text}'.`)
    if (!operators().includes(party.name)) throw new Problem('forbidden', `This node does not deal with ${party.name}.`)
    return party
  }

  const onlyOperator = (): Party => {
    const [one, ...others] = map.operators()
    if (!one || others.length > 0) throw new Problem('bad_parameter', 'Say by `bno` which operator is meant.')
    return operatorNamed(one.name, 'bno')
  }

  let background = Promise.resolve()
  const inBackground = (work: () => Promise<void>): void => {
    background = background.then(work)
  }

  const keep = async (party: Party, sent: Json | undefined): Promise<Kept> => {
    const { all, fresh } = await readSignedEntries(sent, party, ledger.keptAt)
    if (fresh.length === 0) return { received: all, isNewMember: false }
    const changes = await ledger.receive(party.name, fresh, async (changes, tx) => {
      // What happened in the network while the node was no member was not told to it.
      if (becameActive(changes, self())) await setComplete(ledger, tx, { operator: party.name, complete: false })
    })
    return { received: all, isNewMember: becameActive(changes, self()) }
  }

  /** Of an answer that was asked for: one that cannot be believed is the operator's fault, not the caller's. */
  const keepAnswer = async (party: Party, sent: Json | undefined): Promise<Kept> => {
    try {
      return await keep(party, sent)
    } catch (error) {
      if (!(error instanceof Problem && disbelieved.has(error.code))) throw error
      log.warn({ err: error, node: ledger.node, operator: party.name }, 'answer refused')
      throw new Problem('unavailable', `The node of ${party.name} gave no answer that can be believed.`)
    }
  }

  const readListSoon = (party: Party): void => inBackground(() => refresh(party.name))

  const take = async (party: Party, sent: Json | undefined): Promise<void> => {
    if ((await keep(party, sent)).isNewMember) readListSoon(party)
  }

  const apply = async ({ act, operator: named, networkId, metadata, ...order }: Application): Promise<Membership> => {
    const party = operatorNamed(named, 'party')
    const read = readMetadata(metadata)
    if (party.name === self()) {
      if (!operator) throw new Problem('not_found', 'This node is no operator.')
      const { state } = await operator.propose({ act, member: self(), networkId, metadata: read, ...order })
      return state.record
    }
    const body = { operationId: order.operationId, networkId, metadata: read }
    const { entries } = await ask({ to: party.name, kind: act, body })
    const { received, isNewMember } = await keepAnswer(party, entries)
    if (isNewMember) readListSoon(party)
    const [made] = received
    if (!made) throw new Problem('unavailable', `The node of ${party.name} gave no membership.`)
    return made.state.record
  }

  /** Page by page from the operator itself, kept on the way. Read from the start to the end, the copy is whole. */
  async function* pulled(party: Party, listing: Pick<Listing, 'after' | 'member'>): AsyncGenerator<Records> {
    let { after } = listing
    let since: string | null = null
    let isListWanting = false
    try {
      do {
        const page = await ask({ to: party.name, kind: 'list', body: { after, member: listing.member } })
        const own = await keepAnswer(party, page.own)
        since ??= versionsOf(own.received.map(({ state }) => state.record))
        const { received, isNewMember } = await keepAnswer(party, page.entries)
        isListWanting ||= own.isNewMember || isNewMember
        yield received.map(({ state }) => state.record)
        after = typeof page.next === 'string' ? page.next : null
      } while (after !== null)
      // Had the node's own membership changed meanwhile, changes of others might have passed it by.
      const isWhole = listing.after === null && listing.member === null
      if (!isWhole || versionsOf(await membershipsOf(ledger, self(), party.name)) !== since) return
      await ledger.store.transaction(tx => setComplete(ledger, tx, { operator: party.name, complete: true }))
      isListWanting = false
    } finally {
      // Whoever asked may have had enough before the end.
      if (isListWanting) readListSoon(party)
    }
  }

  async function* kept(party: Party, view: View, { after, limit }: Listing): AsyncGenerator<Records> {
    const rows = rowsOf(ledger, { ...view, bno: party.name }, { after, wanted: limit })
    for await (const batch of rows) yield batch.map(toMembership)
  }

  const list = async (listing: Listing): Promise<Batches> => {
    const party = listing.bno === null ? onlyOperator() : operatorNamed(listing.bno, 'bno')
    const member = listing.member === null ? null : map.resolve(listing.member, 'member')
    if (party.name === self()) return kept(party, operatorsView(listing, member), listing)
    const own = await membershipsOf(ledger, self(), party.name)
    const viewer = { own, self: self(), member }
    // Its own memberships a node is always told of; of others it knows enough once it has read the whole list.
    const suffices = seesItselfOnly(listing, viewer) || (await isComplete(ledger, party.name))
    if (suffices && !listing.forceRefresh) return kept(party, membersView(listing, viewer), listing)
    return refreshed(party, listing, member)
  }

  /** The operator's first page holds the node's own memberships as they are now: only then its right is judged. */
  const refreshed = async (party: Party, listing: Listing, member: string | null): Promise<Batches> => {
    const pages = pulled(party, { after: listing.after, member })
    const first = await pages.next()
    const own = await membershipsOf(ledger, self(), party.name)
    const view = membersView(listing, { own, self: self(), member })
    const shown = (record: Membership) => isSelected(view, record)
    return (async function* () {
      try {
        if (!first.done) yield first.value.filter(shown)
        for await (const page of pages) yield page.filter(shown)
      } finally {
        await pages.return(undefined)
      }
    })()
  }

  /** Reads the operator's list into the copy, unless that has been done. Never fails: a list asked for does it again. */
  const refresh = async (operatorName: string): Promise<void> => {
    try {
      const party = operatorNamed(operatorName, 'bno')
      if (await isComplete(ledger, party.name)) return
      for await (const _ of pulled(party, { after: null, member: null })) await turn()
    } catch (error) {
      log.warn({ err: error, node: ledger.node, operator: operatorName }, 'list of members not read')
    }
  }

  /** Lets the operators know that the node is there again, and reads what is missing. */
  const sayHello = async (): Promise<void> => {
    for (const { name } of map.operators()) {
      if (name === self() || (await membershipsOf(ledger, self(), name)).length === 0) continue
      await ask({ to: name, kind: 'hello', body: {}, attempts: 1 }).catch(() => undefined)
      await refresh(name)
    }
  }

  return {
    apply,
    list,
    take,
    operators,
    /** What it gives waits for whatever was begun without anybody waiting. */
    start: (): (() => Promise<void>) => {
      inBackground(sayHello)
      return () => background
    },
  }
}

/** What refusals of states are called. */
const disbelieved: ReadonlySet<Problem['code']> = new Set(['bad_request', 'unprocessable', 'conflict'])

const versionsOf = (records: Records): string =>
  records
    .map(({ linearId, version }) => `${linearId} ${version}`)
    .sort()
    .join()

export const becameActive = (changes: readonly Change[], party: string): boolean =>
  changes.some(
    ({ before, after }) => after.member === party && after.status === 'ACTIVE' && before?.status !== 'ACTIVE',
  )

const operatorsView = ({ networkId, statuses }: Listing, member: string | null): View => ({
  networks: 'all',
  statuses: statuses ?? ['ACTIVE'],
  member,
  networkId,
  besides: null,
})

interface Viewer {
  readonly own: readonly Membership[]
  readonly self: string
  readonly member: string | null
}

const seesItselfOnly = ({ statuses: given }: Listing, { own, self, member }: Viewer): boolean =>
  member === self || (activeNetworks(own).length === 0 && given !== null && !isOfActiveOnly(given))

const isOfActiveOnly = (asked: readonly Status[]): boolean => asked.every(status => status === 'ACTIVE')

/** Active members where the node is one itself, and its own memberships whatever their state. */
const membersView = ({ networkId, statuses: given }: Listing, { own, self, member }: Viewer): View => {
  const isOwn = member === self
  const asked = given ?? (isOwn ? statuses : (['ACTIVE'] as const))
  const networks = activeNetworks(own).filter(network => networkId === null || network === networkId)
  if (networks.length === 0 && isOfActiveOnly(asked) && !isOwn)
    throw new Problem('forbidden', 'Only a node whose membership is active may list the members.')
  return {
    networks,
    statuses: asked.filter(status => status === 'ACTIVE'),
    member,
    networkId,
    besides: { member: self, statuses: asked },
  }
}

/** The same choice as the ledger makes, on a record at hand. */
const isSelected = ({ networks, statuses, member, networkId, besides }: View, record: Membership): boolean => {
  if (member !== null && record.member !== member) return false
  if (networkId !== null && record.networkID !== networkId) return false
  if (besides?.member === record.member && besides.statuses.includes(record.status)) return true
  const inNetwork = networks === 'all' || networks.includes(record.networkID)
  return inNetwork && (statuses === 'all' || statuses.includes(record.status))
}
