// What the endpoints show is what is there.

import { Worker } from 'node:worker_threads'
import { testAll } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { connect, credentialsOf } from '@plinth/test-kit/stomp-subscriber'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from './paths.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite', {
    settings: {
      'app.api.maxPageSize': '321',
      'app.cors.allowedOrigins': 'https://friend.example',
      'app.registration.forceCodes': 'true',
    },
  })
})
afterAll(() => service.stop())

const read = async (path: string) => (await service.as('admin').get(root + path)).body

test('beans are the modules, resources and the store', async () => {
  const [{ context, parent, beans }] = await read('/beans')
  expect({ context, parent }).toEqual({ context: 'plinth', parent: null })
  const named = (name: string) => beans.find(({ bean }: { bean: string }) => bean === name)
  expect(named('store')).toMatchObject({ scope: 'singleton', type: 'sqlite store' })
  expect(named('geography')).toMatchObject({ type: 'module', dependencies: expect.arrayContaining(['countries']) })
  expect(named('countries')).toMatchObject({
    resource: 'geography',
    dependencies: ['store', 'continents', 'localities'],
  })
})

test('autoconfig tells what is on, what is off and why', async () => {
  const { positiveMatches, negativeMatches, exclusions } = await read('/autoconfig')
  expect(positiveMatches.demo).toEqual([{ condition: 'OnSetting', message: 'app.demo is true' }])
  expect(negativeMatches.telemetry.notMatched[0].message).toBe('app.telemetry.endpoint is empty')
  expect(Object.keys(positiveMatches)).toEqual(expect.arrayContaining(['module.auth', 'module.management', 'sqlite']))
  expect(exclusions).toEqual([])
})

test.each<[string, string]>([
  ['basicSignIn', 'app.auth.basic.enabled is auto and app.demo is true'],
  ['fixedOrigins', 'app.cors.allowedOrigins is given'],
  ['registrationCodes', 'app.registration.forceCodes is true'],
  ['files.s3', 'app.files.s3.bucket is empty'],
  ['mail.smtp', 'app.mail.host is empty'],
  ['heapdump', 'app.management.heapdump is false'],
])('autoconfig tells why %s is on or off', async (name, why) => {
  const { positiveMatches, negativeMatches } = await read('/autoconfig')
  const [bean] = positiveMatches[name] ?? negativeMatches[name].notMatched
  expect(bean.message).toBe(why)
  expect(Object.hasOwn(positiveMatches, name)).toBe(/(true|given)$/.test(why))
})

