// Lists of postings as bytes: the documents that have a word, in the order of their numbers, each with the weight of the word there and the
// length of the text. Numbers take seven bits of a byte, and as many bytes as they need (LEB128); documents are written as the distance from the
// one before. The places of the word are in bytes of their own, which only phrases need.

import type { Pause } from '../../pauses.ts'
import { placeOf } from './document-sets.ts'

/** A word in one document. */
export interface Posting {
  readonly doc: number
  readonly weight: number
  readonly length: number
  readonly places: readonly number[]
}

/** Some postings of an entry, in a row of the index. */
export interface Block {
  readonly entry: string
  /** The numbers of the first and the last document. */
  readonly first: number
  readonly last: number
  readonly count: number
  readonly postings: Uint8Array
  readonly places: Uint8Array
}

/** The postings of a block; more would be written again with each one that is added. */
export const maxBlock = 512

class ByteWriter {
  #bytes = new Uint8Array(64)
  #size = 0

  write(number: number): void {
    if (this.#size + 8 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    let rest = number
    while (rest > 127) {
      this.#bytes[this.#size++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#size++] = rest
  }

  /** What was written, behind other bytes. */
  after(before: Uint8Array): Uint8Array {
    const all = new Uint8Array(before.length + this.#size)
    all.set(before)
    all.set(this.#bytes.subarray(0, this.#size), before.length)
    return all
  }
}

/** Reads one number after the other. */
class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  read(): number {
    const bytes = this.#bytes
    let byte = bytes[this.#at++] ?? 0
    if (byte < 128) return byte
    let [number, unit] = [byte - 128, 128]
    for (;;) {
      byte = bytes[this.#at++] ?? 0
      if (byte < 128) return number + byte * unit
      number += (byte - 128) * unit
      unit *= 128
    }
  }
}

const none = new Uint8Array(0)

/** The block without postings that a list begins with. */
const emptyBlock = (entry: string, first: number): Block => ({
  ...{ entry, first, last: 0, count: 0 },
  ...{ postings: none, places: none },
})

/** Adds postings of later documents to the last block of an entry. Answers the blocks that are new or changed. */
export const appended = (entry: string, tail: Block | undefined, added: readonly Posting[]): readonly Block[] => {
  const blocks: Block[] = []
  let at = 0
  let block = tail && tail.count < maxBlock ? tail : undefined
  while (at < added.length) {
    const begun = block ?? emptyBlock(entry, added[at]?.doc ?? 0)
    const some = added.slice(at, at + maxBlock - begun.count)
    blocks.push(extended(begun, some))
    at += some.length
    block = undefined
  }
  return blocks
}

const extended = (block: Block, added: readonly Posting[]): Block => {
  const [postings, places] = [new ByteWriter(), new ByteWriter()]
  let last = block.last
  for (const { doc, weight, length, places: all } of added) {
    postings.write(doc - last)
    postings.write(weight)
    postings.write(length)
    last = doc
    let before = 0
    // The lowest bit tells whether another place follows.
    for (const [at, place] of all.entries()) {
      places.write((place - before) * 2 + (at < all.length - 1 ? 1 : 0))
      before = place
    }
  }
  return {
    ...{ entry: block.entry, first: block.first, last, count: block.count + added.length },
    ...{ postings: postings.after(block.postings), places: places.after(block.places) },
  }
}

/** All postings of a block, with their places. */
export const postingsOf = (block: Block): readonly Posting[] => {
  const [postings, places] = [new ByteReader(block.postings), new ByteReader(block.places)]
  let doc = 0
  return Array.from({ length: block.count }, () => {
    doc += postings.read()
    return { doc, weight: postings.read(), length: postings.read(), places: placesIn(places) }
  })
}

const placesIn = (reader: ByteReader): readonly number[] => {
  const places: number[] = []
  let place = 0
  for (;;) {
    const number = reader.read()
    place += Math.floor(number / 2)
    places.push(place)
    if (number % 2 === 0) return places
  }
}

/** Replaces the postings of a block by some of them; null where none is left. */
export const reduced = (block: Block, isKept: (doc: number) => boolean): Block | null => {
  const kept = postingsOf(block).filter(({ doc }) => isKept(doc))
  return kept.length === 0 ? null : extended(emptyBlock(block.entry, block.first), kept)
}

/** The postings of a word as columns, without their places. */
export interface PostingList {
  readonly docs: Uint32Array
  readonly weights: Uint32Array
  readonly lengths: Uint32Array
}

/** A set of documents by their numbers. */
export class DocumentSet {
  readonly #bits: Uint8Array

  constructor(docs: Iterable<number>, last: number) {
    this.#bits = new Uint8Array((last >> 3) + 1)
    for (const doc of docs) this.#bits[doc >> 3] = (this.#bits[doc >> 3] ?? 0) | (1 << (doc & 7))
  }

  has(doc: number): boolean {
    return ((this.#bits[doc >> 3] ?? 0) & (1 << (doc & 7))) !== 0
  }
}

interface ListOptions {
  /** Documents to leave out. */
  readonly gone: DocumentSet | null
  /** Lets others have their turns. */
  readonly pause: Pause
}

/** Puts the blocks of one entry together. */
export const toList = async (blocks: readonly Block[], { gone, pause }: ListOptions): Promise<PostingList> => {
  const count = blocks.reduce((sum, block) => sum + block.count, 0)
  const [docs, weights, lengths] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  let size = 0
  for (const block of blocks) {
    const paused = pause()
    if (paused) await paused
    const reader = new ByteReader(block.postings)
    let doc = 0
    for (let at = 0; at < block.count; at++) {
      doc += reader.read()
      docs[size] = doc
      weights[size] = reader.read()
      lengths[size] = reader.read()
      if (!gone?.has(doc)) size += 1
    }
  }
  return { docs: docs.subarray(0, size), weights: weights.subarray(0, size), lengths: lengths.subarray(0, size) }
}

/** Numbers in rising order as text, for a cell. */
export const numbersToText = (numbers: readonly number[]): string => {
  const writer = new ByteWriter()
  let before = 0
  for (const number of numbers) {
    writer.write(number - before)
    before = number
  }
  return Buffer.from(writer.after(none)).toString('base64')
}

export const numbersFromText = (text: string): readonly number[] => {
  const bytes = Buffer.from(text, 'base64')
  const count = bytes.reduce((sum, byte) => sum + (byte < 128 ? 1 : 0), 0)
  const reader = new ByteReader(bytes)
  let number = 0
  return Array.from({ length: count }, () => {
    number += reader.read()
    return number
  })
}

/** The postings of an entry that are of some documents: what is kept of its blocks, which pass by in their order. */
export class PostingsAmong {
  /** How many documents have the entry, of all. */
  count = 0
  readonly #docs: Uint32Array
  readonly #gone: DocumentSet | null
  #from = 0
  #size = 0
  /** Of each posting: the place of its document among them, its weight and its length. */
  #kept = new Uint32Array(192)

  constructor(docs: Uint32Array, gone: DocumentSet | null) {
    this.#docs = docs
    this.#gone = gone
  }

  add(block: Block): void {
    this.#from = placeOf(this.#docs, block.first, this.#from)
    const next = this.#docs[this.#from]
    if (!this.#gone && (next === undefined || next > block.last)) {
      this.count += block.count
      return
    }
    const reader = new ByteReader(block.postings)
    let doc = 0
    for (let at = 0; at < block.count; at++) {
      doc += reader.read()
      const [weight, length] = [reader.read(), reader.read()]
      if (this.#gone?.has(doc)) continue
      this.count += 1
      this.#from = placeOf(this.#docs, doc, this.#from)
      if (this.#docs[this.#from] === doc) this.#keep(this.#from, weight, length)
    }
  }

  forEach(use: (at: number, weight: number, length: number) => void): void {
    for (let from = 0; from < this.#size; from += 3)
      use(this.#kept[from] ?? 0, this.#kept[from + 1] ?? 0, this.#kept[from + 2] ?? 0)
  }

  #keep(at: number, weight: number, length: number): void {
    if (this.#size === this.#kept.length) {
      const larger = new Uint32Array(this.#size * 2)
      larger.set(this.#kept)
      this.#kept = larger
    }
    this.#kept.set([at, weight, length], this.#size)
    this.#size += 3
  }
}
