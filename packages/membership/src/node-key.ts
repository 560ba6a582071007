// The private key of a node is kept with its ledger. A ledger in the data folder has its key in a file beside it. A ledger in a
// database of its own address may have several instances, each with another data folder: its key is in that database, unless
// a key file is configured.

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { renameSync } from 'node:fs'
import { Problem, type RecordReader, type Row, type TransactionRecords } from 'plinth'
import { type Identity, makeKeyFile, newKey, readKeyFile, toIdentity } from './identity.ts'
import { membershipNodes } from './tables.ts'

export interface NodeKey {
  /** Returns the identity of the node; that of a key in the database only after `load`. */
  identity(): Identity
  /** Reads the key, and makes it if there is none. In the transaction that prepares the ledger. */
  load(records: TransactionRecords): Promise<Identity>
  /** Reads the key as another command than the service does; null when there is none yet. */
  peek(reader: RecordReader): Promise<Identity | null>
}

/** The owner of a key, and the place where it is kept. */
export interface KeySettings {
  /** The configured name of the node. */
  readonly name: string
  /** The canonical X.500 name. */
  readonly party: string
  readonly keyFile: string
  readonly keyPlace: 'file' | 'database'
}

export const createNodeKey = (settings: KeySettings): NodeKey =>
  settings.keyPlace === 'database' ? keyInDatabase(settings) : keyInFile(settings)

/** Reads the file when the key is first needed: commands that only describe the service leave no files behind. */
const keyInFile = ({ name, party, keyFile }: KeySettings): NodeKey => {
  let known: Identity | null = null
  const identity = (): Identity => {
    known ??= toIdentity(party, readKeyFile(keyFile) ?? makeKeyFile(keyFile))
    return known
  }
  return {
    identity,
    load: async records => {
      const stored = await moveKeyToFile(records, { name, keyFile })
      if (stored) known = toIdentity(party, stored)
      return identity()
    },
    peek: async reader => {
      const stored = storedKey(await reader.first(membershipNodes, { where: { pk: name } }))
      if (stored) known = toIdentity(party, stored)
      return identity()
    },
  }
}

/**
 * A ledger that comes from a database with its key in it, by a transfer or from a backup, gets its key file. The file of another
 * ledger is kept under another name. Null when the key is not in the database.
 */
const moveKeyToFile = async (
  records: TransactionRecords,
  { name, keyFile }: Pick<KeySettings, 'name' | 'keyFile'>,
): Promise<KeyObject | null> => {
  const key = storedKey(await records.lock(membershipNodes, name))
  if (!key) return null
  const present = readKeyFile(keyFile)
  if (present && !present.equals(key)) renameSync(keyFile, `${keyFile}.replaced`)
  makeKeyFile(keyFile, key)
  await records.update(membershipNodes, name, { privateKey: null })
  return key
}

type NodeRow = Row<typeof membershipNodes>

const storedKey = (row: NodeRow | null): KeyObject | null => (row?.privateKey ? fromText(row.privateKey) : null)

const keyInDatabase = (settings: KeySettings): NodeKey => {
  const { name, party } = settings
  let known: Identity | null = null
  const read = (row: NodeRow | null): Identity | null => {
    const key = storedKey(row)
    return key && toIdentity(party, key)
  }
  return {
    identity: () => {
      if (!known) throw new Error(`the key of node '${name}' was not loaded`)
      return known
    },
    load: async records => {
      // Another instance may be at it, too: what the row says once it is held, counts.
      const row = (await records.lock(membershipNodes, name)) ?? (await begin(records, settings))
      known = read(row) ?? (await adopt(records, settings))
      return known
    },
    peek: async reader => {
      known = read(await reader.first(membershipNodes, { where: { pk: name } }))
      return known
    },
  }
}

const begin = async (records: TransactionRecords, { name, party }: KeySettings): Promise<NodeRow | null> => {
  const key = newKey()
  const { publicKey } = toIdentity(party, key)
  const node = { pk: name, partyName: party, publicKey, privateKey: toText(key), sequence: 0, head: '' }
  await records.ensure(membershipNodes, node)
  return records.lock(membershipNodes, name)
}

/** A ledger that was begun with its key in a file takes the key over. */
const adopt = async (records: TransactionRecords, { name, party, keyFile }: KeySettings): Promise<Identity> => {
  const key = readKeyFile(keyFile)
  if (!key)
    throw new Problem(
      'unavailable',
      `The ledger of node '${name}' was begun with a key file. Start the service once where it is, as ${keyFile}.`,
    )
  await records.update(membershipNodes, name, { privateKey: toText(key) })
  return toIdentity(party, key)
}

const toText = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'der' }).toString('base64')

const fromText = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' })
