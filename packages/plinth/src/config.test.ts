import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, type ConfigSources, loadConfig, moduleSettings, readArguments } from '@plinth/test-kit/platform'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { accessSettings } from './core/config/api-settings.ts'
import { appSettings, corsSettings, databaseSettings, serverSettings } from './core/config/service-settings.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'plinth-config-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const from = (sources: ConfigSources = {}) => loadConfig({ env: {}, cwd, ...sources })
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text)

const faultsOf = (sources: ConfigSources): string[] => {
  try {
    from(sources)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const { message } of error.faults) expect(error.message).toContain(message)
    return error.faults.map(({ name, where, message }) => `${name} | ${where} | ${message}`)
  }
  return []
}

describe('values', () => {
  test('without any source every setting has its default', () => {
    const config = from()
    expect(config.get(serverSettings).port).toBe(8080)
    expect(config.get(serverSettings).host).toBe('127.0.0.1')
    expect(config.get(appSettings).demo).toBe(false)
    expect(config.get(moduleSettings).modules).toEqual(['rental', 'membership'])
    expect(config.named(accessSettings)).toEqual([])
    expect(config.all().every(({ source }) => source === 'default')).toBe(true)
    expect(config.warnings).toEqual([])
  })

  test('empty text is refused, unless it is the default', () => {
    const env = { APP_JWT_TOKENISSUER: '', APP_FILES_S3_REGION: ' ', APP_FILES_S3_BUCKET: '' }
    expect(faultsOf({ env })).toEqual([
      expect.stringMatching(/^app\.jwt\.tokenIssuer .* must not be empty/),
      expect.stringMatching(/^app\.files\.s3\.region .* must not be empty/),
    ])
  })

  test('the table gives each value its type', () => {
    const config = from()
    expectTypeOf(config.get(serverSettings).port).toEqualTypeOf<number>()
    expectTypeOf(config.get(appSettings).demo).toEqualTypeOf<boolean>()
    expectTypeOf(config.get(moduleSettings).modules).toEqualTypeOf<readonly string[]>()
    const [rule] = config.named(accessSettings)
    expectTypeOf(rule?.parts).toEqualTypeOf<Readonly<Record<'resource' | 'operation', string>> | undefined>()
    // @ts-expect-error a setting that does not exist
    config.get(serverSettings).prot
  })

  const equivalent: [string, ConfigSources & { files?: Record<string, string> }][] = [
    ['nested YAML', { files: { 'application.yml': 'server:\n  port: 9000\napp:\n  modules: [rental]\n' } }],
    ['dotted YAML', { files: { 'application.yaml': 'server.port: 9000\napp.modules: rental\n' } }],
    ['properties', { files: { 'application.properties': '# ours\nserver.port = 9000\napp.modules=rental\n' } }],
    ['a file asked for', { files: { 'my.yml': 'server.port: "9000"\napp.modules: ["rental"]' }, file: 'my.yml' }],
    ['the environment', { env: { SERVER_PORT: '9000', APP_MODULES: 'rental' } }],
    ['the environment in other case', { env: { server_port: '9000', App_Modules: ' rental , ' } }],
    ['the command line', { overrides: { 'server.port': '9000', 'app.modules': 'rental' } }],
  ]
  test.each(equivalent)('%s gives the same values', (_, { files = {}, ...sources }) => {
    for (const [name, text] of Object.entries(files)) write(name, text)
    const config = from(sources)
    expect(config.get(serverSettings).port).toBe(9000)
    expect(config.get(moduleSettings).modules).toEqual(['rental'])
  })

  test('the command line stands above the environment, and that above the file', () => {
    write('application.yml', 'server.port: 1\napp.api.maxPageSize: 2\napp.api.maxFullCollection: 3\n')
    const config = from({
      env: { APP_API_MAXPAGESIZE: '20', APP_API_MAXFULLCOLLECTION: '30' },
      overrides: { 'app.api.maxFullCollection': '300' },
    })
    expect(config.all().filter(({ source }) => source !== 'default')).toEqual([
      { name: 'server.port', text: '1', source: 'file', where: 'application.yml, line 1', isSecret: false },
      {
        name: 'app.api.maxPageSize',
        text: '20',
        source: 'environment',
        where: 'environment, APP_API_MAXPAGESIZE',
        isSecret: false,
      },
      {
        name: 'app.api.maxFullCollection',
        text: '300',
        source: 'command line',
        where: 'command line',
        isSecret: false,
      },
    ])
  })

  test('a name with free parts may be given any number of times', () => {
    write('application.yml', "app:\n  access:\n    filmActors: { read: 'true', write: 'false' }\n")
    const config = from({
      env: { APP_ACCESS_FILMACTORS_WRITE: 'caller.signedIn', APP_ACCESS_HOSTS_READ: 'true' },
      overrides: { 'app.access.roles.read': 'false' },
    })
    const rules = config.named(accessSettings)
    expect(rules.map(({ parts, values }) => [parts.resource, parts.operation, values['<operation>']])).toEqual([
      ['filmActors', 'read', 'true'],
      ['filmActors', 'write', 'caller.signedIn'],
      ['hosts', 'read', 'true'],
      ['roles', 'read', 'false'],
    ])
  })

  test('origins and addresses are kept in the form in which they are compared', () => {
    const config = from({
      overrides: {
        'app.cors.allowedOrigins': 'HTTPS://Shop.Example:443, http://localhost:3000/',
        'app.baseUrl': 'https://api.example/',
      },
    })
    expect(config.get(corsSettings).allowedOrigins).toEqual(['https://shop.example', 'http://localhost:3000'])
    expect(config.get(appSettings).baseUrl).toBe('https://api.example')
  })

  test('an empty list is a list', () => {
    expect(from({ env: { APP_MODULES: '' } }).get(moduleSettings).modules).toEqual([])
  })

  test('a group of which every line is commented out is no fault', () => {
    write('application.yml', 'server:\n  # port: 9000\napp:\n  database:\n')
    expect(from().get(serverSettings).port).toBe(8080)
  })
})

