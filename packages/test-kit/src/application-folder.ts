// Applications in folders of their own: the commands that their developers run there.

import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { until, waitingFor } from '../../plinth/src/testing/waiting.ts'

/** The environment without the variables of the test runner. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|TEST|INIT_CWD|npm_)/.test(name)),
)

/** Runs a command and returns both outputs; rejects with them when it fails. */
export const runIn = async (cwd: string, file: string, ...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(file, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
  return stdout + stderr
}

export interface LaunchedApp {
  readonly output: () => string
  readonly url: () => string
  stop(): Promise<void>
}

/** The command starts an application. The address is that of the last start: `plinth dev` starts the application again. */
export const launchIn = async (cwd: string, file: string, ...args: readonly string[]): Promise<LaunchedApp> => {
  const child = spawn(file, [...args, '--server.port=0'], { cwd, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  // Processes that it has started keep its output open.
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await waitingFor('the application to end', ended)
  }
  onTestFinished(stop)
  const url = () => [...said.matchAll(/is ready at (\S+)/g)].at(-1)?.[1] ?? ''
  await until('the application to start', () => url() !== '' || child.exitCode !== null)
  if (url() === '') throw new Error(said)
  return { output: () => said, url, stop }
}
