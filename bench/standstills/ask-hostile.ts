// Sends hostile requests, one at a time, and measures how long others would have to wait.

import { setTimeout as sleep } from 'node:timers/promises'
import { createAsk, fetchPatiently } from '../support/ask.ts'
import { authorization, type Running } from '../support/servers.ts'
import { createWaitMeter } from '../support/waiting.ts'
import { addressOf, type HostileRequest } from './queries.ts'

/**
 * `left` when the answer took longer than patience lasts, `cut` when an answer that is sent as it is read ended before its end, as it does
 * at the time limit of searches, and `broken` when the connection ended otherwise.
 */
export type HostileOutcome = number | 'left' | 'cut' | 'broken'

export interface HostileFinding {
  readonly request: HostileRequest
  readonly address: string
  readonly status: HostileOutcome
  /** How long the service's thread stood still, in milliseconds of processor time. */
  readonly standstill: number
  /** How much of it the collection of garbage took, at most. */
  readonly collecting: number
  /** How long a cheap request of another caller took at most, without the time in which processes waited for a processor. */
  readonly wait: number
  /** The milliseconds of the request itself. */
  readonly ms: number
  /** A standstill above the limit that did not come again. */
  readonly onlyOnce?: HostileFinding
}

const asUser = (name: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}` })

/**
 * The patience in milliseconds, longer than the time limit of a search. What goes on for longer does so in turns, and
 * is left.
 */
const patienceMs = 8000

const send = async (url: string, request: HostileRequest): Promise<HostileOutcome> => {
  const headers = { accept: request.accept, ...asUser(request.caller) }
  // An export is chosen by its address.
  const isExport = request.parameters.some(parameter => parameter.startsWith('_export'))
  if (isExport) headers.accept = '*/*'
  const isStream = isExport || request.parameters.includes('page=no')
  let hasBegun = false
  try {
    const answer = await fetch(`${url}/api/rest/${addressOf(request)}`, {
      headers,
      signal: AbortSignal.timeout(patienceMs),
    })
    hasBegun = answer.status === 200
    // The body is read as it comes, and not kept.
    for await (const _ of answer.body ?? []);
    return answer.status
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return 'left'
    return isStream && hasBegun ? 'cut' : 'broken'
  }
}

interface Standstill {
  readonly ms: number
  readonly collecting: number
}

const readStandstill = async (url: string): Promise<Standstill> => {
  const answer = await fetch(`${url}/api/standstill`, { headers: { accept: 'application/json' } })
  return (await answer.json()) as Standstill
}

export interface Probing {
  readonly plinth: Running
  /** The first process of PostgreSQL; null where the database is in the service. */
  readonly server: number | null
}

const probeEveryMs = 10

/** Asks for cheap things, as another caller, until the work is over. Gives the longest wait. */
const probeUntil = async ({ plinth, server }: Probing, addresses: readonly string[], work: Promise<unknown>) => {
  const ask = createAsk()
  let isOver = false
  const end = work.finally(() => {
    isOver = true
  })
  let longest = 0
  const startWaiting = createWaitMeter({ service: plinth.pid, server })
  while (!isOver) {
    for (const address of addresses) {
      const waited = startWaiting()
      const { ms } = await ask(address)
      longest = Math.max(longest, ms - waited())
    }
    await sleep(probeEveryMs)
  }
  await end
  return longest
}

export const createHostileCaller = (
  probing: Probing,
  { cheap, limit }: { cheap: readonly string[]; limit: number },
) => {
  const { url } = probing.plinth
  const addresses = cheap.map(path => `${url}${path}`)
  const askOnce = async (request: HostileRequest): Promise<HostileFinding> => {
    await readStandstill(url)
    const began = performance.now()
    const sending = send(url, request)
    const wait = await probeUntil(probing, addresses, sending)
    const status = await sending
    const ms = performance.now() - began
    // The meter ticks after the last of it.
    await sleep(5)
    const { ms: standstill, collecting } = await readStandstill(url)
    return { request, address: addressOf(request), status, standstill, collecting, wait, ms }
  }
  const isLong = ({ wait, standstill }: HostileFinding): boolean => Math.max(wait, standstill) > limit
  /**
   * What a request itself causes comes again, so a long standstill is asked for two more times, and the shortest counts. Other causes
   * are a slow disk, memory that the machine has to bring back at any instruction, and a collection of garbage whose helping threads wait
   * for a processor.
   */
  return async (request: HostileRequest): Promise<HostileFinding> => {
    const first = await askOnce(request)
    let found = first
    for (let round = 1; round < 3 && isLong(found); round++) {
      const again = await askOnce(request)
      found = {
        ...again,
        wait: Math.min(again.wait, found.wait),
        standstill: Math.min(again.standstill, found.standstill),
      }
    }
    return isLong(first) && !isLong(found) ? { ...found, onlyOnce: first } : found
  }
}

/** Batch after batch, each in a request of its own: the service answers no request that takes minutes. */
export const fill = async (url: string, seed: number, percent: number): Promise<void> => {
  const headers = { ...authorization, 'content-type': 'application/json', accept: 'application/json' }
  for (let [batch, left] = [0, 1]; left > 0; batch++) {
    const body = JSON.stringify({ seed, percent, batch })
    const answer = await fetchPatiently(`${url}/api/fill`, { method: 'POST', headers, body })
    if (answer.status !== 200) throw new Error(`the tables were not filled: ${answer.status} ${await answer.text()}`)
    left = ((await answer.json()) as { readonly left: number }).left
  }
}
