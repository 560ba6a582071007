// Imports point down, and each technology has one owner.

import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allModules, loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { describe, expect, test } from 'vitest'
import { databases } from '../packages/plinth/src/core/store/databases.ts'

const src = fileURLToPath(new URL('../packages/plinth/src', import.meta.url))

interface Import {
  /** Paths from `src`, with forward slashes. */
  readonly file: string
  /** A file of ours, or the name of a package. */
  readonly target: string
  readonly isOurs: boolean
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))

const statement = /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/g

const imports: readonly Import[] = files.flatMap(file => {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(statement)].map(([, named, dynamic]) => {
    const target = named ?? dynamic ?? ''
    const isOurs = target.startsWith('.')
    const path = isOurs ? relative(src, resolve(dirname(join(src, file)), target)).replaceAll('\\', '/') : target
    return { file, target: path, isOurs }
  })
})

/** The layers from the bottom up; parts of one row do not import one another. */
const layers: readonly (readonly string[])[] = [
  [
    'core/problem.ts',
    'core/fault.ts',
    'core/field-faults.ts',
    'core/request-faults.ts',
    'core/problem-types.ts',
    'core/problem-texts.ts',
    'core/text.ts',
    'core/log',
    'core/nearest-name.ts',
    'core/source-place.ts',
    'core/digest.ts',
    'core/html.ts',
    'version.ts',
  ],
  [
    ...[
      'core/model',
      'core/guarded.ts',
      'core/fair-queue.ts',
      'core/lease.ts',
      'core/lazy.ts',
      'core/durable-files.ts',
    ],
    ...['core/quota.ts', 'core/pauses.ts', 'core/deadline.ts', 'core/thread-clock.ts', 'core/zip.ts'],
  ],
  ['core/config'],
  ['core/query', 'core/store', 'core/formats', 'core/describe', 'core/events', 'core/http'],
  ['core/observe'],
  ['core/records'],
  ['core/job-status.ts'],
  ['core/rest'],
  ['core/service.ts'],
  ['core/jobs'],
  ['core/module.ts', 'core/mail.ts', 'core/webhook.ts', 'core/seeds.ts', 'core/overview.ts'],
  ['core/data-migrations'],
  ['modules'],
  ['app'],
  ['config.ts'],
  ['index.ts', 'module.ts'],
  ['cli', 'testing'],
  ['main.ts'],
]

const partOf = (file: string): { level: number; part: string } => {
  for (const [level, parts] of layers.entries()) {
    const part = parts.find(one => file === one || file.startsWith(`${one}/`) || file === `${one}.ts`)
    if (part) return { level, part }
  }
  throw new Error(`${file} has no place in the layers`)
}

test('there are imports to look at', () => {
  expect(imports.filter(one => one.isOurs).length).toBeGreaterThan(100)
})

test('fixtures are for tests alone', () => {
  expect(imports.filter(({ target }) => target.endsWith('.fixture.ts'))).toEqual([])
})

test('every file has a place and imports only from its own part or from below', () => {
  const upward = imports.filter(({ file, target, isOurs }) => {
    if (!isOurs) return false
    const [from, to] = [partOf(file), partOf(target)]
    return (
      from.part !== to.part &&
      to.level >= from.level &&
      !(from.level === to.level && from.part.endsWith('.ts') && to.part.endsWith('.ts'))
    )
  })
  expect(upward).toEqual([])
})

test('modules know one another only by their index, and only those listed before them', () => {
  const order = modulesFor(loadConfig({ env: {}, cwd: tmpdir() })).map(({ name }) => name)
  const moduleOf = (file: string) => /^modules\/([\w-]+)\//.exec(file)?.[1] ?? null
  const crossing = imports.flatMap(({ file, target }) => {
    const [from, to] = [moduleOf(file), moduleOf(target)]
    return from !== null && to !== null && from !== to ? [{ file, target, from, to }] : []
  })
  expect(crossing.length).toBeGreaterThan(0)
  expect(crossing.filter(({ target }) => !target.endsWith('/index.ts'))).toEqual([])
  expect(crossing.filter(({ from, to }) => order.indexOf(to) < 0 || order.indexOf(to) >= order.indexOf(from))).toEqual(
    [],
  )
})

