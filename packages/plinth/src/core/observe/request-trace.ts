// One request, followed from its first byte to its last: its stages, one after another, with their times and statements.

export interface TracedStatement {
  /** The SQL without the values of its parameters: they may be personal data. */
  readonly sql: string
  readonly ms: number
  readonly rows: number
}

export interface TracedStage {
  /** The stage, named as in ARCHITECTURE.md. */
  readonly stage: string
  /** The milliseconds since the request was sent. */
  readonly at: number
  readonly ms: number
  readonly statements: readonly TracedStatement[]
}

interface OpenStage {
  stage: string
  readonly at: number
  readonly statements: TracedStatement[]
}

/** Stages that take less, and have no statement, are counted to the stage before them. */
const leastMs = 0.005

const round = (ms: number): number => Math.round(ms * 1000) / 1000

/** Follows one request at a time. Each moment belongs to one stage: the next one begins where the one before ends. */
export class RequestTrace {
  #start = 0
  #stages: OpenStage[] = []
  #depth = 0
  /** The stage of code that no other stage is known for. */
  #code = 'endpoint'

  /** Forgets the request before. */
  begin(stage: string): void {
    this.#start = performance.now()
    this.#stages = []
    this.#depth = 0
    this.enter(stage)
  }

  enter(stage: string): void {
    if (this.#current?.stage === stage) return
    this.#stages.push({ stage, at: performance.now() - this.#start, statements: [] })
  }

  /** Names the stage to which time between known stages belongs, from the end of the next known stage on. */
  expect(stage: string): void {
    this.#code = stage
  }

  /** Stages within a stage are a part of it. `then` is the stage that follows, unless it is the code of the operation. */
  run<T>(stage: string, run: () => T, then?: string): T {
    if (this.#depth > 0) return run()
    this.enter(stage)
    this.#depth += 1
    const leave = (): void => {
      this.#depth -= 1
      this.enter(then ?? this.#code)
    }
    return whenOver(run, leave)
  }

  /** Runs a stage; when it runs again, it is a part of the stage that runs then. */
  once<T>(stage: string, run: () => T): T {
    return this.#stages.some(one => one.stage === stage) ? run() : this.run(stage, run)
  }

  /** What has run since the last read or write of records is this stage. After a refusal, what has run since any known stage is. */
  nameLast(stage: string, isRefused: boolean): void {
    const [before, last] = this.#stages.slice(-2)
    if (last?.stage === this.#code && (isRefused || before?.stage.startsWith('store/'))) last.stage = stage
  }

  note(statement: TracedStatement): void {
    this.#current?.statements.push({ ...statement, ms: round(statement.ms) })
  }

  end(): readonly TracedStage[] {
    const end = performance.now() - this.#start
    const merged: (OpenStage & { until: number })[] = []
    for (const [at, one] of this.#stages.entries()) {
      const until = this.#stages[at + 1]?.at ?? end
      const before = merged.at(-1)
      const isShort = until - one.at < leastMs && one.statements.length === 0
      if (before && (isShort || before.stage === one.stage)) {
        before.until = until
        before.statements.push(...one.statements)
      } else merged.push({ ...one, until })
    }
    return merged.map(({ stage, at, until, statements }) => ({
      ...{ stage, at: round(at), ms: round(until - at) },
      statements,
    }))
  }

  get #current(): OpenStage | undefined {
    return this.#stages.at(-1)
  }
}

const whenOver = <T>(run: () => T, leave: () => void): T => {
  let isPending = false
  try {
    const value = run()
    if (!(value instanceof Promise)) return value
    isPending = true
    return value.finally(leave) as T
  } finally {
    if (!isPending) leave()
  }
}
