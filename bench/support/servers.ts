// Starting and stopping the two sides of a comparison as processes of their own.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cpuOf } from './cpu.ts'

export interface Running {
  readonly url: string
  readonly pid: number
  /** The milliseconds from the start of the process to its first answer. */
  readonly startMs: number
  /** Resident memory in MB. */
  memory(): number
  /** The processor time used until now, in milliseconds. */
  cpu(): number
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

export const startFloor = (databaseUrl: string): Promise<Running> =>
  run(['--import', 'tsx', 'bench/support/floor/main.ts', databaseUrl])

export const startPlinth = (settings: Readonly<Record<string, string>>): Promise<Running> =>
  run([
    ...['packages/plinth/dist/main.js', 'start'],
    ...Object.entries({ ...unlimited, ...settings }).map(([name, value]) => `--${name}=${value}`),
  ])

/** All load comes from one address, and none of it is to be refused: what is measured is how long it takes. */
const unlimited = {
  'app.api.rateLimit.anonymousRequests': '0',
  'app.api.rateLimit.anonymousCost': '0',
  'app.api.maxEventLoopLag': '0',
  'app.api.rateLimit.cost': '0',
}

const run = async (args: readonly string[]): Promise<Running> => {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const url = await addressOf(child)
  await fetch(`${url}/api/rest/localities/none`, { headers: authorization })
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - began,
    memory: () => residentMb(child.pid ?? 0),
    cpu: () => cpuOf(child.pid ?? 0),
    stop: () =>
      new Promise(resolve => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

export const authorization = { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` }

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk
      const [url] = /http:\/\/[\d.]+:\d+/.exec(said) ?? []
      if (url) resolve(url)
    })
    child.once('exit', code => reject(new Error(`the server ended with ${code}: ${said}`)))
  })

const residentMb = (pid: number): number => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