test('code finds resources by their definitions, not by their names', () => {
  const byName = files.filter(
    file => file.startsWith('modules/') && /\bresource\(\s*['"`]/.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(byName).toEqual([])
})

test('only the one write path writes to tables', () => {
  const write = /\b(tx|store|single)\.(insert|insertAll|ensure|update|remove|removeWhere)\(/
  const writers = files.filter(file => write.test(readFileSync(join(src, file), 'utf8')))
  // Seeds wrap the transaction, so that errors name the resource.
  expect(writers.filter(file => !/^core\/(records|store)\//.test(file))).toEqual(['core/seeds.ts'])
  expect(writers).toContain('core/records/write.ts')
})

test('only people writes the tables of people', () => {
  const tables = 'users|roles|secrets|userCredentials|contactDetails|personalDetails|mailboxes'
  const write = new RegExp(
    `\\.(create|createMany|ensure|upsert|update|updateMany|increment|remove|removeMany)\\(\\s*(${tables})\\b`,
  )
  const writers = files.filter(file => file.startsWith('modules/') && write.test(readFileSync(join(src, file), 'utf8')))
  expect(writers.length).toBeGreaterThan(0)
  expect(writers.filter(file => !file.startsWith('modules/people/'))).toEqual([])
})

describe('a database is one folder of the store', () => {
  const folderOf = (name: string) => `core/store/${name}/`
  const isElsewhere = (file: string) => databases.every(({ name }) => !file.startsWith(folderOf(name)))
  const textOf = (file: string) => readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')

  test('which the list of databases alone imports', () => {
    for (const { name } of databases) {
      const crossing = imports.filter(
        ({ file, target }) => target.startsWith(folderOf(name)) && !file.startsWith(folderOf(name)),
      )
      expect(crossing.map(({ file }) => file)).toEqual(['core/store/databases.ts'])
    }
  })

  test('and whose name decides nothing elsewhere', () => {
    const named = new RegExp(`['"\`](${databases.map(({ name }) => name).join('|')})['"\`]`)
    const elsewhere = files.filter(isElsewhere)
    expect(elsewhere.filter(file => named.test(textOf(file)))).toEqual([])
    // The store tells the name to people, and asks nothing of it itself.
    expect(elsewhere.filter(file => /\bdialect\.name\b|\{ name \}: Dialect\b/.test(textOf(file)))).toEqual([
      'core/store/create-store.ts',
    ])
  })
})

/** The list of modules, and the public API, which offers parts of them. */
const publicLists = ['app/standard-modules.ts', 'index.ts', 'module.ts', 'testing.ts', 'testing/running-app.ts']

test('only the list of modules names a module', () => {
  // These stand between the core and every request: who calls, which origins may, where failures are recorded, and forms with files.
  const composition = new Map([
    ['app.ts', ['errors']],
    ['app/platform.ts', ['auth']],
    ['app/service.ts', ['auth', 'errors', 'files', 'hosts']],
  ])
  const named = imports.flatMap(({ file, target }) => {
    const [, module] = /^modules\/([\w-]+)\//.exec(target) ?? []
    return module && !file.startsWith('modules/') && !publicLists.includes(file) ? [{ file, module }] : []
  })
  expect(named.filter(({ file, module }) => !composition.get(file)?.includes(module))).toEqual([])
})

test('no code names a module with pages but that of its folder and the lists of modules, in the browser neither', () => {
  const packages = fileURLToPath(new URL('../packages', import.meta.url))
  const code = readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => /^[\w-]+\/(src|web|build|template)\/.*(?<!\.test)\.tsx?$/.test(file))
    .filter(file => !publicLists.some(list => file === `plinth/src/${list}`))
    .map(file => ({ file, text: readFileSync(join(packages, file), 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '') }))
  expect(code.filter(({ file }) => file.startsWith('web/src/')).length).toBeGreaterThan(100)
  const names = allModules.flatMap(({ name, web }) => (web === undefined ? [] : [name]))
  expect(names).toEqual(expect.arrayContaining(['registration', 'management', 'friends', 'rental', 'membership']))
  const named = names.flatMap(name =>
    code
      .filter(({ file }) => !file.startsWith(`plinth/src/modules/${name}/`) && !file.startsWith(`${name}/`))
      .filter(({ text }) => new RegExp(`['"\`]${name}['"\`]`).test(text))
      .map(({ file }) => `${name} in ${file}`),
  )
  expect(named).toEqual([])
})

test('what a module declares is named in its folder alone', () => {
  const texts = files.map(file => ({ file, text: readFileSync(join(src, file), 'utf8') }))
  const elsewhere = allModules.flatMap(({ name, problems = {}, auditTypes = [], settings = [], commands = [] }) => {
    const declared = [
      ...Object.keys(problems),
      ...auditTypes,
      ...settings.map(group => group.name),
      ...commands.map(command => command.name).filter(command => command.includes(' ')),
    ]
    return declared.flatMap(word =>
      texts
        .filter(({ file, text }) => !file.startsWith(`modules/${name}/`) && text.includes(`'${word}'`))
        // Several modules may record events of one type.
        .filter(
          ({ file }) =>
            !(auditTypes.includes(word) && /\/declarations\.ts$|^modules\/(people|registration)\//.test(file)),
        )
        .map(({ file }) => `${word} of ${name} in ${file}`),
    )
  })
  expect(elsewhere).toEqual([])
})

describe('packages import plinth and plinth/module, and nothing inside of them', () => {
  const packages = fileURLToPath(new URL('../packages', import.meta.url))
  test.each(['rental', 'membership'])('%s', name => {
    const folder = join(packages, name, 'src')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      file => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const targets = files.flatMap(file =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(statement)].map(([, named, dynamic]) => ({
        file,
        target: named ?? dynamic ?? '',
      })),
    )
    expect(targets.filter(({ target }) => target === 'plinth').length).toBeGreaterThan(10)
    expect(targets.filter(({ target }) => /^plinth\/(?!module$)|^@plinth\/|^\.\.\//.test(target))).toEqual([])
  })
})

describe('tests of packages import their package, the public API and the test kit', () => {
  const packages = fileURLToPath(new URL('../packages', import.meta.url))
  /** The generator of `plinth`, its types of an API and its values of fields are not public; pages of rental are in the web client. */
  const exceptions = new Map([
    ['client', []],
    ['create-plinth', ['plinth/src/cli/generate.ts']],
    ['docs', ['plinth/src/cli/api-description.ts']],
    ['membership', []],
    ['rental', []],
    ['web', ['plinth/src/core/model/field-options.ts', 'plinth/src/core/model/fields/value.ts']],
  ])
  test.each([...exceptions])('%s', (name, allowed) => {
    const folder = join(packages, name)
    const files = readdirSync(join(folder, 'test'), { recursive: true, encoding: 'utf8' }).filter(file =>
      /\.tsx?$/.test(file),
    )
    const targets = files.flatMap(file => {
      const path = join(folder, 'test', file)
      return [...readFileSync(path, 'utf8').matchAll(statement)]
        .map(([, named, dynamic]) => named ?? dynamic ?? '')
        .map(target =>
          target.startsWith('.') ? relative(packages, resolve(dirname(path), target)).replaceAll('\\', '/') : target,
        )
    })
    const isOurs = /^(plinth|rental|membership|client|web|create-plinth|test-kit|docs)\//
    const inside = targets.filter(target => isOurs.test(target) && !target.startsWith(`${name}/`))
    expect(targets.length).toBeGreaterThan(10)
    expect([...new Set(inside)].filter(target => !/^plinth\/(testing|module)$/.test(target)).sort()).toEqual(allowed)
  })
})

test('examples import plinth, plinth/testing and @plinth/web, and nothing inside of them', () => {
  const examples = fileURLToPath(new URL('../examples', import.meta.url))
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && !file.includes('node_modules'),
  )
  const targets = files.flatMap(file =>
    [...readFileSync(join(examples, file), 'utf8').matchAll(statement)].map(([, named]) => named ?? ''),
  )
  const others = targets.filter(target => !target.startsWith('.'))
  expect([...new Set(others)].sort()).toEqual(['@plinth/web', 'plinth', 'plinth/testing', 'vitest'])
  expect(targets.filter(target => target.includes('packages/'))).toEqual([])
})

describe('each technology has one owner', () => {
  test.each([
    ['fastify', /^(fastify|@fastify\/)/, ['core/http/']],
    ['WebSockets', /^ws$/, ['core/http/']],
    ['the databases', /^(postgres|@photostructure\/sqlite)$/, ['core/store/']],
    ['the rule language', /^@marcbachmann\/cel-js$/, ['core/model/']],
    ['the configuration formats', /^(yaml|dot-properties)$/, ['core/config/']],
    ['buckets', /^@aws-sdk\//, ['modules/files/s3-bucket.ts']],
    ['the metrics', /^(prom-client|@opentelemetry\/)/, ['core/observe/']],
    ['the command line', /^commander$/, ['cli/']],
    ['the bundler', /^esbuild$/, ['cli/', 'app/pages/']],
  ])('%s', (_, packages, owners) => {
    const users = imports.filter(({ target, isOurs }) => !isOurs && packages.test(target)).map(({ file }) => file)
    expect(users.length).toBeGreaterThan(0)
    expect(users.filter(file => !owners.some(owner => file.startsWith(owner)))).toEqual([])
  })

  test('the environment is read by the configuration alone', () => {
    const readers = files.filter(file => /process\.env/.test(readFileSync(join(src, file), 'utf8')))
    expect(readers.filter(file => !file.startsWith('core/config/'))).toEqual([])
  })

  test('intervals are made where their work is guarded', () => {
    const makers = files.filter(file => /setInterval\(/.test(readFileSync(join(src, file), 'utf8')))
    // The store has no log of its own; the reader is another process, and its interval does nothing but end it.
    const exceptions = ['core/store/postgres/sender.ts', 'core/store/sqlite/sqlite-reader.ts']
    expect(makers.filter(file => !exceptions.includes(file))).toEqual(['core/guarded.ts'])
  })

  test('no code depends on the name of a format', () => {
    expect(files.filter(file => /\bformat\??\.name\b/.test(readFileSync(join(src, file), 'utf8')))).toEqual([])
  })

  test('no code depends on the name of a field type', () => {
    const asking = /\btype\.name (===|!==)|\(\w*\.?type\.name\)/
    expect(files.filter(file => asking.test(readFileSync(join(src, file), 'utf8')))).toEqual([])
  })

  test('media types are known to the formats', () => {
    const knowing = files.filter(file =>
      /'application\/(hal|vnd\.api)\+json/.test(readFileSync(join(src, file), 'utf8')),
    )
    expect(knowing.filter(file => !file.startsWith('core/formats/') && !file.startsWith('core/describe/'))).toEqual([])
  })
})