describe('faults', () => {
  const bad: [string, string, string][] = [
    ['server.port', 'abc', "must be a whole number, got 'abc'"],
    ['server.port', '65536', "must be at most 65535, got '65536'"],
    ['server.port', '', "must be a whole number, got ''"],
    ['server.port', '80.5', "must be a whole number, got '80.5'"],
    ['server.port', '0x50', "must be a whole number, got '0x50'"],
    ['server.host', 'a b', "must be a host name or an IP address, got 'a b'"],
    ['server.trustedProxies', 'proxy.example', "got 'proxy.example'"],
    ['server.trustedProxies', '10.0.0.0/33', "got '10.0.0.0/33'"],
    [
      'server.trustedProxies',
      '::1,10.0.0.0/8/8',
      "must be an IP address or a network such as 10.0.0.0/8, got '::1,10.0.0.0/8/8'",
    ],
    ['app.demo', 'yes', "must be true or false, got 'yes'"],
    ['app.dataDir', ' ', "must not be empty, got ' '"],
    ['app.baseUrl', 'ftp://files.example', "got 'ftp://files.example'"],
    ['app.baseUrl', 'https://me:secret@api.example', 'must be an http:// or https:// address'],
    ['app.modules', 'rental,rentals', "must be one of rental, membership, got 'rental,rentals'"],
    ['app.cors.allowedOrigins', '*', "got '*'"],
    ['app.cors.allowedOrigins', 'https://a.example,null', "got 'https://a.example,null'"],
    ['app.cors.allowedOrigins', 'https://a.example/path', "got 'https://a.example/path'"],
    ['app.cors.allowedOrigins', 'https://me@a.example', "got 'https://me@a.example'"],
    ['app.log.level', 'loud', "must be one of fatal, error, warn, info, debug, trace, silent, got 'loud'"],
    ['app.access.films.read', '', "must not be empty, got ''"],
    ['app.access.films', 'true', 'there is no such setting'],
    ['server.prot', '80', 'there is no such setting; did you mean server.port?'],
    ['app.Demo', 'true', 'there is no such setting; did you mean app.demo?'],
    ['app.acess.films.read', 'true', 'did you mean app.access.<resource>.<operation>?'],
    ['app.nothing.of.the.kind', '1', 'there is no such setting'],
  ]
  test.each(bad)('%s = %j is reported: %s', (name, value, message) => {
    const [fault, ...others] = faultsOf({ overrides: { [name]: value } })
    expect(fault).toContain(`${name} | command line | `)
    expect(fault).toContain(message)
    expect(others).toEqual([])
  })

  test('an option that needs a value and has none is reported', () => {
    expect(faultsOf({ overrides: { 'server.port': true } })).toEqual([
      'server.port | command line | must be a whole number, got no value',
    ])
  })

  test('all faults of all sources are reported together, each with its place', () => {
    write('application.properties', 'server.port = many\n\napp.dmo = true\n')
    const faults = faultsOf({ env: { APP_LOG_LEVEL: 'loud' }, overrides: { 'app.api.maxPageSize': '0' } })
    expect(faults).toEqual([
      "server.port | application.properties, line 1 | must be a whole number, got 'many'",
      'app.dmo | application.properties, line 3 | there is no such setting; did you mean app.demo?',
      expect.stringContaining('app.log.level | environment, APP_LOG_LEVEL | must be one of'),
      expect.stringContaining('app.api.maxPageSize | command line | must be at least 1, got'),
    ])
  })

  const badFiles: [string, string, string][] = [
    ['a.yml', 'server: [', 'a.yml, line 1'],
    ['b.yml', 'server:\n  port: 1\n  port: 2\n', 'b.yml, line 3 | Map keys must be unique'],
    ['c.yml', 'server.port: 1\nserver:\n  port: 2\n', 'server.port | c.yml, line 3 | is set twice'],
    ['d.yml', '- server.port', 'expected keys with values'],
    [
      'e.yml',
      'server.port: &p 1\napp.api.maxPageSize: *p\n',
      'app.api.maxPageSize | e.yml, line 2 | expected a string',
    ],
    ['f.yml', 'server.port: [80, 81]\n', "got '80,81'"],
    ['g.properties', 'app.demo=true\napp.demo=false', 'app.demo | g.properties, line 2 | is set twice'],
    ['h.json', '{}', 'a configuration file must end in .yml, .yaml or .properties'],
  ]
  test.each(badFiles)('a fault in file %s is reported', (file, text, message) => {
    write(file, text)
    expect(faultsOf({ file }).join('\n')).toContain(message)
  })

  test('a file that does not exist, or is a folder, is reported with its path', () => {
    mkdirSync(join(cwd, 'folder.yml'))
    expect(faultsOf({ file: 'nowhere.yml' })).toEqual([` | ${join(cwd, 'nowhere.yml')} | there is no such file`])
    expect(faultsOf({ file: 'folder.yml' })).toEqual([` | ${join(cwd, 'folder.yml')} | this is a folder, not a file`])
  })

  test.each(['0.0.0.0', '::', '192.168.1.5', 'shop.example', '127.evil.example'])(
    'demo mode refuses to listen on %s',
    host => {
      expect(faultsOf({ overrides: { 'app.demo': true, 'server.host': host } })).toEqual([
        'server.host | command line | Demo mode only listens on loopback addresses',
      ])
      expect(from({ overrides: { 'server.host': host } }).get(serverSettings).host).toBe(host)
    },
  )

  test.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('demo mode listens on %s', host => {
    expect(from({ overrides: { 'app.demo': 'True', 'server.host': host } }).get(appSettings).demo).toBe(true)
  })
})

