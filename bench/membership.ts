// Memberships in earnest: 100,000 of one operator. How long a page, a lookup and a forced refresh take, on both databases.
// `npm run bench -- membership [sqlite|postgres]`

import { join } from 'node:path'
import { createApp, loadConfig } from '@plinth/test-kit/platform'
import { Ledger } from '../packages/membership/src/ledger.ts'
import type { Membership } from '../packages/membership/src/node.ts'
import { createNodeKey } from '../packages/membership/src/node-key.ts'
import type { Platform } from '../packages/plinth/src/core/rest/platform.ts'
import { onDatabases } from './support/filled.ts'
import { size } from './support/size.ts'

const count = size('BENCH_RECORDS', 100_000, 500)
const requestCount = size('BENCH_REQUESTS', 1000, 10)
const operator = 'O=Operations, L=Athens, C=GR'
const member = 'O=Member 000000, L=London, C=GB'
const authorization = `Basic ${btoa('admin:admin')}`
const ofOperator = '/api/bnms/bnos/operator/memberships?filterOutMissingFromNetworkMap=false'
const ofMember = '/api/bnms/members/member/memberships?filterOutMissingFromNetworkMap=false'

const nameOf = (serial: number): string => `O=Member ${String(serial).padStart(6, '0')}, L=London, C=GB`

const recordOf = (serial: number, now: string): Membership => ({
  member: nameOf(serial),
  bno: operator,
  membershipMetadata: { name: `Member ${serial}`, roles: ['buyer', 'seller'] },
  networkID: null,
  status: 'ACTIVE',
  issued: now,
  modified: now,
  linearId: `00000000-0000-7000-8000-${String(serial).padStart(12, '0')}`,
  participants: [nameOf(serial), operator],
  reason: null,
  version: 1,
})

/** Fills the node as the operator would issue them: signed and chained, many in one transaction. */
const fill = async ({ records }: Platform, keyFile: string): Promise<void> => {
  const key = createNodeKey({ name: 'operator', party: operator, keyFile, keyPlace: 'file' })
  const ledger = new Ledger({ node: 'operator', records, key })
  const now = new Date().toISOString()
  for (let from = 0; from < count; from += 500) {
    await records.transaction(async transaction => {
      for (let serial = from; serial < Math.min(count, from + 500); serial++) {
        const record = recordOf(serial, now)
        await ledger.append(transaction, { act: 'request', record, operationId: String(serial), fingerprint: '' })
      }
    })
  }
}

const timed = async (url: string): Promise<{ first: number; all: number; bytes: number }> => {
  const began = performance.now()
  const response = await fetch(url, { headers: { authorization } })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  let [first, bytes] = [0, 0]
  for await (const piece of response.body ?? []) {
    first ||= performance.now() - began
    bytes += piece.length
  }
  return { first, all: performance.now() - began, bytes }
}

const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((left, right) => left - right)[Math.floor(times.length * share)] ?? Number.NaN

const measure = async (name: string, toUrl: (index: number) => string): Promise<void> => {
  const times: number[] = []
  for (let index = 0; index < requestCount; index++) times.push((await timed(toUrl(index))).all)
  console.log(
    `  ${name.padEnd(34)} p50 ${percentile(times, 0.5).toFixed(1)} ms  p99 ${percentile(times, 0.99).toFixed(1)} ms`,
  )
}

const stream = async (name: string, url: string): Promise<void> => {
  const { first, all, bytes } = await timed(url)
  const memory = Math.round(process.memoryUsage().rss / 1e6)
  const size = (bytes / 1e6).toFixed(1)
  console.log(
    `  ${name.padEnd(34)} first byte ${first.toFixed(0)} ms  whole ${all.toFixed(0)} ms  ${size} MB  resident ${memory} MB`,
  )
}

const run = async (name: string, settings: Readonly<Record<string, string>>): Promise<void> => {
  // In a file on both databases, so that the memberships can be signed with it here.
  const keyFile = join(settings['app.dataDir'] ?? '', 'node-operator.key')
  const overrides = {
    ...settings,
    'app.log.level': 'silent',
    'app.api.maxEventLoopLag': '0',
    'app.bnms.controllers': 'bnos,members',
    'app.nodes.operator.partyName': operator,
    'app.nodes.operator.role': 'operator',
    'app.nodes.operator.keyFile': keyFile,
    'app.nodes.member.partyName': member,
  }
  const app = await createApp(loadConfig({ env: {}, cwd: '/', overrides }))
  const url = await app.listen()
  try {
    console.log(`${name}, ${count} memberships`)
    const began = performance.now()
    await fill(app.platform, keyFile)
    console.log(`  signed and kept in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    const middle = (index: number) => (index * 7919) % count
    const after = (index: number) => recordOf(middle(index), '').linearId
    await measure('page of 20, operator', index => `${url}${ofOperator}&_ps=20&_after=${after(index)}`)
    await measure(
      'lookup, operator',
      index => `${url}${ofOperator}&member=${encodeURIComponent(nameOf(middle(index)))}`,
    )
    await measure(
      'search page of 20, /api/rest',
      index => `${url}/api/rest/memberships?_ps=20&member=${encodeURIComponent(nameOf(middle(index)))}`,
    )
    await stream('first refresh, member (copies all)', `${url}${ofMember}&forceRefresh=true`)
    await stream('forced refresh, member', `${url}${ofMember}&forceRefresh=true`)
    await stream('whole list from the copy, member', `${url}${ofMember}`)
    await measure('page of 20, member', index => `${url}${ofMember}&_ps=20&_after=${after(index)}`)
    await measure('lookup, member', index => `${url}${ofMember}&member=${encodeURIComponent(nameOf(middle(index)))}`)
  } finally {
    await app.close()
  }
}

const [only] = process.argv.slice(2)
await onDatabases(only, async (name, newPlace) => run(name, (await newPlace()).settings))
