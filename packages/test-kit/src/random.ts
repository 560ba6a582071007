// Random tests print their seed; `SEED=<seed> npx vitest run <file>` repeats it.

import fc from 'fast-check'
import { waitingFor } from '../../plinth/src/testing/waiting.ts'
import { type Random, seededRandom } from './seeded-random.ts'

const seedSetting = process.env.SEED === undefined ? undefined : Number(process.env.SEED)

/** Keeps the gate stable. */
export const fixedSeed = 20_240_517

/** The seed, another one in each run, so that the gate still finds new cases. */
const freshSeed = Math.floor(Math.random() * 2 ** 31)

interface Runs {
  /** The number of runs with the fixed seed. */
  readonly runs?: number
  /** The number of runs with a fresh seed, after the others; a tenth of them by default. */
  readonly freshRuns?: number
  /** Ends at a failure without shrinking it to a smaller one, for runs that take long. */
  readonly endOnFailure?: boolean
}

interface PropertyRuns<T> extends Runs {
  /** Cases that have failed before; they come first. */
  readonly examples?: T[]
}

type Property<T> = fc.IProperty<T> | fc.IAsyncProperty<T>

export const checkProperty = async <T>(
  property: Property<T>,
  { runs = 100, freshRuns = Math.ceil(runs / 10), endOnFailure = false, examples = [] }: PropertyRuns<T> = {},
): Promise<void> => {
  const plan: [seed: number, runs: number][] =
    seedSetting === undefined
      ? [
          [fixedSeed, runs],
          [freshSeed, freshRuns],
        ]
      : [[seedSetting, runs + freshRuns]]
  for (const [seed, numRuns] of plan) {
    const checked = fc.assert(property, { seed, numRuns, endOnFailure, examples })
    await waitingFor(`${numRuns} random runs with SEED=${seed}`, Promise.resolve(checked))
  }
}

/** Creates the random numbers of tests that are random in their order of events. */
export const createRandom = (seed = seedSetting ?? freshSeed): Random => {
  console.log(`The order of events is random; SEED=${seed} repeats it.`)
  return seededRandom(seed)
}