describe('secrets', () => {
  test('their texts are known, whole and in part, so that they can be struck out', () => {
    const url = 'postgres://me:hun%20ter2@db.example/plinth'
    const { secrets } = loadConfig({ env: {}, overrides: { 'app.database.url': url } })
    expect(secrets).toEqual([url, 'hun%20ter2', 'hun ter2'])
    expect(loadConfig({ env: {} }).secrets).toEqual([])
  })

  const redactedUrl = (url: string) =>
    from({ overrides: { 'app.database.url': url } })
      .all()
      .find(({ name }) => name === 'app.database.url')

  test.each([
    ['postgres://me:hunter2@db.example:5432/plinth', 'postgres://me:******@db.example:5432/plinth'],
    [
      'postgresql://db.example/plinth?user=me&password=hunter2',
      'postgresql://db.example/plinth?user=me&password=******',
    ],
    ['postgres://db.example/plinth', 'postgres://db.example/plinth'],
    ['', ''],
  ])('the database address %s is shown without its password', (url, redacted) => {
    expect(redactedUrl(url)).toMatchObject({ isSecret: true, text: redacted })
  })

  test('the value itself is whole', () => {
    const url = 'postgres://me:hunter2@db.example/plinth'
    expect(from({ overrides: { 'app.database.url': url } }).get(databaseSettings).url).toBe(url)
  })

  test.each([
    ['a bad secret', { overrides: { 'app.database.url': 'mysql://me:hunter2@db.example' } }],
    ['a secret under a mistyped name', { overrides: { 'app.database.uri': 'postgres://me:hunter2@db.example' } }],
    ['a secret in a variable', { env: { APP_DATABASE_URL: 'hunter2' } }],
  ])('%s is not repeated in the message', (_, sources) => {
    const faults = faultsOf(sources)
    expect(faults).toHaveLength(1)
    expect(faults.join()).not.toContain('hunter2')
  })

  test('a file that cannot be parsed is not quoted', () => {
    write('application.yml', 'app.database.url: "postgres://me:hunter2@db.example\n')
    expect(faultsOf({}).join()).toMatch('application.yml, line')
    expect(faultsOf({}).join()).not.toContain('hunter2')
  })
})

