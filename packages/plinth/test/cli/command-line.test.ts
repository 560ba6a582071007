// The command line as a person meets it. What depends on the process runs in one of its own, by the real launcher. Everything
// else runs in this one: to start a process costs more than the rest of a test.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandOutcome, runHere } from '@plinth/test-kit/command-here'
import { testAll } from '@plinth/test-kit/extent'
import { settings } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { preparedFolder, stopsListening } from '@plinth/test-kit/service-process'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { until, waitingFor } from '../../src/testing/waiting.ts'
import { version } from '../../src/version.ts'

const launcher = fileURLToPath(new URL('../../bin/plinth.js', import.meta.url))
const checkout = fileURLToPath(new URL('../../../..', import.meta.url))
const interfaceVersion = '2.1.2-SNAPSHOT'

const before = process.cwd()
let cwd: string
let running: ChildProcess[]
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'plinth-cli-'))
  running = []
  process.chdir(cwd)
})
afterEach(() => {
  process.chdir(before)
  for (const child of running) child.kill('SIGKILL')
  rmSync(cwd, { recursive: true })
})

const launch = (args: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [launcher, `--app=${checkout}`, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  })
  running.push(child)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  const ended = new Promise<CommandOutcome>(resolve => child.once('close', code => resolve({ code, out, err })))
  return {
    child,
    get ended() {
      return waitingFor(`plinth ${args.join(' ')} to end`, ended)
    },
    output: () => out,
  }
}

const ownProcess = (...args: string[]): Promise<CommandOutcome> => launch(args).ended

const plinth = (...args: string[]): Promise<CommandOutcome> => runHere(args)

/** A running service with the demo data and its address, once it has said that it is ready. */
const started = async () => {
  const service = launch(['start', '--server.port=0', '--app.demo', `--app.dataDir=${await preparedFolder()}`])
  const ready = new Promise<void>(resolve => {
    service.child.stdout?.on('data', () => /ready at/.test(service.output()) && resolve())
  })
  const early = await Promise.race([ready, service.ended])
  if (early) throw new Error(`The service ended: ${early.err}`)
  const [, address = ''] = /ready at (\S+)/.exec(service.output()) ?? []
  return { ...service, address }
}

describe('words about itself', () => {
  test('--version prints the version of the package', async () => {
    expect(await ownProcess('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  testAll('help gives each command a line', async () => {
    const { code, out } = await plinth('--help')
    expect(code).toBe(0)
    for (const command of ['start', 'migrate', 'openapi', 'settings']) {
      expect(out).toMatch(new RegExp(`^  ${command}\\b.* {2,}\\w`, 'm'))
    }
  })

  testAll('settings lists every setting', async () => {
    const { code, out } = await plinth('settings')
    expect(code).toBe(0)
    const names = out.split('\n').flatMap(line => /^([a-z]\S+) \(/.exec(line)?.[1] ?? [])
    expect(names).toEqual([...settings.keys()])
  })
})

testAll('a command ends quietly when its output is closed, as by `plinth --help | head`', async () => {
  const { child, ended } = launch(['--help'])
  child.stdout?.destroy()
  expect((await ended).err).toBe('')
})

describe('mistakes', () => {
  const mistakes: [string[], number, string][] = [
    [[], 2, 'Usage: plinth'],
    [['strat'], 2, "unknown command 'strat'"],
    [['start', '--conifg=x.yml'], 2, "unknown option '--conifg=x.yml'"],
    [['start', 'now'], 2, 'too many arguments'],
    [['start', '--server.port=many'], 1, "server.port (command line): must be a whole number, got 'many'"],
    [['start', '--app.dmo'], 1, 'app.dmo (command line): there is no such setting; did you mean app.demo?'],
    [['migrate', '--config', 'nowhere.yml'], 1, 'nowhere.yml: there is no such file'],
    [['start', '--app.demo', '--server.host=0.0.0.0'], 1, 'Demo mode only listens on loopback addresses'],
  ]
  test.each(mistakes)('%j ends with %i and says: %s', async (args, expected, message) => {
    const { code, out, err } = await plinth(...args)
    expect(err).toContain(message)
    expect(err).not.toMatch(/^ +at /m)
    expect({ code, out }).toEqual({ code: expected, out: '' })
  })

  test('faults of the file, the environment and the command line come in one message', async () => {
    writeFileSync(join(cwd, 'application.yml'), 'server:\n  port: many\n')
    vi.stubEnv('APP_DEMO', 'perhaps')
    const { code, err } = await plinth('start', '--app.log.level=loud')
    vi.unstubAllEnvs()
    expect(code).toBe(1)
    expect(err).toContain('The configuration has 3 errors')
    for (const place of ['application.yml, line 2', 'environment, APP_DEMO', 'command line'])
      expect(err).toContain(place)
  })

  testAll('mistakes in definitions come in one message, without a stack', async () => {
    const { code, err } = await ownProcess('start', '--app.modules=rental,rental', `--app.dataDir=${cwd}`)
    expect(code).toBe(1)
    const [title, first, ...others] = err.trim().split('\n')
    expect(title).toMatch(/^The definitions have \d+ errors:$/)
    expect(first).toBe("  - several modules have the name 'rental'; rename all but one")
    expect(others.filter(line => !line.startsWith('  - '))).toEqual([])
  })

  testAll('a port in use is reported in one sentence', async () => {
    const service = await startService('sqlite')
    const { port } = new URL(service.url)
    const { code, err } = await plinth('start', `--server.port=${port}`, '--app.log.level=error')
    await service.stop()
    expect(code).toBe(1)
    expect(err).toContain(`Port ${port} on 127.0.0.1 is already in use`)
    expect(err).not.toMatch(/^ +at /m)
  })
})

/** The packages that a built file needs before it runs, by itself or by the files that it imports. */
const loadedBy = (file: string): string[] =>
  [
    ...readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8').matchAll(
      /^(?:import|\} from) .*?"([^"]+)";$/gm,
    ),
  ]
    .map(([, name = '']) => name)
    .flatMap(name => (name.startsWith('./') ? loadedBy(name.slice(2)) : [name]))

