// Many sign in at once. What do others notice of it, and how far is the rate below what hashing alone would allow?

import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword, verifyPassword } from '../../packages/plinth/src/modules/people/passwords.ts'
import type { Running } from '../support/servers.ts'
import { size } from '../support/size.ts'
import { nameOf, password, signIn } from './people.ts'

const seconds = size('BENCH_SECONDS', 4, 0.5) * 3
const atOnce = 32
const readsPerSecond = 100

const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((left, right) => left - right)[Math.floor(times.length * share)] ?? Number.NaN

/** Reads at an even pace, however long the answers take: a slow answer must not spare the next one. */
const read = async (url: string, times: number[]): Promise<void> => {
  const requests: Promise<void>[] = []
  const began = performance.now()
  for (let number = 0; number < readsPerSecond * seconds; number++) {
    const due = began + (number * 1000) / readsPerSecond
    if (due > performance.now()) await sleep(due - performance.now())
    const one = performance.now()
    requests.push(
      fetch(`${url}/api/rest/countries/GR`, { headers: { accept: 'application/json' } }).then(async answer => {
        await answer.arrayBuffer()
        times.push(performance.now() - one)
      }),
    )
  }
  await Promise.all(requests)
}

/** Signs in until the time is over; returns how many succeeded. */
const storm = async (url: string, until: number): Promise<number> => {
  let done = 0
  const one = async (number: number): Promise<void> => {
    while (performance.now() < until) {
      await signIn(url, nameOf(number))
      done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, number) => one(number)))
  return done
}

/** How many passwords a second this machine can compare when it does nothing else. */
const hashRate = async (): Promise<number> => {
  const kept = await hashPassword(password)
  const began = performance.now()
  const count = 40
  await Promise.all(Array.from({ length: count }, () => verifyPassword(kept, password)))
  return (count * 1000) / (performance.now() - began)
}

export const measureLoginStorm = async ({ url }: Running): Promise<void> => {
  const [quiet, stormy]: [number[], number[]] = [[], []]
  const bound = await hashRate()
  await read(url, quiet)
  const [logins] = await Promise.all([storm(url, performance.now() + seconds * 1000), read(url, stormy)])
  const inWords = (times: readonly number[]) =>
    `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, max ${Math.max(...times).toFixed(1)} ms`
  console.log(`reads without sign-ins:  ${inWords(quiet)}`)
  console.log(`reads while ${atOnce} sign in:      ${inWords(stormy)}`)
  console.log(`sign-ins: ${(logins / seconds).toFixed(1)}/s; hashing alone: ${bound.toFixed(1)}/s`)
}
