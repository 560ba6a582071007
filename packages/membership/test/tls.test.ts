// Nodes that are reached over HTTPS, by services that trust their certificate and by those that do not.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createCertificate } from '@plinth/test-kit/certificate'
import { runsAll, testAll } from '@plinth/test-kit/extent'
import { loadConfig } from '@plinth/test-kit/platform'
import { buildProgram, type Program } from '@plinth/test-kit/program'
import { type Client, clientFor } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningNode, startNode } from '../src/node-process.ts'
import { freePorts } from './node-processes.ts'

let program: Program
let folder: string
let settings: Record<string, string>
let [port, adminPort]: number[] = []
/** The node in this process, which is cheaper. In `npm run test:all` it is a process of its own. */
let node: RunningNode | undefined
const children: ChildProcess[] = []

const launch = (args: readonly string[], nodeSettings: Record<string, string>, env: Record<string, string> = {}) => {
  const options = Object.entries(nodeSettings).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(process.execPath, [program.file, ...args, ...options], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  })
  children.push(child)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text
  })
  return { child, said: () => said }
}

/** The address that the process says it is ready at. */
const ready = async ({ child, said }: ReturnType<typeof launch>): Promise<string> => {
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /ready at (\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error(`it did not start:\n${said()}`)
}

const configOf = (overrides: Record<string, string>) => loadConfig({ env: {}, cwd: folder, overrides })

beforeAll(async () => {
  program = await buildProgram('tls')
  folder = await mkdtemp(join(tmpdir(), 'plinth-tls-'))
  const { certificate, key } = createCertificate()
  await writeFile(join(folder, 'cert.pem'), certificate)
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
  ;[port, adminPort] = await freePorts(2)
  settings = {
    'app.nodes.operator.partyName': 'O=Operations, L=Athens, C=GR',
    'app.nodes.operator.role': 'operator',
    'app.nodes.operator.address': `https://127.0.0.1:${port}`,
    'app.nodes.operator.adminAddress': `https://127.0.0.1:${adminPort}`,
    'app.nodes.operator.username': 'node',
    'app.nodes.operator.password': 'node-password-canary',
  }
  const served = {
    ...settings,
    'app.dataDir': join(folder, 'node'),
    'app.nodes.operator.tlsCertificate': join(folder, 'cert.pem'),
    'app.nodes.operator.tlsKey': join(folder, 'key.pem'),
  }
  if (!runsAll) node = await startNode(configOf({ ...served, 'app.log.level': 'error' }), 'operator')
  expect(node ? node.address : await ready(launch(['node'], served))).toBe(`https://127.0.0.1:${port}`)
}, 120_000)

afterAll(async () => {
  await node?.close()
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  await rm(folder, { recursive: true, force: true })
  await program.remove()
})

let services = 0
const startService = async (more: Record<string, string>, env: Record<string, string>): Promise<Client> => {
  const service = launch(
    ['start'],
    {
      ...settings,
      'server.port': '0',
      'app.demo': 'true',
      'app.modules': 'membership',
      'app.dataDir': join(folder, `service-${++services}`),
      'app.bnms.controllers': 'bnos,members',
      // Longer than a busy machine takes.
      'app.bnms.timeoutMs': '20000',
      'app.log.level': 'error',
      ...more,
    },
    env,
  )
  return clientFor(await ready(service), { Authorization: `Basic ${btoa('admin:admin')}` })
}

const memberships = '/api/bnms/bnos/operator/memberships'

testAll(
  'a service that trusts the certificate reaches the node, and its health',
  async () => {
    const admin = await startService({}, { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') })
    const application = await admin.post('/api/bnms/members/operator/memberships', { party: 'Operations' })
    expect([application.status, application.body.status]).toEqual([201, 'PENDING'])
    expect((await admin.get(memberships)).body).toEqual([application.body])
    expect((await admin.get('/api/management/health')).body.nodes.operator.status).toBe('UP')
  },
  60_000,
)

testAll(
  'one that does not trust it, or speaks in clear text, gets no further',
  async () => {
    const strangers = [
      await startService({}, {}),
      await startService({ 'app.nodes.operator.address': `127.0.0.1:${port}` }, {}),
    ]
    for (const admin of strangers) {
      const refused = await admin.get(memberships)
      expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
      expect(refused.text).not.toContain('canary')
    }
  },
  60_000,
)

const fault = /app\.nodes\.operator\.tlsCertificate.*https address needs a certificate/

test('a node does not answer an https address in clear text', async () => {
  const bare = configOf({ ...settings, 'app.dataDir': join(folder, 'bare') })
  await expect(startNode(bare, 'operator')).rejects.toThrow(fault)
})

testAll(
  'the process of a node ends if it would answer an https address in clear text',
  async () => {
    const bare = launch(['node'], { ...settings, 'app.dataDir': join(folder, 'bare') })
    const [code] = await once(bare.child, 'exit')
    expect(code).not.toBe(0)
    expect(bare.said()).toMatch(fault)
  },
  60_000,
)
