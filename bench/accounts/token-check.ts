// What authentication costs: the same read by anonymous callers, and by users of as many sessions as there are connections. A
// token makes the request longer, and to receive it costs something too, checked or not: so anonymous callers also send a header
// of the same length that is not read.

import { cpuOfChildren } from '../support/cpu.ts'
import { connections, type LoadMeasures, type LoadRequest, measure } from '../support/load.ts'
import type { Running } from '../support/servers.ts'
import { size } from '../support/size.ts'
import { nameOf, signIn } from './people.ts'

const seconds = size('BENCH_SECONDS', 4, 1)
const rounds = size('BENCH_ROUNDS', 5, 1)

interface Costed extends LoadMeasures {
  /** Processor time of the service and its database for one request, in microseconds. */
  readonly cpu: number
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const middle = (all: readonly Costed[], part: keyof Costed): number => median(all.map(one => one[part]))

const costed = async (url: string, ask: LoadRequest): Promise<Costed> => {
  const before = cpuOfChildren()
  const measured = await measure(url, ask, seconds)
  return { ...measured, cpu: ((cpuOfChildren() - before) * 1000) / measured.requests }
}

export const measureTokenCheck = async ({ url }: Running): Promise<void> => {
  const tokens: string[] = []
  for (let number = 0; number < connections; number++) tokens.push((await signIn(url, nameOf(number))).access)
  let turn = 0
  const next = (): string => tokens[turn++ % tokens.length] ?? ''
  const ways: Readonly<Record<string, NonNullable<LoadRequest['credentials']>>> = {
    anonymous: () => ({}),
    'as long': () => ({ 'x-unread': `Bearer ${next()}` }),
    'Bearer header': () => ({ authorization: `Bearer ${next()}` }),
    cookie: () => ({ cookie: `access_token=${next()}` }),
  }
  const found: Record<string, Costed[]> = {}
  for (let round = 0; round <= rounds; round++) {
    for (const [name, credentials] of Object.entries(ways)) {
      const one = await costed(url, { method: 'GET', path: '/api/rest/countries/GR', credentials, expects: 200 })
      // The first round warms up.
      if (round > 0) found[name] = [...(found[name] ?? []), one]
    }
  }
  console.log('read one        /s     p50   p99   CPU µs   rate and CPU against anonymous   against as long a request')
  for (const [name, all] of Object.entries(found)) {
    const cells = [
      middle(all, 'perSecond').toFixed(0).padStart(6),
      `${middle(all, 'p50')}`.padStart(6),
      `${middle(all, 'p99')}`.padStart(5),
    ]
    const against = (base: string): string =>
      (['perSecond', 'cpu'] as const)
        .map(part => (middle(all, part) / middle(found[base] ?? [], part)).toFixed(2))
        .join('  ')
    const cpu = middle(all, 'cpu').toFixed(0).padStart(6)
    console.log(
      `${name.padEnd(14)}${cells.join(' ')}   ${cpu}   ${against('anonymous').padEnd(27)}   ${against('as long')}`,
    )
  }
}
