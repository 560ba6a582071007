// The test command: builds, then runs the tests, with the checks beside both.
// `npm test` runs the main line of each feature, on one database each. `npm run test:all` runs all tests on both, and
// 100,000 hostile requests.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Step {
  readonly name: string
  readonly script: string
  readonly env?: Readonly<Record<string, string>>
  /** Printed when it is over, so that it does not mix with what runs beside it. */
  readonly collects?: boolean
}

const run = ({ name, script, env = {}, collects = false }: Step): Promise<boolean> =>
  new Promise(resolve => {
    const began = performance.now()
    const child = spawn('npm', ['run', '--silent', ...script.split(' ')], {
      cwd: root,
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
      stdio: ['ignore', collects ? 'pipe' : 'inherit', collects ? 'pipe' : 'inherit'],
    })
    const pieces: Buffer[] = []
    child.stdout?.on('data', (piece: Buffer) => pieces.push(piece))
    child.stderr?.on('data', (piece: Buffer) => pieces.push(piece))
    child.once('close', code => {
      if (collects) process.stdout.write(Buffer.concat(pieces))
      const seconds = Math.round((performance.now() - began) / 1000)
      console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s`)
      resolve(code === 0)
    })
  })

const runsAll = process.argv.includes('--all')
const tests: Step = {
  name: 'Tests',
  script: 'vitest',
  env: runsAll ? { TEST_ALL: 'true', HOSTILE_REQUESTS: '100000' } : {},
}

// Several tests need the documentation site, and two builds at a time would disturb each other.
const build = async (): Promise<boolean> =>
  (await run({ name: 'Build', script: 'build', collects: true })) &&
  (!runsAll || (await run({ name: 'Documentation', script: 'docs', collects: true })))

const buildAndTest = async (): Promise<boolean> => (await build()) && (await run(tests))
const results = await Promise.all([buildAndTest(), run({ name: 'Checks', script: 'check', collects: true })])
process.exitCode = results.every(Boolean) ? 0 : 1
