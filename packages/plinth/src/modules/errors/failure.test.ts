import { expect, test } from 'vitest'
import { toFailure } from './record-failures.ts'

const withStack = (stack: string, cause?: Error): Error =>
  Object.assign(new Error('it broke', cause && { cause }), { stack })

const frames = (line: number) => `Error: it broke\n    at run (/a/b.ts:${line}:7)\n    at /a/c.ts:${line + 1}:1`

test('a failure on another line is the same failure', () => {
  expect(toFailure(withStack(frames(1))).id).toBe(toFailure(withStack(frames(20))).id)
})

test('a failure after an await is the same failure', () => {
  const awaited = frames(1)
    .replace('at /a/c', 'at async /a/c')
    .replace(
      '\n    at async',
      '\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)\n    at async',
    )
  expect(awaited).toContain('node:internal')
  expect(toFailure(withStack(awaited)).id).toBe(toFailure(withStack(frames(1))).id)
})

test('a failure whose stack was cut elsewhere is the same failure', () => {
  const own = Array.from({ length: 10 }, (_, at) => `    at step${at} (/a/${at}.ts:1:1)`)
  const runtime = [
    '    at runNextTicks (node:internal/process/task_queues:60:5)',
    '    at x (node:internal/timers:1:1)',
  ]
  const cut = (lines: readonly string[]) =>
    toFailure(withStack(['Error: it broke', ...lines.slice(0, 10)].join('\n'))).id
  expect(cut(own.toSpliced(6, 0, ...runtime))).toBe(cut(own))
  expect(cut(own.with(5, '    at other (/a/5.ts:1:1)'))).not.toBe(cut(own))
})

test('a message says nothing about which failure it is', () => {
  const [first, second] = [withStack(frames(1)), withStack(frames(1).replace('it broke', 'it broke for pk 7'))]
  expect(toFailure(first).id).toBe(toFailure(second).id)
})

test('another frame, or another cause, makes another failure', () => {
  const plain = toFailure(withStack(frames(1)))
  expect(toFailure(withStack(frames(1).replace('run', 'walk'))).id).not.toBe(plain.id)
  expect(toFailure(withStack(frames(1), withStack('Error: deep\n    at dig (/a/d.ts:1:1)'))).id).not.toBe(plain.id)
})

test('the root cause gives its message', () => {
  const root = Object.assign(new RangeError('too deep'), { stack: 'RangeError: too deep\n    at dig (/a/d.ts:1:1)' })
  expect(toFailure(withStack(frames(1), root)).rootCauseMessage).toBe('RangeError: too deep')
})

test('a circle of causes ends', () => {
  const error = new Error('a snake')
  error.cause = error
  expect(toFailure(error).id).toMatch(/^[0-9a-f]{64}$/)
})

test.each([['a text'], [undefined], [null], [42], [{}]])('%j can be thrown too', thrown => {
  expect(toFailure(thrown).id).toMatch(/^[0-9a-f]{64}$/)
})
