// Readings of the metrics, taken one after the other → the lines of charts.

export type Metrics = Readonly<Record<string, number>>

export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly values: Metrics
}

export interface Series {
  readonly key: string
  readonly colour: string
}

/** One instant of a chart. */
export interface Point {
  readonly at: number
  readonly [series: string]: number
}

const megabytes = (kilobytes: number | undefined): number => Math.round((kilobytes ?? 0) / 102.4) / 10

const memoryOf = ({ at, values }: Sample): Point => ({
  at,
  memoryRss: megabytes(values.mem),
  memoryCommitted: megabytes(values['heap.committed']),
  memoryUsed: megabytes(values['heap.used']),
})

/** The counters only rise; what happened in between is their difference. A restart sets them to zero. */
const grown = (after: number | undefined, before: number | undefined): number =>
  Math.max(0, (after ?? 0) - ((before ?? 0) > (after ?? 0) ? 0 : (before ?? 0)))

const tenth = (value: number): number => Math.round(value * 10) / 10

type Pair = { readonly before: Sample; readonly after: Sample }

const elapsedMs = ({ before, after }: Pair): number => Math.max(1, after.at - before.at)

const cpuOf = (pair: Pair): Point => {
  const share = (name: string) =>
    tenth((grown(pair.after.values[name], pair.before.values[name]) / elapsedMs(pair)) * 100)
  return { at: pair.after.at, cpuUser: share('cpu.user'), cpuSystem: share('cpu.system') }
}

const sumOf = (values: Metrics, classes: readonly string[]): number =>
  Object.entries(values).reduce((sum, [name, value]) => {
    const status = /^counter\.status\.(\d)/.exec(name)?.[1]
    return status !== undefined && classes.includes(status) ? sum + value : sum
  }, 0)

const requestsOf = (pair: Pair): Point => {
  const rate = (...classes: readonly string[]) =>
    tenth((grown(sumOf(pair.after.values, classes), sumOf(pair.before.values, classes)) / elapsedMs(pair)) * 1000)
  return {
    at: pair.after.at,
    requestsGood: rate('1', '2', '3'),
    requestsRefused: rate('4'),
    requestsFailed: rate('5'),
  }
}

const lagOf = ({ at, values }: Sample): Point => ({
  at,
  lagMean: tenth(values['eventloop.lag'] ?? 0),
  lagMax: tenth(values['eventloop.lag.max'] ?? 0),
})

const pairsOf = (samples: readonly Sample[]): readonly Pair[] =>
  samples.flatMap((after, index) => {
    const before = samples[index - 1]
    return before ? [{ before, after }] : []
  })

export const charts = [
  {
    name: 'memory',
    unit: ' MB',
    series: [
      { key: 'memoryRss', colour: 'indigo.6' },
      { key: 'memoryCommitted', colour: 'orange.6' },
      { key: 'memoryUsed', colour: 'teal.6' },
    ],
    points: (samples: readonly Sample[]) => samples.map(memoryOf),
  },
  {
    name: 'cpu',
    unit: ' %',
    series: [
      { key: 'cpuUser', colour: 'indigo.6' },
      { key: 'cpuSystem', colour: 'orange.6' },
    ],
    points: (samples: readonly Sample[]) => pairsOf(samples).map(cpuOf),
  },
  {
    name: 'requests',
    unit: '',
    series: [
      { key: 'requestsGood', colour: 'teal.6' },
      { key: 'requestsRefused', colour: 'orange.6' },
      { key: 'requestsFailed', colour: 'red.6' },
    ],
    points: (samples: readonly Sample[]) => pairsOf(samples).map(requestsOf),
  },
  {
    name: 'lag',
    unit: ' ms',
    series: [
      { key: 'lagMean', colour: 'indigo.6' },
      { key: 'lagMax', colour: 'orange.6' },
    ],
    points: (samples: readonly Sample[]) => samples.map(lagOf),
  },
] as const

export type Chart = (typeof charts)[number]
