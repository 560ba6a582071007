// What does the history cost a write? Creates and changes records of two resources that differ in their history alone, in turn.
// `npm run build && npm run bench -- history [sqlite|postgres]`

import { quantile } from './support/ask.ts'
import { onDatabases } from './support/filled.ts'
import { type LoadRequest, measure } from './support/load.ts'
import { authorization, type Running, startPlinth } from './support/servers.ts'
import { size } from './support/size.ts'

const [only] = process.argv.slice(2)
const seconds = size('BENCH_SECONDS', 3, 1)
const rounds = size('BENCH_ROUNDS', 7, 1)

const resources = ['plainNotes', 'recordedNotes'] as const
type ResourceName = (typeof resources)[number]

/** The number of records that are changed in turn, so that writers hardly ever wait for each other. */
const changed = 1000

let serial = 0
const body = (): string => JSON.stringify({ title: `Note ${++serial}`, body: 'x'.repeat(100), count: serial })

const writes: Readonly<Record<string, (name: ResourceName) => LoadRequest>> = {
  create: name => ({ method: 'POST', path: `/api/rest/${name}`, body, expects: 201 }),
  change: name => ({
    method: 'PUT',
    path: () => `/api/rest/${name}/${pkOf(++serial % changed)}`,
    body,
    expects: 200,
  }),
}

const pkOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

const fill = async ({ url }: Running, name: ResourceName): Promise<void> => {
  const notes = Array.from({ length: changed }, (_, at) => ({ pk: pkOf(at), title: `Note ${at}` }))
  const headers = { ...authorization, 'content-type': 'application/json' }
  for (let from = 0; from < changed; from += 500) {
    const request = { method: 'POST', headers, body: JSON.stringify(notes.slice(from, from + 500)) }
    const answer = await fetch(`${url}/api/rest/${name}`, request)
    if (answer.status !== 201) throw new Error(`${name} were answered with ${answer.status}: ${await answer.text()}`)
  }
}

interface Sample {
  readonly perSecond: number
  readonly cpuMicros: number
}

const sample = async (plinth: Running, ask: LoadRequest): Promise<Sample> => {
  const before = plinth.cpu()
  const { perSecond, requests } = await measure(plinth.url, ask, seconds)
  return { perSecond, cpuMicros: ((plinth.cpu() - before) * 1000) / requests }
}

const compare = async (plinth: Running, what: string): Promise<void> => {
  const ask = writes[what]
  if (!ask) return
  const samples = { plainNotes: [] as Sample[], recordedNotes: [] as Sample[] }
  for (const name of resources) await measure(plinth.url, ask(name), 1)
  for (let round = 0; round < rounds; round++)
    for (const name of resources) samples[name].push(await sample(plinth, ask(name)))
  const [plain, recorded] = resources.map(name => ({
    perSecond: quantile(
      samples[name].map(one => one.perSecond),
      0.5,
    ),
    cpuMicros: quantile(
      samples[name].map(one => one.cpuMicros),
      0.5,
    ),
  })) as [Sample, Sample]
  const more = (one: number, other: number): string => `${((one / other - 1) * 100).toFixed(1)} %`.padStart(8)
  console.log(
    `  ${what.padEnd(8)}${plain.perSecond.toFixed(0).padStart(7)}/s →${recorded.perSecond.toFixed(0).padStart(6)}/s, ` +
      `time per write ${more(plain.perSecond, recorded.perSecond)}; CPU ${plain.cpuMicros.toFixed(0)} → ` +
      `${recorded.cpuMicros.toFixed(0)} µs, ${more(recorded.cpuMicros, plain.cpuMicros)}`,
  )
}

await onDatabases(only, async (name, newPlace) => {
  const { settings } = await newPlace()
  const plinth = await startPlinth({ ...settings, app: 'bench/history/app.ts' })
  try {
    console.log(`\n${name}: without history → with history`)
    for (const one of resources) await fill(plinth, one)
    for (const what of Object.keys(writes)) await compare(plinth, what)
  } finally {
    await plinth.stop()
  }
})
