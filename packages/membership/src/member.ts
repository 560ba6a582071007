// The member's side of a node: sends orders to operators, accepts only states that they have signed, and stores a copy of them.

import { setImmediate as nextTick } from 'node:timers/promises'
import { type Json, Problem } from 'plinth'
import type { Ask } from './exchange.ts'
import { type Ledger, type MembershipChange, type ReceivedState, toMembership } from './ledger.ts'
import type { ReadMetadata } from './metadata-types.ts'
import type { NetworkMap } from './network-map.ts'
import type { Application, Listing, Membership } from './node.ts'
import type { Operator } from './operator.ts'
import type { Party } from './party.ts'
import { isComplete, setComplete } from './peers.ts'
import { readSignedEntries } from './received.ts'
import {
  isSelected,
  membershipsOf,
  membersSelection,
  operatorsSelection,
  type PageSelection,
  rowsOf,
  seesItselfOnly,
} from './selection.ts'

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

type MembershipPage = readonly Membership[]

interface AcceptedStates {
  readonly received: readonly ReceivedState[]
  /** Has it made the node a member? Then there is a list to read. */
  readonly isNewMember: boolean
}

export class NetworkMember {
  readonly #parts: MemberParts
  #background = Promise.resolve()

  constructor(parts: MemberParts) {
    this.#parts = parts
  }

  /** Says hello in the background. What it returns waits for all work in the background. */
  start(): () => Promise<void> {
    this.#inBackground(() => this.#sayHello())
    return () => this.#background
  }

