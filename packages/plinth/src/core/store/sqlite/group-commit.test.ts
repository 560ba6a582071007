import { expect, test } from 'vitest'
import type { Connection } from '../connection.ts'
import { GroupCommit } from './group-commit.ts'

const connection: Connection = { rows: async () => [], script: async () => {} }

/** A writer that keeps a log; statements in `failing` throw and, as a full disk does, end the transaction. */
const createLog = (failing: readonly string[] = []) => {
  const log: string[] = []
  let open = false
  const control = (sql: string) => {
    log.push(sql)
    if (failing.includes(sql)) {
      open = false
      throw new Error(`${sql} failed`)
    }
    if (sql.startsWith('BEGIN')) open = true
    if (sql === 'COMMIT' || sql === 'ROLLBACK') open = false
  }
  const lose = () => {
    open = false
    throw new Error('the disk is full')
  }
  /** How many times another process is in the way. */
  const others = { writing: 0 }
  const begin = () => {
    if (others.writing > 0) {
      others.writing -= 1
      return false
    }
    control('BEGIN IMMEDIATE')
    return true
  }
  return {
    log,
    lose,
    others,
    group: new GroupCommit({ connection, begin, control, inTransaction: () => open }, 30_000),
  }
}

test('those who wait together share one commit and are answered after it', async () => {
  const { log, group } = createLog()
  const unit = (name: string) => group.run(async () => log.push(name)).then(() => log.push(`${name} answered`))
  await Promise.all([unit('a'), unit('b')])
  expect(log).toEqual([
    ...['BEGIN IMMEDIATE', 'SAVEPOINT unit', 'a', 'RELEASE unit', 'SAVEPOINT unit', 'b', 'RELEASE unit', 'COMMIT'],
    ...['a answered', 'b answered'],
  ])
})

test('a unit that fails is undone alone', async () => {
  const { log, group } = createLog()
  const results = await Promise.allSettled([
    group.run(async () => 'kept'),
    group.run(() => Promise.reject(new Error('refused'))),
    group.run(async () => 'kept too'),
  ])
  expect(results).toEqual([
    { status: 'fulfilled', value: 'kept' },
    { status: 'rejected', reason: new Error('refused') },
    { status: 'fulfilled', value: 'kept too' },
  ])
  expect(log.filter(sql => sql === 'ROLLBACK TO unit')).toHaveLength(1)
  expect(log.at(-1)).toBe('COMMIT')
})

test('a commit that fails fails all of its batch', async () => {
  const { group } = createLog(['COMMIT'])
  const results = await Promise.allSettled([group.run(async () => 1), group.run(async () => 2)])
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected'])
})

test('a transaction that the database gave up fails all that were in it, and those after it go on', async () => {
  const { lose, group } = createLog()
  const results = await Promise.allSettled([
    group.run(async () => 'lost'),
    group.run(async () => lose()),
    group.run(async () => 'kept'),
  ])
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('a transaction that cannot begin fails only the first who waits', async () => {
  const { log, group } = createLog(['BEGIN IMMEDIATE'])
  const results = await Promise.allSettled([group.run(async () => 1), group.run(async () => 2)])
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected'])
  expect(log).toEqual(['BEGIN IMMEDIATE', 'BEGIN IMMEDIATE'])
})

test('no transaction waits for more than a hundred others', async () => {
  const { log, group } = createLog()
  await Promise.all(Array.from({ length: 101 }, (_, index) => group.run(async () => index)))
  expect(log.filter(sql => sql === 'COMMIT')).toHaveLength(2)
})

test('what runs outside of any transaction takes its turn', async () => {
  const { log, group } = createLog()
  const unit = (name: string, place: 'shared' | 'outside') => group.run(async () => log.push(name), { place })
  await Promise.all([unit('a', 'shared'), unit('setting', 'outside'), unit('b', 'shared')])
  expect(log.filter(entry => !entry.endsWith(' unit'))).toEqual([
    ...['BEGIN IMMEDIATE', 'a', 'COMMIT', 'setting', 'BEGIN IMMEDIATE', 'b', 'COMMIT'],
  ])
})

test('a unit with a transaction of its own keeps neither those before it nor those after it waiting for its commit', async () => {
  const { log, group } = createLog()
  const unit = (name: string, place: 'shared' | 'own') =>
    group.run(async () => log.push(name), { place }).then(() => log.push(`${name} answered`))
  await Promise.all([unit('a', 'shared'), unit('long', 'own'), unit('b', 'shared')])
  expect(log.filter(entry => !entry.endsWith(' unit'))).toEqual([
    ...['BEGIN IMMEDIATE', 'a', 'COMMIT', 'a answered'],
    ...['BEGIN IMMEDIATE', 'long', 'COMMIT', 'long answered'],
    ...['BEGIN IMMEDIATE', 'b', 'COMMIT', 'b answered'],
  ])
  await expect(group.run(() => Promise.reject(new Error('refused')), { place: 'own' })).rejects.toThrow('refused')
  expect(log.at(-1)).toBe('ROLLBACK')
})

test('while another process writes, the event loop goes on', async () => {
  const { log, others, group } = createLog()
  others.writing = 5
  const writing = group.run(async () => log.push('written'))
  await new Promise(resolve => setImmediate(resolve))
  await new Promise(resolve => setImmediate(resolve))
  log.push('something else')
  await writing
  expect(log.filter(entry => !entry.endsWith(' unit'))).toEqual([
    ...['something else', 'BEGIN IMMEDIATE', 'written', 'COMMIT'],
  ])
})