test('every route has its mapping, and each names its operation', async () => {
  const mappings = await read('/mappings')
  expect(mappings['{[/api/rest/countries/{pk}],methods=[GET]}']).toEqual({ bean: 'core', method: 'getCountry' })
  expect(mappings['{[/api/management/env],methods=[GET]}']).toEqual({ bean: 'management', method: 'getEnvironment' })
  const { paths } = (await service.as('anonymous').get('/api/openapi.json')).body
  for (const path of Object.keys(paths).filter(one => !/\{pk\}\//.test(one))) {
    for (const method of Object.keys(paths[path]).filter(one => one !== 'parameters' && one !== 'head'))
      expect(Object.keys(mappings)).toContain(`{[${path}],methods=[${method.toUpperCase()}]}`)
  }
})

testAll('settings are grouped by prefix and listed by source', async () => {
  expect((await read('/configprops'))['app.api']).toMatchObject({
    prefix: 'app.api',
    properties: { maxPageSize: '321' },
  })
  const env = await read('/env')
  expect(env.profiles).toEqual(['demo'])
  expect(env.commandLineArgs['app.api.maxPageSize']).toBe('321')
  expect(env.defaultProperties['app.api.maxFullCollection']).toBe('10000')
  expect(await read('/env/app.api.maxPageSize')).toEqual({ 'app.api.maxPageSize': '321' })
  expect(await read('/env/node.version')).toEqual({ 'node.version': process.versions.node })
  for (const name of ['app.none', 'PATH', 'constructor', '__proto__'])
    expect((await service.as('admin').get(`${root}/env/${name}`)).status).toBe(404)
})

test('info names the build, in the version of the application', async () => {
  const info = await read('/info')
  expect(info.app).toEqual({ name: 'plinth', version: '2.1.2-SNAPSHOT' })
  expect(info.build).toMatchObject({ version: info.app.version, runtime: `Node ${process.versions.node}` })
  expect(Number.isNaN(Date.parse(info.build.time))).toBe(false)
  expect(info.nodes).toBeInstanceOf(Array)
})

describe('dump', () => {
  test('shows where the main thread stands and what keeps it busy', async () => {
    const [main] = await read('/dump')
    expect(main).toMatchObject({ threadName: 'main', threadState: 'RUNNABLE' })
    expect(main.stackTrace.map(({ methodName }: { methodName: string }) => methodName)).toContain('dumpThreads')
    expect(main.activeResources).toMatchObject({ TCPServerWrap: expect.any(Number) })
  })

  testAll('shows workers with their stacks', async () => {
    const worker = new Worker(
      'const spin = () => { for (;;) {} }; require("worker_threads").parentPort.postMessage(1); spin()',
      { eval: true },
    )
    await new Promise(resolve => worker.once('message', resolve))
    const threads = await read('/dump')
    await worker.terminate()
    const found = threads.find(({ threadName }: { threadName: string }) => threadName === `worker-${worker.threadId}`)
    expect(
      found ?? threads.find(({ threadName }: { threadName: string }) => threadName.startsWith('worker-')),
    ).toMatchObject({
      stackTrace: expect.arrayContaining([expect.objectContaining({ methodName: 'spin' })]),
    })
  })

  test('shows nothing of the environment', async () => {
    process.env.DUMP_CANARY = 'dump-canary'
    expect(JSON.stringify(await read('/dump'))).not.toContain('dump-canary')
    delete process.env.DUMP_CANARY
  })
})

describe('trace', () => {
  test('has the newest exchange first, without its query', async () => {
    await service
      .as('admin')
      .get('/api/rest/continents?name=query-canary', { 'User-Agent': 'tracer', Cookie: 'a=cookie-canary' })
    const [newest] = await read('/trace')
    expect(newest.info).toMatchObject({
      method: 'GET',
      path: '/api/rest/continents',
      principal: expect.any(String),
      headers: { request: { 'user-agent': 'tracer' }, response: { status: '200' } },
    })
    expect(newest.timestamp).toBeGreaterThan(1e12)
    expect(newest.info.timeTaken).toBeGreaterThan(0)
    expect(JSON.stringify(newest)).not.toMatch(/canary|authorization|cookie/i)
  })

  testAll('keeps a hundred', async () => {
    for (let count = 0; count < 120; count++) await service.as('anonymous').get(`/count/${count}`)
    const trace = await read('/trace')
    expect(trace).toHaveLength(100)
    expect(trace[0].info.path).toBe('/count/119')
    expect(trace[99].info.path).toBe('/count/20')
  })
})

describe('metrics', () => {
  test('tell of the process', async () => {
    const metrics = await read('/metrics')
    for (const name of [
      'mem',
      'mem.free',
      'heap',
      'heap.used',
      'heap.committed',
      'uptime',
      'processors',
      'eventloop.lag',
    ])
      expect(metrics[name]).toBeTypeOf('number')
    expect(metrics['heap.used']).toBeLessThan(metrics.heap)
    expect(metrics['heap.used']).toBeGreaterThan(1000)
  })

  test('are numbers at every moment, however soon they are asked for again', async () => {
    for (let count = 0; count < 20; count++) {
      const wrong = Object.entries(await read('/metrics')).filter(([, value]) => typeof value !== 'number')
      expect(wrong).toEqual([])
    }
  })

  test('count the answers of each resource by status', async () => {
    const before = await read('/metrics')
    await service.as('admin').get('/api/rest/localities')
    await service.as('admin').get('/api/rest/localities/none')
    await service.as('anonymous').get('/no/such/path')
    const after = await read('/metrics')
    for (const name of [
      'counter.status.200.localities',
      'counter.status.404.localities',
      'counter.status.404.unmapped',
    ])
      expect([name, after[name]]).toEqual([name, (before[name] ?? 0) + 1])
    expect(after['gauge.response.localities']).toBeGreaterThan(0)
  })

  testAll('count handshakes of sockets too, those that are refused and those that are not', async () => {
    const before = await read('/metrics')
    const connected = await connect(service.url, credentialsOf('client'))
    await connected.disconnect()
    await expect(connect(service.url, {})).rejects.toThrow('refused with 401')
    for (const name of ['counter.status.101.ws', 'counter.status.401.ws'])
      await expect.poll(async () => (await read('/metrics'))[name]).toBe((before[name] ?? 0) + 1)
    const paths = (await read('/trace')).map(({ info }: { info: { path: string } }) => info.path)
    expect(paths.filter((path: string) => path === '/ws')).toHaveLength(2)
  })

  test('can be read one by one', async () => {
    expect(await read('/metrics/processors')).toEqual({ processors: expect.any(Number) })
    expect((await service.as('admin').get(`${root}/metrics/none`)).status).toBe(404)
  })

  test('cannot be blown up by strangers: paths that do not exist share one name', async () => {
    for (let count = 0; count < 20; count++)
      await service.as('anonymous')(`/strange/${count}`, { method: count % 2 ? 'GET' : 'PROPFIND' })
    const names = Object.keys(await read('/metrics'))
    expect(names.filter(name => name.includes('strange'))).toEqual([])
  })

  test('come in the format of Prometheus too', async () => {
    await service.as('admin').get('/api/rest/continents')
    const { text } = await service.as('admin').get(`${root}/prometheus`)
    expect(text).toMatch(
      /^http_server_request_duration_seconds_count\{method="GET",route="\/api\/rest\/continents",status="200"\} [1-9]/m,
    )
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m)
  })
})

test('metrics show that the event loop was blocked, as often as they are read', async () => {
  const blocked = performance.now()
  while (performance.now() - blocked < 400);
  const longest = async () => (await read('/metrics'))['eventloop.lag.max']
  await expect.poll(longest).toBeGreaterThan(300)
  await read('/prometheus')
  expect(await longest()).toBeGreaterThan(300)
})
