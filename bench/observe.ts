// What it costs to watch requests while no collector is configured: the log line that is not written, the numbers and the
// last exchanges, as a share of the time that a request takes.
// `npm run build && npm run bench -- observe`

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observation, Request, Route } from '../packages/plinth/src/core/http/exchange.ts'
import { createLogs } from '../packages/plinth/src/core/log/logs.ts'
import { createObserved, createRequestLog, observeAll } from '../packages/plinth/src/core/observe/requests.ts'
import { measure } from './support/load.ts'
import { startPlinth } from './support/servers.ts'
import { size } from './support/size.ts'

const seconds = size('BENCH_SECONDS', 4, 1)
const calls = size('BENCH_CALLS', 200_000, 20_000)
const path = '/api/rest/countries/GR'

/** Returns the cost in microseconds of processor time, so that a busy machine does not count. */
const costOfWatching = (): number => {
  const observed = createObserved(() => new Date())
  const logs = createLogs({ level: 'error', levels: {}, secrets: [], sink: { write: () => {} } })
  const observe = observeAll(createRequestLog(logs.named('http')), observed.meters.observe, observed.recent.observe)
  const route: Pick<Route, 'path'> = { path: '/api/rest/countries/{pk}' }
  const headers = { host: 'localhost', accept: 'application/json', 'user-agent': 'bench', 'content-type': undefined }
  const request = {
    id: 'a-1',
    method: 'GET',
    path,
    headers,
    remoteAddress: '127.0.0.1',
    callerPk: null,
  } as Partial<Request>
  const done: Observation = { request: request as Request, route, status: 200, ms: 0.4, completed: true }
  for (let call = 0; call < calls / 10; call++) observe(done)
  const began = process.cpuUsage()
  for (let call = 0; call < calls; call++) observe(done)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / calls
}

const costOfRequest = async (): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  const plinth = await startPlinth({
    'app.demo': 'true',
    'server.port': '0',
    'app.log.level': 'error',
    'app.modules': '',
    'app.dataDir': folder,
  })
  try {
    const ask = { method: 'GET', path, expects: 200 } as const
    await measure(plinth.url, ask, 1)
    const began = plinth.cpu()
    const { requests } = await measure(plinth.url, ask, seconds)
    return ((plinth.cpu() - began) * 1000) / requests
  } finally {
    await plinth.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const [watching, request] = [costOfWatching(), await costOfRequest()]
console.log(`a request takes ${request.toFixed(0)} µs of a processor, ${watching.toFixed(2)} µs of them to be watched`)
console.log(`that is ${((100 * watching) / request).toFixed(2)} %`)
