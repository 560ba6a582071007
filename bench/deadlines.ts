// How long it takes to give up on callers and nodes that do not answer.
// `npm run build && npm run bench -- deadlines`

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPlinth } from './support/servers.ts'

const usual = { 'app.demo': 'true', 'server.port': '0', 'app.log.level': 'silent' }

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  await work(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return Math.round(performance.now() - began)
}

/** Supervisors kill a process that has not ended ten seconds after SIGTERM. */
const measureShutdown = (folder: string): Promise<void> =>
  startPlinth({ ...usual, 'app.dataDir': folder }).then(async plinth => {
    const socket = connect(Number(new URL(plinth.url).port), '127.0.0.1').on('error', () => {})
    const head = ['POST /api/rest/localities HTTP/1.1', 'Host: 127.0.0.1', 'Content-Type: application/json']
    socket.write(`${[...head, 'Content-Length: 9', 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`)
    await new Promise(resolve => socket.once('data', resolve))
    console.log(`SIGTERM while a body never arrives: ended after ${await timed(plinth.stop)} ms (limit 10,000)`)
    socket.destroy()
  })

/** A node that was silent once is not waited for again at each request. */
const measureSilentNode = async (folder: string): Promise<void> => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise(resolve => silent.once('listening', resolve))
  const plinth = await startPlinth({
    ...usual,
    'app.dataDir': folder,
    'app.bnms.controllers': 'bnos,members',
    'app.bnms.timeoutMs': '300',
    'app.nodes.alpha.partyName': 'O=Alpha, L=London, C=GB',
    'app.nodes.alpha.address': `127.0.0.1:${(silent.address() as AddressInfo).port}`,
    'app.nodes.alpha.username': 'u',
    'app.nodes.alpha.password': 'p',
  })
  const ask = () =>
    fetch(`${plinth.url}/api/bnms/members/alpha/memberships?bno=Operations`, {
      headers: { Authorization: `Basic ${btoa('admin:admin')}` },
    }).then(response => response.text())
  const times = [await timed(ask), await timed(ask), await timed(ask)]
  console.log(`A node that does not answer: first to third request took ${times.join(', ')} ms (timeout 300)`)
  await plinth.stop()
  silent.closeAllConnections()
  await new Promise(resolve => silent.close(resolve))
}

await inFolder(measureShutdown)
await inFolder(measureSilentNode)
