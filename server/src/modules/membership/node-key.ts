// The private key of a node is kept with its ledger. A ledger in the data folder has its key in a file beside it. A ledger in a
// database of its own address may have several instances, each with another data folder: its key is in that database, unless
// a key file is configured.

import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { StoredRecord } from '../../core/model/record.ts'
import type { Registry } from '../../core/model/registry.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Reader, Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { type Identity, makeKeyFile, newKey, readKeyFile, toIdentity } from './identity.ts'
import type { NodeSettings } from './settings.ts'
import { membershipNodes } from './tables.ts'

export interface NodeKey {
  /** Who the node is. Of a key in the database, only after `load`. */
  identity(): Identity
  /** Reads the key, and makes it if there is none. In the transaction that prepares the ledger. */
  load(tx: Transaction): Promise<Identity>
  /** Reads the key as another command than the service does; null when there is none yet. */
  peek(reader: Reader): Promise<Identity | null>
}

type KeySettings = Pick<NodeSettings, 'name' | 'party' | 'keyFile' | 'keyPlace'>

export const createNodeKey = (settings: KeySettings, registry: Registry): NodeKey =>
  settings.keyPlace === 'database' ? keyInDatabase(settings, registry) : keyInFile(settings)

/** Reads the file when the key is first needed: commands that only describe the service leave no files behind. */
const keyInFile = ({ party, keyFile }: KeySettings): NodeKey => {
  let known: Identity | null = null
  const identity = (): Identity => {
    known ??= toIdentity(party, readKeyFile(keyFile) ?? makeKeyFile(keyFile))
    return known
  }
  return { identity, load: async () => identity(), peek: async () => identity() }
}

const keyInDatabase = (settings: KeySettings, registry: Registry): NodeKey => {
  const { name, party } = settings
  const nodes = registry.resource(membershipNodes.name)
  let known: Identity | null = null
  const read = (row: StoredRecord | null): Identity | null =>
    typeof row?.privateKey === 'string' ? toIdentity(party, fromText(row.privateKey)) : null
  return {
    identity: () => {
      if (!known) throw new Error(`the key of node '${name}' was not loaded`)
      return known
    },
    load: async tx => {
      // Another instance may be at it, too: what the row says once it is held, counts.
      const row = (await tx.lock(nodes, name)) ?? (await begin(tx, settings, nodes))
      known = read(row) ?? (await adopt(tx, settings, nodes))
      return known
    },
    peek: async reader => {
      known = read(await reader.get(nodes, name))
      return known
    },
  }
}

const begin = async (tx: Transaction, { name, party }: KeySettings, nodes: Resource): Promise<StoredRecord | null> => {
  const key = newKey()
  const { publicKey } = toIdentity(party, key)
  await tx.ensure(nodes, name, { partyName: party, publicKey, privateKey: toText(key), sequence: 0, head: '' })
  return tx.lock(nodes, name)
}

/** A ledger that was begun with its key in a file takes the key over. */
const adopt = async (tx: Transaction, { name, party, keyFile }: KeySettings, nodes: Resource): Promise<Identity> => {
  const key = readKeyFile(keyFile)
  if (!key)
    throw new Problem(
      'unavailable',
      `The ledger of node '${name}' was begun with a key file. Start the service once where it is, as ${keyFile}.`,
    )
  await tx.update(nodes, name, { privateKey: toText(key) })
  return toIdentity(party, key)
}

const toText = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'der' }).toString('base64')

const fromText = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' })
