import { describe, expect, test } from 'vitest'
import { createLogs, type LogOptions } from './logs.ts'
import { createScrub } from './scrub.ts'
import { toTerminalLine } from './terminal-line.ts'

const open = (options: Partial<LogOptions> = {}) => {
  const lines: string[] = []
  const logs = createLogs({
    level: 'info',
    levels: {},
    secrets: [],
    sink: { write: line => lines.push(line) },
    ...options,
  })
  return { logs, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') }
}

describe('levels', () => {
  test('a logger follows the root until it gets a level of its own, and again afterwards', () => {
    const { logs, lines } = open()
    const log = logs.named('mail')
    log.debug('unheard')
    logs.setLevel('mail', 'debug')
    log.debug('heard')
    logs.setLevel('mail', null)
    log.debug('unheard')
    logs.setLevel('ROOT', 'debug')
    log.debug('heard again')
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['heard', 'heard again'])
  })

  test('a level of the configuration holds for a logger that is made later', () => {
    const { logs } = open({ levels: { store: 'error' } })
    expect(['warn', 'error'].map(level => logs.named('store').isLevelEnabled(level))).toEqual([false, true])
    expect(logs.list()).toContainEqual({ name: 'store', configured: 'error', effective: 'error' })
  })

  test('the root goes back to what it was started with', () => {
    const { logs } = open({ level: 'warn' })
    logs.setLevel('ROOT', 'trace')
    logs.setLevel('ROOT', null)
    expect(logs.list()[0]).toEqual({ name: 'ROOT', configured: 'warn', effective: 'warn' })
  })

  test('there is no level for a logger that does not exist', () => {
    expect(open().logs.setLevel('none', 'info')).toBe(false)
  })
})

describe('what a line holds', () => {
  test('an error with its causes and its stack, and none of what libraries hang on it', () => {
    const { logs, last } = open()
    const cause = Object.assign(new Error('below'), { code: 'ECONNREFUSED', parameters: ['canary'] })
    logs.named('store').error({ err: Object.assign(new Error('above', { cause }), { query: 'canary' }) }, 'failed')
    expect(last()).toMatchObject({
      level: 'error',
      logger: 'store',
      msg: 'failed',
      err: {
        type: 'Error',
        message: 'above',
        stack: expect.any(String),
        cause: { message: 'below', code: 'ECONNREFUSED' },
      },
    })
    expect(JSON.stringify(last())).not.toContain('canary')
  })

  test('no secret of the configuration, however it is spelt', () => {
    const secret = 'p&ss "w\\rd" 100%'
    const { logs, lines } = open({ secrets: [secret] })
    const log = logs.named('x')
    log.info({ plain: secret, url: `http://u:${encodeURIComponent(secret)}@h`, deep: [{ a: secret }] }, secret)
    log.error({ err: new Error(`cannot use ${secret}`), basic: Buffer.from(secret).toString('base64') })
    expect(lines.join('')).not.toMatch(/p&ss|p%26ss|cCZzcyA/)
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })

  test('line breaks of strangers stay inside their line', () => {
    const { logs, lines } = open()
    logs.named('http').info({ path: '/a\n{"level":"fatal"}' }, 'x\r\ny')
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/)
  })
})

test('texts too short to be secrets are left alone', () => {
  expect(createScrub(['', 'a', 'abc'])('abcabc a')).toBe('abcabc a')
})

test('a terminal shows time, level, logger, message and the rest', () => {
  const { logs, lines } = open()
  logs.named('http').warn({ status: 200, path: '/a' }, 'request')
  logs.named('http').error({ err: new Error('broken') }, 'failed')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  const [first = '', second = ''] = lines.map(line => toTerminalLine(line).replaceAll(/\u001b\[\d+m/g, ''))
  expect(first).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}http {5}request status=200 path=\/a\n$/)
  expect(second).toMatch(/ERROR http {5}failed\nError: broken\n {4}at /)
})
