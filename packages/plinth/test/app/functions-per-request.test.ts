// How many functions with a name a warm request enters, by the coverage of V8: a measure of how much there is to read. ARCHITECTURE.md
// names the files in which control passes to the next step, its stages.

import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { everyThird } from '@plinth/test-kit/extent'
import { allModules } from '@plinth/test-kit/platform'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'

const without = <T, K extends keyof T>(whole: T, key: K): Omit<T, K> => {
  const { [key]: _, ...rest } = whole
  return rest
}

let service: TestService
/** One for all tests: starting it takes long when many files are loaded. */
const session = new Session()
beforeAll(async () => {
  // They poll every second or more often, on a busy machine during every request that is measured.
  const polling = ['registration', 'audit']
  const withoutPolls = allModules.map(module => (polling.includes(module.name) ? without(module, 'start') : module))
  service = await startService('sqlite', { modules: withoutPolls })
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Debugger.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
})
afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  await service.stop()
})

/** Tests may start the service with a clock of their own, which is not part of it. */
const source = /\/packages\/plinth\/src\/(?!testing)(.+\.ts)$/

/** The test runner reads what a module exports through such functions. To read a constant runs no code of its file. */
const exportGetter = /^\(\) => \{ ?try \{ ?return \w+ ?\} ?catch/

/** V8 puts what it makes itself, such as the initialiser of fields, in angle brackets. */
const isNamed = (name: string): boolean => name !== '' && !name.startsWith('<')

interface Entered {
  /** `file:name:offset` of each function. */
  readonly functions: ReadonlySet<string>
  readonly files: ReadonlySet<string>
}

interface Budget {
  readonly functions: number
  readonly files: number
}

const filesOf = (functions: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...functions].map(one => one.slice(0, one.indexOf(':'))))

const isWithin = (functions: ReadonlySet<string>, most: Budget): boolean =>
  functions.size <= most.functions && filesOf(functions).size <= most.files

/** Waits until nothing of the service ran for a moment: what an earlier request has left to do, such as telling of its events, is done. */
const untilQuiet = async (): Promise<void> => {
  for (let look = 0; look < 50; look++) {
    await sleep(5)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ran = result.some(
      ({ url, functions }) => source.test(url) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    )
    if (!ran) return
  }
}

/**
 * The functions that ran. Work in the background may add some, so only those of every run count, and runs are repeated until they are
 * within the budget.
 */
const enteredBy = async (request: () => Promise<unknown>, most: Budget): Promise<Entered> => {
  const texts = new Map<string, string>()
  const textOf = async (scriptId: string): Promise<string> => {
    const text = texts.get(scriptId) ?? (await session.post('Debugger.getScriptSource', { scriptId })).scriptSource
    texts.set(scriptId, text)
    return text
  }
  let common: ReadonlySet<string> | null = null
  for (let run = 0; run < 100 && (common === null || !isWithin(common, most)); run++) {
    await untilQuiet()
    await request()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const entered = new Set<string>()
    for (const { url, scriptId, functions } of result) {
      const file = source.exec(url)?.[1]
      const ran = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0))
      if (file === undefined || ran.length === 0) continue
      const text = await textOf(scriptId)
      for (const {
        functionName,
        ranges: [whole],
      } of ran)
        if (isNamed(functionName) && !exportGetter.test(text.slice(whole?.startOffset, whole?.endOffset)))
          entered.add(`${file}:${functionName}:${whole?.startOffset}`)
    }
    const before: ReadonlySet<string> = common ?? entered
    common = new Set([...before].filter(one => entered.has(one)))
  }
  const functions = common ?? new Set()
  return { functions, files: filesOf(functions) }
}

/** The stages of `GET /api/rest/countries` in ARCHITECTURE.md, as paths. */
const documentedStages = (): readonly string[] => {
  const text = readFileSync(new URL('../../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, block = ''] = /\n## A request\n[\s\S]*?```\n([\s\S]*?)```/.exec(text) ?? []
  return [...block.matchAll(/^ *([\w-]+(?:\/[\w-]+)+) /gm)].map(([, stage = '']) =>
    stage.startsWith('auth/') ? `modules/auth/authenticate/${stage.slice(5)}.ts` : `core/${stage}.ts`,
  )
}

let number = 0

const mostOfSignIn: Budget = { functions: 300, files: 108 }
const mostOfCreate: Budget = { functions: 299, files: 107 }

const expectFew = ({ functions, files }: Entered, most: Budget): void => {
  expect(functions.size, [...functions].join('\n')).toBeLessThanOrEqual(most.functions)
  expect(files.size, [...files].join('\n')).toBeLessThanOrEqual(most.files)
}

/** The most functions of each; the numbers only shrink. */
const reads: readonly (readonly [what: string, path: () => string, most: number])[] = [
  ['a page that was read before', () => '/api/rest/countries?filter=name==G*&sort=-name', 172],
  [
    'a page for the first time',
    () => `/api/rest/countries?filter=name==G*&sort=-name&_ps=${1 + (++number % 400)}`,
    270,
  ],
  ['a record', () => '/api/rest/countries/GR', 108],
]

test.each(everyThird(reads))('reading %s enters few functions', async (what, path, most) => {
  const anonymous = service.as('anonymous')
  await anonymous.get(path())
  const { functions, files } = await enteredBy(() => anonymous.get(path()), {
    functions: most,
    files: Number.POSITIVE_INFINITY,
  })
  expect(functions.size, [...functions].join('\n')).toBeLessThanOrEqual(most)
  if (what === 'a page for the first time') expect([...files]).toEqual(expect.arrayContaining([...documentedStages()]))
})

test('signing in enters few functions in few files', async () => {
  const anonymous = service.as('anonymous')
  const signIn = () => anonymous.post('/api/auth/userDetails', { username: 'client', password: 'client' })
  expect((await signIn()).status).toBe(200)
  expectFew(await enteredBy(signIn, mostOfSignIn), mostOfSignIn)
})

test('creating a record enters few functions in few files', async () => {
  const admin = service.as('admin')
  const create = () => admin.post('/api/rest/hosts', { name: `host${++number}.example.org` })
  expect((await create()).status).toBe(201)
  expectFew(await enteredBy(create, mostOfCreate), mostOfCreate)
})

test('reading a page has eleven stages at most', () => {
  expect(documentedStages().length).toBeGreaterThan(5)
  expect(documentedStages().length).toBeLessThanOrEqual(11)
})
