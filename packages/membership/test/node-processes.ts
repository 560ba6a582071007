// Nodes as they run in earnest: each a process of its own, with its own data folder, key and settings. What passes between
// two of them goes through a link of the test, which can be cut and can lose answers.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runHere } from '@plinth/test-kit/command-here'
import { runsAll } from '@plinth/test-kit/extent'
import { buildProgram } from '@plinth/test-kit/program'
import { waitingFor } from '@plinth/test-kit/waiting'

const portsOf = (servers: readonly Server[]): number[] =>
  servers.map(one => {
    const address = one.address()
    return typeof address === 'object' && address ? address.port : 0
  })

const listening = (one: Server, port = 0): Promise<Server> =>
  new Promise((resolve, reject) => one.once('error', reject).listen(port, '127.0.0.1', () => resolve(one)))

export const freePorts = async (count: number): Promise<number[]> => {
  const probes = await Promise.all(Array.from({ length: count }, () => listening(createServer())))
  const ports = portsOf(probes)
  await Promise.all(probes.map(probe => new Promise(resolve => probe.close(resolve))))
  return ports
}

export interface NodeLink {
  readonly port: number
  cut(): void
  mend(): void
  /** The next request arrives, and its answer does not. */
  loseAnswer(): void
  close(): Promise<void>
}

/** A way to a port that the test holds in its hand. */
export const createLink = async (target: number): Promise<NodeLink> => {
  const sockets = new Set<Socket>()
  let isCut = false
  let losing = 0
  const link = createServer(near => {
    if (isCut) return near.destroy()
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
    }
    near.pipe(far)
    far.on('data', piece => {
      if (losing > 0) {
        losing--
        near.destroy()
      } else near.write(piece)
    })
  })
  await listening(link)
  const [port = 0] = portsOf([link])
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    cut: () => {
      isCut = true
      drop()
    },
    mend: () => {
      isCut = false
    },
    loseAnswer: () => {
      losing = 1
    },
    close: () => {
      drop()
      return new Promise(resolve => link.close(() => resolve()))
    },
  }
}

export interface NodePlan {
  readonly name: string
  readonly partyName: string
  readonly role: 'operator' | 'member'
}

export interface NodeProcess extends NodePlan {
  readonly port: number
  readonly adminPort: number
  readonly folder: string
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<number | null>
  /** What the network maps of the others say of it. */
  entry(): Promise<object>
  /** Another command of the program for the same node. */
  run(...args: string[]): Promise<{ code: number | null; out: string; err: string }>
  /** What it has logged so far. */
  said(): string
}

export const username = 'node-user'
export const password = 'node-password-canary'

const startedIn = 60_000

