// The memory of bodies that arrive: pieces of one size, which are used again. Without that, bodies that are refused would leave
// their memory to the collection of garbage, which comes late, and those that arrive next would take as much again.

/** The bytes that Node reads at once. */
export const pieceBytes = 65_536

/** Pieces that are not used are given up one by one. */
const keptShare = 0.9

export class BodyMemory {
  readonly #unused: Buffer[] = []

  take(): Buffer {
    return this.#unused.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
  }

  give(pieces: readonly Buffer[]): void {
    this.#unused.push(...pieces)
  }

  /** Gives memory back; is called regularly. */
  shrink(): void {
    this.#unused.length = Math.floor(this.#unused.length * keptShare)
  }
}

/** A body as it grows. */
export class GrowingBody {
  size = 0
  /** Bytes of memory that it takes. */
  capacity = 0
  readonly #memory: BodyMemory
  /** The first piece: most bodies come at once, and are kept as they came. */
  #start: Buffer = Buffer.alloc(0)
  #startSize = 0
  #pieces: Buffer[] = []
  /** The last of them. */
  #piece: Buffer = Buffer.alloc(0)
  /** Bytes left in it. */
  #left = 0

  constructor(memory: BodyMemory) {
    this.#memory = memory
  }

  append(part: Buffer): void {
    if (this.size === 0) {
      this.#start = part
      this.#startSize = part.length
    } else if (this.#pieces.length === 0 && this.size + part.length <= pieceBytes / 2) this.#appendToStart(part)
    else this.#appendToPieces(part)
    this.size += part.length
    this.capacity = this.#start.length + this.#pieces.length * pieceBytes
  }

  /** The whole body. Its pieces are free for others then. */
  finish(): Buffer {
    if (this.#pieces.length === 0) return this.#start.subarray(0, this.size)
    const whole = Buffer.concat(this.#pieces, this.size)
    this.clear()
    this.capacity = whole.length
    return whole
  }

  clear(): void {
    this.#memory.give(this.#pieces)
    this.#pieces = []
    this.#start = Buffer.alloc(0)
    this.capacity = 0
  }

  /** Tiny parts: a list of them would take far more memory than their bytes. */
  #appendToStart(part: Buffer): void {
    const size = this.#startSize + part.length
    if (size > this.#start.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#startSize))
      this.#start.copy(larger, 0, 0, this.#startSize)
      this.#start = larger
    }
    part.copy(this.#start, this.#startSize)
    this.#startSize = size
  }

  #appendToPieces(part: Buffer): void {
    if (this.#startSize > 0) {
      this.#fill(this.#start.subarray(0, this.#startSize))
      this.#start = Buffer.alloc(0)
      this.#startSize = 0
    }
    this.#fill(part)
  }

  #fill(part: Buffer): void {
    for (let at = 0; at < part.length; ) {
      if (this.#left === 0) {
        this.#piece = this.#memory.take()
        this.#pieces.push(this.#piece)
        this.#left = pieceBytes
      }
      const copied = part.copy(this.#piece, pieceBytes - this.#left, at)
      this.#left -= copied
      at += copied
    }
  }
}