  /** The operators that the node accepts. */
  operators(): readonly string[] {
    const { map, whitelist } = this.#parts
    return map
      .operators()
      .map(({ name }) => name)
      .filter(name => whitelist === null || name === this.#self || whitelist.includes(name))
  }

  /** Stores states that an operator sends by itself. */
  async accept(party: Party, sent: Json | undefined): Promise<void> {
    if ((await this.#store(party, sent)).isNewMember) this.#readListSoon(party)
  }

  async apply({ act, operator: named, networkId, metadata, ...order }: Application): Promise<Membership> {
    const { operator, readMetadata, ask } = this.#parts
    const party = this.#operatorNamed(named, 'party')
    const read = readMetadata(metadata)
    if (party.name === this.#self) {
      if (!operator)
        throw new Problem('not_found', { en: 'This node is not an operator.', de: 'Dieser Knoten ist kein Betreiber.' })
      const { state } = await operator.propose({ act, member: this.#self, networkId, metadata: read, ...order })
      return state.record
    }
    const body = { operationId: order.operationId, networkId, metadata: read }
    const { entries } = await ask({ to: party.name, kind: act, body })
    const { received, isNewMember } = await this.#storeAnswer(party, entries)
    if (isNewMember) this.#readListSoon(party)
    const [made] = received
    if (!made) throw new Problem('unavailable', `The node of ${party.name} returned no membership.`)
    return made.state.record
  }

  async list(listing: Listing): Promise<AsyncIterable<MembershipPage>> {
    const { ledger, map } = this.#parts
    const party = listing.bno === null ? this.#onlyOperator() : this.#operatorNamed(listing.bno, 'bno')
    const member = listing.member === null ? null : map.resolve(listing.member, 'member')
    if (party.name === this.#self) return this.#stored(party, operatorsSelection(listing, member), listing)
    const viewer = { own: await membershipsOf(ledger, this.#self, party.name), self: this.#self, member }
    // Operators notify a node of its own memberships; of others it knows enough once it has read the whole list.
    const suffices = seesItselfOnly(listing, viewer) || (await isComplete(ledger, party.name))
    if (suffices && !listing.forceRefresh) return this.#stored(party, membersSelection(listing, viewer), listing)
    return this.#refreshed(party, listing, member)
  }

  get #self(): string {
    return this.#parts.ledger.identity().party
  }

  #operatorNamed(text: string, where: string): Party {
    const { map } = this.#parts
    const party = map.party(map.resolve(text, where))
    if (!party?.isOperator) throw new Problem('not_found', `The network map has no operator '${text}'.`)
    if (!this.operators().includes(party.name))
      throw new Problem('forbidden', `This node does not deal with ${party.name}.`)
    return party
  }

  #onlyOperator(): Party {
    const [one, ...others] = this.#parts.map.operators()
    if (!one || others.length > 0) throw new Problem('bad_parameter', 'Name the operator in `bno`.')
    return this.#operatorNamed(one.name, 'bno')
  }

  /** A failure ends neither the process nor the work that follows: the database may have gone away for a moment. */
  #inBackground(work: () => Promise<void>): void {
    const { ledger, log } = this.#parts
    this.#background = this.#background
      .then(work)
      .catch(error => log.warn({ err: error, node: ledger.node }, 'work in the background failed'))
  }

  #readListSoon(party: Party): void {
    this.#inBackground(() => this.#readList(party.name))
  }

  async #store(party: Party, sent: Json | undefined): Promise<AcceptedStates> {
    const { ledger } = this.#parts
    const { all, fresh } = await readSignedEntries(sent, party, ledger)
    if (fresh.length === 0) return { received: all, isNewMember: false }
    const changes = await ledger.receive(party.name, fresh, async (changes, transaction) => {
      // The node was not notified of what happened in the network before it was a member.
      if (becameActive(changes, this.#self))
        await setComplete(ledger, transaction, { operator: party.name, complete: false })
    })
    return { received: all, isNewMember: becameActive(changes, this.#self) }
  }

  /** An answer that cannot be trusted is the operator's fault, not the caller's. */
  async #storeAnswer(party: Party, sent: Json | undefined): Promise<AcceptedStates> {
    try {
      return await this.#store(party, sent)
    } catch (error) {
      if (!(error instanceof Problem && untrusted.has(error.code))) throw error
      const { ledger, log } = this.#parts
      log.warn({ err: error, node: ledger.node, operator: party.name }, 'answer refused')
      throw new Problem('unavailable', `The node of ${party.name} sent an invalid response.`)
    }
  }

  async *#stored(party: Party, selection: PageSelection, { after, limit }: Listing): AsyncGenerator<MembershipPage> {
    const rows = rowsOf(this.#parts.ledger, { ...selection, bno: party.name }, { after, limit: limit })
    for await (const batch of rows) yield batch.map(toMembership)
  }

  /** The first page of the operator has the node's own memberships as they are now; permissions depend on them. */
  async #refreshed(party: Party, listing: Listing, member: string | null): Promise<AsyncIterable<MembershipPage>> {
    const pages = this.#pull(party, { after: listing.after, member })
    const first = await pages.next()
    const own = await membershipsOf(this.#parts.ledger, this.#self, party.name)
    const selection = membersSelection(listing, { own, self: this.#self, member })
    const matches = (record: Membership) => isSelected(selection, record)
    return (async function* () {
      try {
        if (!first.done) yield first.value.filter(matches)
        for await (const page of pages) yield page.filter(matches)
      } finally {
        await pages.return(undefined)
      }
    })()
  }

  /** Reads the operator's list page by page, and stores it on the way. Once read from start to end, the copy is complete. */
  async *#pull(party: Party, listing: Pick<Listing, 'after' | 'member'>): AsyncGenerator<MembershipPage> {
    const { ledger, ask } = this.#parts
    let { after } = listing
    let since: string | null = null
    let lacksList = false
    try {
      do {
        const page = await ask({ to: party.name, kind: 'list', body: { after, member: listing.member } })
        const own = await this.#storeAnswer(party, page.own)
        since ??= versionsOf(own.received.map(({ state }) => state.record))
        const { received, isNewMember } = await this.#storeAnswer(party, page.entries)
        lacksList ||= own.isNewMember || isNewMember
        yield received.map(({ state }) => state.record)
        after = typeof page.next === 'string' ? page.next : null
      } while (after !== null)
      // If the node's own membership has changed since, it may have missed changes of others.
      const isWhole = listing.after === null && listing.member === null
      if (!isWhole || versionsOf(await membershipsOf(ledger, this.#self, party.name)) !== since) return
      await ledger.records.transaction(transaction =>
        setComplete(ledger, transaction, { operator: party.name, complete: true }),
      )
      lacksList = false
    } finally {
      // The caller may have stopped before the end.
      if (lacksList) this.#readListSoon(party)
    }
  }

  /** Reads the operator's list into the copy, unless it is complete. Never fails: the next listing tries again. */
  async #readList(operatorName: string): Promise<void> {
    const { ledger, log } = this.#parts
    try {
      const party = this.#operatorNamed(operatorName, 'bno')
      if (await isComplete(ledger, party.name)) return
      for await (const _ of this.#pull(party, { after: null, member: null })) await nextTick()
    } catch (error) {
      log.warn({ err: error, node: ledger.node, operator: operatorName }, 'list of members not read')
    }
  }

  /** Tells the operators that the node is back, and reads what is missing. */
  async #sayHello(): Promise<void> {
    const { ledger, map, ask } = this.#parts
    for (const { name } of map.operators()) {
      if (name === this.#self || (await membershipsOf(ledger, this.#self, name)).length === 0) continue
      await ask({ to: name, kind: 'hello', body: {}, attempts: 1 }).catch(() => undefined)
      await this.#readList(name)
    }
  }
}

/** Problems of states that are not trusted. */
const untrusted: ReadonlySet<Problem['code']> = new Set(['bad_request', 'unprocessable', 'conflict'])

const versionsOf = (records: MembershipPage): string =>
  records
    .map(({ linearId, version }) => `${linearId} ${version}`)
    .sort()
    .join()

export const becameActive = (changes: readonly MembershipChange[], party: string): boolean =>
  changes.some(
    ({ before, after }) => after.member === party && after.status === 'ACTIVE' && before?.status !== 'ACTIVE',
  )
