// The parties that a node knows: those of a file that the nodes of a network share, and the nodes of the same configuration.
// The file is read again when it changes, so that parties come and go without a restart.

import { readFileSync, statSync } from 'node:fs'
import { Problem } from 'plinth'
import { errorMessage } from 'plinth/module'
import { readPublicKey } from './identity.ts'
import { isBody } from './messages.ts'
import { isPlainBeyondLoopback, toNodeUrl } from './node-address.ts'
import { badParty, type Party, readPartyName } from './party.ts'
import { canonicalX500, isX500, plainWords, readX500 } from './x500.ts'

export interface NetworkMap {
  party(name: string): Party | undefined
  operators(): readonly Party[]
  all(): Iterable<Party>
  /** An X.500 name in any spelling, or an organisation → the canonical name. Only organisations must be on the map. */
  resolve(text: string, where: string): string
}

interface Known {
  readonly byName: ReadonlyMap<string, Party>
  readonly byOrganisation: ReadonlyMap<string, readonly string[]>
  readonly operators: readonly Party[]
}

export interface MapParts {
  readonly file: string | null
  /** Parties that are known without the file; what they say of themselves wins. */
  readonly siblings: readonly Party[]
  /** May parties beyond this machine be reached by plain http? */
  readonly allowsPlainHttp: boolean
  readonly onFault: (message: string) => void
}

/** How long the file is trusted to be as it was. */
const trustedFor = 500

export const createNetworkMap = ({ file, siblings, allowsPlainHttp, onFault }: MapParts): NetworkMap => {
  const readMap = (path: string): Party[] => readMapFile(path, allowsPlainHttp)
  let known = toKnown([...(file ? readMap(file) : []), ...siblings])
  let changed = file ? changeOf(file) : ''
  let lookedAt = performance.now()
  const current = (): Known => {
    if (!file || performance.now() - lookedAt < trustedFor) return known
    lookedAt = performance.now()
    const change = changeOf(file)
    if (change === changed) return known
    changed = change
    try {
      known = toKnown([...readMap(file), ...siblings])
    } catch (error) {
      // A half-written file must not make a node forget its network.
      onFault(`The network map was not reloaded: ${errorMessage(error)}`)
    }
    return known
  }
  return {
    party: name => current().byName.get(name),
    operators: () => current().operators,
    all: () => current().byName.values(),
    resolve: (text, where) => resolve(current(), text, where),
  }
}

const changeOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : 'gone'
}

const toKnown = (parties: readonly Party[]): Known => {
  const byName = new Map(parties.map(party => [party.name, party]))
  const byOrganisation = new Map<string, string[]>()
  for (const name of byName.keys()) {
    const organisation = readX500(name).O
    byOrganisation.set(organisation, [...(byOrganisation.get(organisation) ?? []), name])
  }
  return { byName, byOrganisation, operators: [...byName.values()].filter(party => party.isOperator) }
}

const resolve = ({ byOrganisation }: Known, text: string, where: string): string => {
  if (isX500(text)) return readPartyName(text, where)
  const names = byOrganisation.get(plainWords(text)) ?? []
  const [name] = names
  if (name === undefined) throw new Problem('not_found', `The network map has no party '${text}'.`)
  if (names.length > 1) throw badParty(where, `is ambiguous: ${names.join(' or ')}`)
  return name
}

/** `{"parties": [{"partyName", "role"?, "address"?, "publicKey"?}]}` */
const readMapFile = (file: string, allowsPlainHttp: boolean): Party[] => {
  const written: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isBody(written) || !Array.isArray(written.parties)) throw new Error(`${file} has no list 'parties'`)
  return written.parties.map((party, index) => {
    try {
      const read = readParty(party)
      if (!allowsPlainHttp && read.address !== null && isPlainBeyondLoopback(toNodeUrl(read.address) ?? ''))
        throw new Error("address is plain http: give an https address, or set 'app.bnms.allowPlainHttp'")
      return read
    } catch (error) {
      throw new Error(`party ${index + 1} of ${file}: ${errorMessage(error)}`)
    }
  })
}

const readParty = (written: unknown): Party => {
  const { partyName, role = 'member', address = null, publicKey } = isBody(written) ? written : {}
  if (typeof partyName !== 'string') throw new Error('partyName is missing')
  if (role !== 'member' && role !== 'operator') throw new Error('role is neither member nor operator')
  if (address !== null && (typeof address !== 'string' || !toNodeUrl(address))) throw new Error('address is invalid')
  const key = typeof publicKey === 'string' ? readPublicKey(publicKey) : null
  if (key === undefined) throw new Error('publicKey is not an Ed25519 key')
  return { name: canonicalX500(partyName), isOperator: role === 'operator', address, key }
}
