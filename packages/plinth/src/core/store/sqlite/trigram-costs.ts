// Searches by trigrams. How many texts have them is estimated from a sample of the texts.

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { LRUCache } from 'lru-cache'
import type { TrigramSearch } from '../statement-facts.ts'
import { indexedText } from './schema.ts'
import { keptFor, rowsOn, spreadRowids } from './table-sizes.ts'

const sampledTexts = 500
/** The most characters in all samples: of long texts, fewer are sampled. */
const maxSampledCharacters = 100_000
const maxSamples = 50
const maxKnownShares = 10_000
/** What no text of the sample has, others may have. */
const unseenHits = 0.25
/** Entries in the list of a trigram that are read in the time of one row. */
const entriesPerRow = 40

interface IndexedTexts {
  /** How many there are at most. */
  readonly size: number
  /** How many of them were looked at. */
  readonly sampled: number
  /** The sampled texts as the index has them. */
  readonly sample: readonly string[]
  /** The share of all texts that have the trigram, by trigram. */
  readonly shares: LRUCache<string, number>
}

export interface TrigramCost {
  /** Texts that have all trigrams. */
  readonly matches: number
  /** The work to find them, in rows visited. */
  readonly lists: number
}

export class TrigramCosts {
  readonly #database: DatabaseSyncInstance
  readonly #texts = new LRUCache<string, IndexedTexts>({ max: maxSamples, ttl: keptFor })

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
  }

  of(search: TrigramSearch, trigrams: readonly string[]): TrigramCost {
    const texts = this.#textsOf(search)
    const entries = trigrams.reduce((sum, trigram) => sum + texts.size * shareIn(texts, trigram), 0)
    return { matches: texts.size * jointShareIn(texts, trigrams), lists: entries / entriesPerRow }
  }

  /**
   * The rarest ones, until reading one more list would take longer than comparing the texts found without it. Trigrams that do not
   * overlap come first, because they exclude more. Null where no text is known.
   */
  rarest(search: TrigramSearch, trigrams: readonly string[]): readonly string[] | null {
    const texts = this.#textsOf(search)
    if (texts.sample.length === 0) return null
    const candidates = trigrams
      .map((trigram, at) => ({ trigram, at, share: shareIn(texts, trigram) }))
      .sort((left, right) => left.share - right.share)
    const chosen: typeof candidates = []
    let matches = texts.size
    for (const distance of [3, 2, 1]) {
      for (const candidate of candidates) {
        if (chosen.length > 0 && matches <= (texts.size * candidate.share) / entriesPerRow) break
        if (chosen.some(({ at }) => Math.abs(at - candidate.at) < distance)) continue
        chosen.push(candidate)
        matches *= distance === 3 ? candidate.share : Math.sqrt(candidate.share)
      }
    }
    return chosen.map(({ trigram }) => trigram)
  }

  #textsOf(search: TrigramSearch): IndexedTexts {
    const known = this.#texts.get(search.index)
    if (known) return known
    const texts = this.#read(search)
    // An empty sample is not kept: the next import may fill the table.
    if (texts.sample.length > 0) this.#texts.set(search.index, texts)
    return texts
  }

  #read({ table, column }: TrigramSearch): IndexedTexts {
    const { range, rowids } = spreadRowids(this.#database, table, sampledTexts)
    const sql = `SELECT "${column}" FROM "${table}" WHERE rowid IN (SELECT value FROM json_each(?))`
    const found = rowsOn(this.#database, `${sql} AND "${column}" IS NOT NULL`, JSON.stringify(rowids)).map(([text]) =>
      String(text),
    )
    const characters = found.reduce((sum, text) => sum + text.length, 0)
    const step = Math.max(1, Math.ceil(characters / maxSampledCharacters))
    return {
      size: range,
      sampled: Math.max(1, Math.min(sampledTexts, range) / step),
      sample: found.filter((_, at) => at % step === 0).map(indexedText),
      shares: new LRUCache({ max: maxKnownShares }),
    }
  }
}

const shareIn = (texts: IndexedTexts, trigram: string): number => {
  const known = texts.shares.get(trigram)
  if (known !== undefined) return known
  const share = jointShareIn(texts, [trigram])
  texts.shares.set(trigram, share)
  return share
}

const jointShareIn = ({ sample, sampled }: IndexedTexts, trigrams: readonly string[]): number => {
  const hits = sample.filter(text => trigrams.every(trigram => text.includes(trigram))).length
  return Math.min(1, Math.max(hits, unseenHits) / sampled)
}