describe('warnings', () => {
  test('variables that are no setting are named, not refused', () => {
    const config = from({ env: { APP_HOME: '/opt', SERVER_PROT: '80', PORT: '80', PATH: '/bin' } })
    expect(config.warnings).toEqual([
      'APP_HOME (environment) is ignored: there is no such setting',
      'SERVER_PROT (environment) is ignored: there is no such setting; did you mean server.port?',
    ])
  })

  test('names of others in the file are ignored and named', () => {
    write('application.yml', 'sever.port: 80\n')
    expect(from().warnings).toEqual([
      'sever.port (application.yml, line 1) is ignored: settings start with app. or server.',
    ])
  })

  test('of two files of the usual names the second is not read, and named', () => {
    write('application.yml', 'server.port: 1')
    write('application.properties', 'server.port=2')
    const config = from()
    expect(config.get(serverSettings).port).toBe(1)
    expect(config.warnings.join()).toMatch('application.properties is ignored')
  })
})

describe('arguments', () => {
  const cases: [string[], Record<string, unknown>, string[]][] = [
    [['start', '--server.port=80'], { 'server.port': '80' }, ['start']],
    [['start', '--server.port', '80'], { 'server.port': '80' }, ['start']],
    [['--app.demo', 'start'], { 'app.demo': true }, ['start']],
    [['start', '--app.demo', 'false'], { 'app.demo': 'false' }, ['start']],
    [['--app.demo=true', '--app.demo=false'], { 'app.demo': 'false' }, []],
    [['--server.port', '--config', 'x.yml'], { 'server.port': true }, ['--config', 'x.yml']],
    [['--app.database.url=postgres://h/d?a=b'], { 'app.database.url': 'postgres://h/d?a=b' }, []],
    [['--app.modules='], { 'app.modules': '' }, []],
    [['--application=1', '--help'], {}, ['--application=1', '--help']],
  ]
  test.each(cases)('%j holds the settings %j and leaves %j', (args, overrides, rest) => {
    expect(readArguments(args)).toEqual({ overrides, rest })
  })
})
