// Calls of records, known while they are under way. A call that fails although nothing awaits it is reported with the place that
// made it; records of code whose time is over take no calls.

import type { ResourceDefinition } from '../model/define.ts'
import { type Activity, RecordCall, type RunningCode } from '../model/running-code.ts'
import { captureSite } from '../source-place.ts'
import type { RecordContext } from './context.ts'

/** The property of a result that holds its call. A weak map would keep both until the next full collection of garbage. */
const calling = Symbol('calling')

interface CallResult<T> extends Promise<T> {
  [calling]?: RecordCall
}

/** The call of records that this is the result of, if it is one. */
export const recordCallOf = (result: CallResult<unknown>): RecordCall | null => result[calling] ?? null

/** A method of records. */
type Callee = (...args: never[]) => unknown

export abstract class TrackedCalls {
  readonly #activity: Activity | null
  readonly #code: RunningCode | null

  constructor({ tx, code }: Pick<RecordContext, 'tx' | 'code'>) {
    this.#activity = tx?.activity ?? null
    this.#code = code ?? null
  }

  /** Runs the work of a method that was called for a resource, or for none. */
  protected call<T>(
    callee: Callee,
    definition: ResourceDefinition | null,
    run: (call: RecordCall) => Promise<T>,
  ): Promise<T> {
    const call = new RecordCall({
      ...{ operation: callee.name, resource: definition?.name ?? null, site: captureSite(callee) },
      code: this.#activity?.code ?? this.#code,
    })
    const result: CallResult<T> = this.#run(call, run)
    call.result = result
    result[calling] = call
    return result
  }

  /** An async function, and no reaction to the result: the result must still count as unhandled where nothing awaits it. */
  async #run<T>(call: RecordCall, run: (call: RecordCall) => Promise<T>): Promise<T> {
    this.#code?.mustBeRunning()
    this.#activity?.add(call)
    try {
      return await run(call)
    } finally {
      this.#activity?.remove(call)
    }
  }

  /** Batches, as long as the code that reads them may run. */
  protected async *whileRunning<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
    this.#code?.mustBeRunning()
    for await (const batch of batches) {
      this.#code?.mustBeRunning()
      yield batch
    }
  }
}
