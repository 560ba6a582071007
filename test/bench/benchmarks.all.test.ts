// Every benchmark runs, at a size at which its figures mean nothing. A benchmark that is not in the list makes this fail.

import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Printed {
  /** Lines that are printed for each database. */
  readonly each?: readonly RegExp[]
  readonly once?: readonly RegExp[]
}

const rows = (...names: readonly string[]): readonly RegExp[] =>
  names.map(name => new RegExp(`^ *${name} +[\\d.]+ `, 'gm'))

const benchmarks: Readonly<Record<string, Printed>> = {
  accounts: {
    each: [
      ...rows('anonymous', 'as long', 'Bearer header', 'cookie'),
      /^reads without sign-ins: +p50 [\d.]+ ms, p99 [\d.]+ ms/gm,
      /^reads while 32 sign in: +p50 [\d.]+ ms, p99 [\d.]+ ms/gm,
      /^sign-ins: [\d.]+\/s; hashing alone: [\d.]+\/s$/gm,
      ...rows('login, wrong password', 'reset by address', 'register with a bad code'),
    ],
  },
  'client-load': {
    once: [
      /^first load over 1.6 Mbit\/s, until one can type: \d+ ms/gm,
      /^API reference: open in \d+ ms, first operation in \d+ ms, next in \d+ ms/gm,
      /^5000 records: [\d.]+ ms between frames, [\d.]+ ms at worst$/gm,
    ],
  },
  connections: {
    each: rows(
      '32 kept connections',
      '200 kept connections',
      '32 at a time, new for each request',
      '200 at a time, new for each request',
    ),
  },
  'costliest-queries': {
    each: [
      /^estimated cost: \d+ to \d+; time: [\d.]+ ms, [\d.]+ ms, [\d.]+ ms$/gm,
      /^point reads, p50, p99, max: +alone [\d.]+ ms, [\d.]+ ms, [\d.]+ ms$/gm,
      /^ +beside [\d.]+ ms, [\d.]+ ms, [\d.]+ ms$/gm,
      /^rank correlation of cost and time: -?[\d.]+; of a sample of \d+: -?[\d.]+$/gm,
    ],
  },
  deadlines: {
    once: [
      /^SIGTERM while a body never arrives: ended after \d+ ms/gm,
      /^A node that does not answer: first to third request took \d+, \d+, \d+ ms/gm,
    ],
  },
  exchange: {
    each: [...rows('export', 'import'), /^ {2}1000 created, 0 changed/gm, /^ {2}The records are equal\.$/gm],
  },
  flat: { each: rows('read one', 'page by name', 'contains', 'of one parent, by name', 'create', 'last page') },
  floods: { each: rows('without', 'pipelines', 'headers', 'bodies', 'chunks') },
  history: {
    each: [/^ {2}create +\d+\/s → +\d+\/s, time per write/gm, /^ {2}change +\d+\/s → +\d+\/s, time per write/gm],
  },
  isolation: {
    each: [
      ...rows('without load +point read', 'without load +health', 'under load +point read', 'under load +health'),
      /"hooks 503 execution_timeout":[1-9]/gm,
      /"hooks 503 suspended":[1-9]/gm,
      /"writes 201":[1-9]/gm,
    ],
  },
  membership: {
    each: [
      /^ {2}signed and kept in [\d.]+ s$/gm,
      /^ {2}page of 20, operator +p50 [\d.]+ ms {2}p99 [\d.]+ ms$/gm,
      /^ {2}forced refresh, member +first byte \d+ ms {2}whole \d+ ms/gm,
      /^ {2}lookup, member +p50 [\d.]+ ms {2}p99 [\d.]+ ms$/gm,
    ],
  },
  near: {
    each: ['alone', 'under a rule', 'of one kind', 'with words'].map(
      kind => new RegExp(`^${kind}: p50 [\\d.]+ ms, p95`, 'gm'),
    ),
  },
  observe: { once: [/^a request takes \d+ µs of a processor, [\d.]+ µs of them/gm, /^that is [\d.]+ %$/gm] },
  overload: {
    once: [
      /^many records, at a quarter of a processor: 2 × 201 \(p50 \d+ ms, p99 \d+ ms\)$/gm,
      /^10 sign-ins at once: 10 × 200 \(p50/gm,
      /^20 busy connections: \d+ × 200 \(p50/gm,
    ],
  },
  'query-costs': { each: [/: \d+ of 20 queries were measured$/gm, /^rank correlation of cost and time: -?[\d.]+$/gm] },
  realtime: {
    each: [
      /^told of everything: 150 subscribers$/gm,
      /^delivery p50 \d+ ms, p99 \d+ ms, max \d+ ms$/gm,
      /^memory \d+ MB, connected \d+ MB, peak \d+ MB$/gm,
    ],
  },
  rentals: { each: rows('one record, for comparison', 'by customer', 'by a month', 'overdue', 'all, first page') },
  run: {
    each: [
      ...rows('read one', 'page', 'by reference', 'with include', 'search', 'create', 'update'),
      ...rows('four reads, one update', 'one connection', 'one, updating', 'new connections'),
      /^page 1: \d+\/s; page 50 by cursor: \d+\/s, ratio [\d.]+$/gm,
      /^memory after the run: \d+ MB$/gm,
    ],
  },
  search: {
    each: [
      /^index built online: \d+ s, \d+ documents\/s$/gm,
      /^size: records [\d.]+ MB, index [\d.]+ MB$/gm,
      /^alone: p50 [\d.]+ ms, p95 [\d.]+ ms$/gm,
      /^under a rule: p50 [\d.]+ ms, p95 [\d.]+ ms$/gm,
      /^create without search: p50 [\d.]+ ms, p95 [\d.]+ ms; with: p50/gm,
    ],
  },
  soak: { once: [/^round 4: live heap [\d.]+ MB$/gm, /^slope -?[\d.]+ kB a round/gm] },
}

/** The benchmarks that are tested in files of their own, beside this one: `<name>.all.test.ts`. */
const testedAlone = ['standstills']

test('every benchmark is tested', () => {
  const names = (folder: string, end: string): readonly string[] =>
    readdirSync(folder).flatMap(name => (name.endsWith(end) ? name.slice(0, -end.length) : []))
  expect(names(`${root}/bench`, '.ts').toSorted()).toEqual([...Object.keys(benchmarks), ...testedAlone].toSorted())
  expect(names(fileURLToPath(new URL('.', import.meta.url)), '.all.test.ts')).toEqual(
    expect.arrayContaining(testedAlone),
  )
})

/** Ends a process group, so that what a process has started ends with it. */
const end = ({ pid, exitCode, signalCode }: ChildProcess): void => {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM')
}

const run = async (name: string): Promise<{ readonly code: unknown; readonly printed: string }> => {
  const args = ['--import', 'tsx', '--conditions=plinth-source', 'bench/support/main.ts', name]
  const { NODE_ENV: _, ...env } = process.env
  const child = spawn(process.execPath, args, { cwd: root, detached: true, env: { ...env, BENCH_SIZE: 'small' } })
  onTestFinished(() => end(child))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const code = await new Promise(resolve => child.once('close', resolve))
  return { code, printed }
}

test.each(Object.entries(benchmarks))(
  '%s runs and prints its figures',
  { timeout: 600_000 },
  async (name, { each = [], once = [] }) => {
    const { code, printed } = await run(name)
    expect(code, printed).toBe(0)
    expect(printed).not.toMatch(/NaN|Infinity|undefined/)
    const counts = [...each, ...once].map(line => [line.source, printed.match(line)?.length ?? 0])
    expect(counts, printed).toEqual([...each.map(line => [line.source, 2]), ...once.map(line => [line.source, 1])])
  },
)