const createNodeProcess = (
  program: string,
  plan: NodePlan,
  place: Pick<NodeProcess, 'port' | 'adminPort' | 'folder'>,
) => {
  const { name, partyName, role } = plan
  const settings = {
    [`app.nodes.${name}.partyName`]: partyName,
    [`app.nodes.${name}.role`]: role,
    [`app.nodes.${name}.address`]: `127.0.0.1:${place.port}`,
    [`app.nodes.${name}.adminAddress`]: `127.0.0.1:${place.adminPort}`,
    [`app.nodes.${name}.username`]: username,
    [`app.nodes.${name}.networkMap`]: join(place.folder, 'map.json'),
    'app.dataDir': place.folder,
    'app.bnms.timeoutMs': '2000',
  }
  const args = Object.entries(settings).map(([setting, value]) => `--${setting}=${value}`)
  const env = { PATH: process.env.PATH, [`APP_NODES_${name.toUpperCase()}_PASSWORD`]: password }
  let child: ChildProcess | null = null
  let said = ''
  const launch = (command: readonly string[]) =>
    spawn(process.execPath, [program, ...command, ...args], { cwd: place.folder, env })
  const ended = (one: ChildProcess | null): Promise<number | null> =>
    !one || one.exitCode !== null || one.signalCode !== null
      ? Promise.resolve(one?.exitCode ?? null)
      : waitingFor(`node ${name} to end`, new Promise(resolve => one.once('exit', resolve)))
  const node: NodeProcess = {
    ...plan,
    ...place,
    start: async () => {
      const started = launch(['node', name])
      child = started
      started.stderr.setEncoding('utf8').on('data', text => {
        said += text
      })
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${name} is not ready:\n${said}`)), startedIn)
        started.stdout.setEncoding('utf8').on('data', text => {
          if (!String(text).includes('is ready at')) return
          clearTimeout(late)
          resolve()
        })
        started.once('exit', code => reject(new Error(`${name} ended with ${code}:\n${said}`)))
      })
    },
    kill: async () => {
      const one = child
      one?.kill('SIGKILL')
      await ended(one)
    },
    stop: async () => {
      child?.kill('SIGTERM')
      return ended(child)
    },
    entry: async () => {
      const command = ['node', 'entry', name]
      const { out } = runsAll
        ? await node.run(...command)
        : await runHere([...command, ...args, `--app.nodes.${name}.password=${password}`])
      return JSON.parse(out)
    },
    run: async (...command) => {
      const one = launch(command)
      let [out, err] = ['', '']
      one.stdout.setEncoding('utf8').on('data', text => {
        out += text
      })
      one.stderr.setEncoding('utf8').on('data', text => {
        err += text
      })
      const closed = new Promise<number | null>(resolve => one.once('close', resolve))
      const code = await waitingFor(`${command.join(' ')} to end`, closed)
      return { code, out, err }
    },
    said: () => said,
  }
  return node
}

export interface NodeNetwork {
  readonly nodes: ReadonlyMap<string, NodeProcess>
  /** Returns the link from one node to another. */
  link(from: string, to: string): NodeLink
  /** The settings by which a service reaches the nodes. */
  readonly settings: Record<string, string>
  close(): Promise<void>
}

/** All of them started, each knowing the others by a network map of its own. */
export const startNodes = async (plans: readonly NodePlan[]): Promise<NodeNetwork> => {
  const program = await buildProgram('nodes')
  const root = await mkdtemp(join(tmpdir(), 'plinth-nodes-'))
  const ports = await freePorts(plans.length * 2)
  const nodes = new Map<string, NodeProcess>()
  for (const [index, plan] of plans.entries()) {
    const folder = join(root, plan.name)
    await mkdir(folder)
    await writeFile(join(folder, 'map.json'), '{"parties":[]}')
    const place = { folder, port: ports[index * 2] ?? 0, adminPort: ports[index * 2 + 1] ?? 0 }
    nodes.set(plan.name, createNodeProcess(program.file, plan, place))
  }
  const entries: [NodeProcess, object][] = []
  for (const node of nodes.values()) entries.push([node, await node.entry()])
  const links = new Map<string, NodeLink>()
  for (const from of nodes.values()) {
    const parties = []
    for (const [to, entry] of entries) {
      if (to === from) continue
      const link = await createLink(to.port)
      links.set(`${from.name} ${to.name}`, link)
      parties.push({ ...entry, address: `127.0.0.1:${link.port}` })
    }
    await writeFile(join(from.folder, 'map.json'), JSON.stringify({ parties }))
  }
  await Promise.all([...nodes.values()].map(node => node.start()))
  return {
    nodes,
    link: (from, to) => {
      const link = links.get(`${from} ${to}`)
      if (!link) throw new Error(`no link from ${from} to ${to}`)
      return link
    },
    settings: Object.fromEntries(
      [...nodes.values()].flatMap(({ name, partyName, role, port, adminPort }) => [
        [`app.nodes.${name}.partyName`, partyName],
        [`app.nodes.${name}.role`, role],
        [`app.nodes.${name}.address`, `127.0.0.1:${port}`],
        [`app.nodes.${name}.adminAddress`, `127.0.0.1:${adminPort}`],
        [`app.nodes.${name}.username`, username],
        [`app.nodes.${name}.password`, password],
      ]),
    ),
    close: async () => {
      await Promise.all([...nodes.values()].map(node => node.kill()))
      await Promise.all([...links.values()].map(link => link.close()))
      await rm(root, { recursive: true, force: true })
      await program.remove()
    },
  }
}
