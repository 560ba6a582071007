// The service in a process of its own, which can be killed.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { until, waitingFor } from '../../plinth/src/testing/waiting.ts'
import { newData } from './prepared-data.ts'
import { type Client, clientFor } from './service.ts'

const launcher = fileURLToPath(new URL('../../plinth/bin/plinth.js', import.meta.url))
const checkout = fileURLToPath(new URL('../../..', import.meta.url))

export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  readonly admin: Client
  /** Returns the whole output. */
  said(): string
  /** Sends the signal, waits for the end and returns the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
  signal(signal: NodeJS.Signals): void
  readonly ended: Promise<number | null>
}

/** Creates an empty folder that lasts until the end of the test. */
export const emptyFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-process-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with the data of a first start, which takes longer than later starts. It is removed when the test ends. */
export const preparedFolder = async (): Promise<string> => {
  const { folder } = await newData('sqlite', {}, {})
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Waits until new connections are refused after a signal to stop. Requests on open connections still get a response.
 */
export const stopsListening = (url: string): Promise<true> =>
  until(
    'the service to stop listening',
    () =>
      new Promise<boolean>(resolve => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1')
        socket.once('connect', () => {
          socket.destroy()
          resolve(false)
        })
        socket.once('error', () => resolve(true))
      }),
  )

export interface Launch {
  /** The folder of the application; that of this repository unless given. */
  readonly app?: string
  readonly folder: string
  readonly settings?: Readonly<Record<string, string>>
  /** Variables of its environment besides the usual ones. */
  readonly env?: Readonly<Record<string, string>>
  /** The largest file that the process may write, in blocks of the shell. */
  readonly maxFileBlocks?: number
}

const usual = { 'server.port': '0', 'app.demo': 'true', 'app.log.level': 'error' }

/** Starts it in demo mode and waits until it is ready. It is killed at the end of the test, if it has not ended before. */
export const launch = async (options: Launch): Promise<ServiceProcess> => {
  const { app = checkout, folder, settings, env, maxFileBlocks } = options
  const all = Object.entries({ ...usual, 'app.dataDir': folder, ...settings })
  const args = [launcher, 'start', `--app=${app}`, ...all.map(([name, value]) => `--${name}=${value}`)]
  // Without the trap, SIGXFSZ would end the process instead of the write failing.
  const limited = `trap '' XFSZ; ulimit -f ${maxFileBlocks}; exec "$@"`
  const [command, words] =
    maxFileBlocks === undefined
      ? [process.execPath, args]
      : ['/bin/sh', ['-c', limited, 'sh', process.execPath, ...args]]
  const child = spawn(command, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const ready = new Promise<string>(resolve => {
    const listen = (text: string) => {
      said += text
      const [, address] = /ready at (\S+)/.exec(said) ?? []
      if (address) resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
  })
  const url = await waitingFor('the service process to start', Promise.race([ready, ended.then(() => null)]))
  if (url === null) throw new Error(`The service ended: ${said}`)
  return {
    url,
    pid: child.pid ?? 0,
    admin: clientFor(url, { Authorization: `Basic ${btoa('admin:admin')}` }),
    said: () => said,
    signal: signal => void child.kill(signal),
    end: signal => {
      child.kill(signal)
      return waitingFor(`the service process to end after ${signal}`, ended)
    },
    get ended() {
      return waitingFor('the service process to end', ended)
    },
  }
}
