// The service in a process of its own, which can be killed.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach } from 'vitest'
import { type Client, clientFor } from '../support/service.ts'

const launcher = fileURLToPath(new URL('../../bin/plinth.js', import.meta.url))

export interface ServiceProcess {
  readonly url: string
  readonly admin: Client
  /** All that it has said. */
  said(): string
  /** Sends the signal and waits for the end; gives the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
  signal(signal: 'SIGTERM'): void
  readonly ended: Promise<number | null>
}

const running = new Set<ChildProcess>()
const folders: string[] = []
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

export const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-durable-'))
  folders.push(folder)
  return folder
}

export interface Launch {
  readonly folder: string
  /** The largest file that the process may write, in blocks of the shell. */
  readonly maxFileBlocks?: number
}

const settings = ['--server.port=0', '--app.demo=true', '--app.log.level=error']

/** Started in demo mode, and ready. */
export const launch = async ({ folder, maxFileBlocks }: Launch): Promise<ServiceProcess> => {
  const args = [launcher, 'start', ...settings, `--app.dataDir=${folder}`]
  // Without the trap the process would be ended by the signal for its files instead of being told.
  const limited = `trap '' XFSZ; ulimit -f ${maxFileBlocks}; exec "$@"`
  const [command, all] =
    maxFileBlocks === undefined
      ? [process.execPath, args]
      : ['/bin/sh', ['-c', limited, 'sh', process.execPath, ...args]]
  const child = spawn(command, all, { cwd: folder, env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let said = ''
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)))
  void ended.then(() => running.delete(child))
  const ready = new Promise<string>(resolve => {
    const listen = (text: string) => {
      said += text
      const [, address] = /ready at (\S+)/.exec(said) ?? []
      if (address) resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
  })
  const url = await Promise.race([ready, ended.then(() => null)])
  if (url === null) throw new Error(`The service ended: ${said}`)
  return {
    url,
    admin: clientFor(url, { Authorization: `Basic ${btoa('admin:admin')}` }),
    said: () => said,
    signal: signal => void child.kill(signal),
    end: signal => {
      child.kill(signal)
      return ended
    },
    ended,
  }
}

/** What the database itself finds wrong with its file. */
export const damagesOf = (folder: string): unknown[] => {
  const database = new DatabaseSync(join(folder, 'plinth.db'), { timeout: 30_000 })
  try {
    const integrity = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
    const references = database.prepare('PRAGMA foreign_key_check').all()
    return [...integrity.filter(row => row.integrity_check !== 'ok'), ...references]
  } finally {
    database.close()
  }
}

export interface Locality {
  readonly pk: string
  readonly name: string
  readonly path: string
  readonly version: number
}

/** Every locality, by pk. */
export const localitiesOf = async ({ admin }: ServiceProcess): Promise<Map<string, Locality>> => {
  const answer = await admin.get('/api/rest/localities?page=no', { Accept: 'application/json' })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return new Map(answer.body.content.map((one: Locality) => [one.pk, one]))
}

export const asJson = { Accept: 'application/json', 'Content-Type': 'application/json' } as const