test('large libraries are loaded only when they are needed', () => {
  expect(loadedBy('main.js')).not.toContain('fastify')
  const main = readFileSync(new URL('../../dist/main.js', import.meta.url), 'utf8')
  const [, service = ''] = /import\("\.\/(app-\w+\.js)"\)/.exec(main) ?? []
  const packages = loadedBy(service)
  expect(packages).toContain('fastify')
  expect(packages.filter(name => /^(@aws-sdk|@opentelemetry|sharp)/.test(name))).toEqual([])
})

describe('documents', () => {
  test('openapi prints the document and nothing else, or writes it to a file', async () => {
    const { code, out } = await plinth('openapi')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      openapi: expect.stringMatching(/^3\./),
      info: { version: interfaceVersion },
    })
    expect(await plinth('openapi', '--out', 'openapi.json')).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(join(cwd, 'openapi.json'), 'utf8'))).toEqual(JSON.parse(out))
  })

  testAll('openapi of the built program prints nothing else', async () => {
    const { code, out } = await ownProcess('openapi')
    expect([code, JSON.parse(out).info.version]).toEqual([0, interfaceVersion])
  })

  testAll('openapi is trimmed to resources, modules and a format', async () => {
    const { code, out } = await plinth('openapi', '--only', 'countries, friends', '--format', 'json')
    expect(code).toBe(0)
    const { paths, tags, components } = JSON.parse(out)
    expect(Object.keys(paths)).toContain('/api/rest/countries/{pk}')
    expect(Object.keys(paths)).toContain('/api/rest/friendships')
    expect(Object.keys(paths).filter(path => path.startsWith('/api/rest/users'))).toEqual([])
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['countries', 'friendships']))
    expect(components.schemas.Country).toBeDefined()
    // Relationships are written in JSON:API only.
    const country = paths['/api/rest/countries/{pk}']
    expect(JSON.stringify({ country, components })).not.toContain('application/vnd.api+json')
    expect(out).toContain('application/problem+json')
    const { err } = await plinth('openapi', '--only', 'contries')
    expect(err).toContain("did you mean 'countries'?")
  })

  testAll('migrate --plan shows what migrate will do, and does not do it', async () => {
    const first = await plinth('migrate', '--plan')
    const second = await plinth('migrate', '--plan')
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/create table/i) })
    expect(second.out).toBe(first.out)
    expect((await plinth('migrate')).code).toBe(0)
    expect((await plinth('migrate', '--plan')).out).not.toMatch(/create table/i)
  })
})

describe('a running service', () => {
  const answersAndEnds = async (signal: 'SIGTERM' | 'SIGINT') => {
    const { address, child, ended, output } = await started()
    expect(output()).toMatch(/\badmin\b/)
    const answer = await fetch(`${address}/api/rest/continents`, { headers: { accept: 'application/json' } })
    expect(answer.status).toBe(200)
    await answer.text()
    child.kill(signal)
    expect((await ended).code).toBe(0)
  }
  test('greets with the demo users, answers at the address it printed and ends well on SIGTERM', () =>
    answersAndEnds('SIGTERM'))
  testAll('ends well on SIGINT', () => answersAndEnds('SIGINT'))

  testAll('a second signal ends it at once, even while a request is under way', async () => {
    const { address, child, ended } = await started()
    const { port } = new URL(address)
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    // The interim answer shows that the request has arrived; its body never does.
    socket.write('POST /api/rest/hosts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n')
    socket.write('Content-Length: 9\r\nExpect: 100-continue\r\n\r\n')
    await waitingFor('the interim answer', once(socket, 'data'))
    child.kill('SIGTERM')
    await stopsListening(address)
    expect(child.exitCode).toBeNull()
    // Signals that follow within 300 ms count as one key press, so one of the later ones ends it.
    await until('a further signal to end it', () => {
      child.kill('SIGTERM')
      return child.exitCode !== null
    })
    // Waiting for the request would end with 0.
    expect((await ended).code).toBe(1)
    socket.destroy()
  })
})

test('a file .env that cannot be read ends the start with one sentence', async () => {
  mkdirSync(join(cwd, '.env'))
  const { code, err } = await ownProcess('--version')
  expect([code, err]).toEqual([1, expect.stringMatching(/^\S+\.env cannot be read: .*\n$/)])
})
