// Transactions on PostgreSQL: what is sent together, and what happens when only a part of it arrives.

import { startDatabaseProxy } from '@plinth/test-kit/database-proxy'
import { expect, onTestFinished, test } from 'vitest'
import type { Connection } from '../../src/core/store/connection.ts'
import { openDatabase } from '../../src/core/store/databases.ts'
import type { Driver } from '../../src/core/store/driver.ts'

const unavailable = expect.objectContaining({ code: 'unavailable' })

const open = async (url: string): Promise<Driver> => {
  const driver = await openDatabase(url)
  onTestFinished(() => driver.close())
  return driver
}

test('nothing of a transaction that cannot begin is done', async () => {
  const proxy = await startDatabaseProxy()
  const driver = await open(proxy.url)
  await driver.script('CREATE TABLE numbers (number int)')
  const insert = (number: number) =>
    driver.transaction(connection => connection.rows('INSERT INTO numbers VALUES ($1) RETURNING number', [number]))
  for (const number of [1, 2]) await insert(number)
  proxy.misspell('BEGIN')
  await expect(insert(3)).rejects.toEqual(unavailable)
  await insert(4)
  expect([...(await driver.rows('SELECT number FROM numbers ORDER BY number', []))]).toEqual([[1], [2], [4]])
})

test('a transaction without statements sends none, and one of one statement waits for two answers', async () => {
  const proxy = await startDatabaseProxy()
  const driver = await open(proxy.url)
  const sends = async (work: Parameters<typeof driver.transaction>[0]): Promise<number> => {
    const before = proxy.sends()
    await driver.transaction(work)
    return proxy.sends() - before
  }
  const select = (connection: Connection) => connection.rows('SELECT 1', [])
  for (let time = 0; time < 3; time++) await driver.transaction(select)
  expect(await sends(async () => {})).toBe(0)
  expect(await sends(select)).toBe(2)
})

test('the last statement of a transaction is committed with it, or refused', async () => {
  const proxy = await startDatabaseProxy()
  const driver = await open(proxy.url)
  await driver.script('CREATE TABLE numbers (number int PRIMARY KEY)')
  const insert = (number: number) =>
    driver.transaction(connection =>
      connection.rows('INSERT INTO numbers VALUES ($1) RETURNING number', [number], false, { isLast: true }),
    )
  for (const number of [1, 2, 3]) await insert(number)
  const before = proxy.sends()
  await insert(4)
  expect(proxy.sends() - before).toBe(1)
  await expect(insert(4)).rejects.toMatchObject({ code: '23505' })
  const isCut = proxy.cutAtSend(1)
  await expect(insert(5)).rejects.toEqual(unavailable)
  await isCut
  await proxy.restore()
  await insert(6)
  const afterFailure = driver.transaction(async connection => {
    await connection.rows('SELECT $1::int', [{} as never]).catch(() => {})
    await connection.rows('INSERT INTO numbers VALUES (7) RETURNING number', [], false, { isLast: true })
  })
  await expect(afterFailure).rejects.toThrow()
  const { rows } = await open(proxy.direct)
  expect([...(await rows('SELECT number FROM numbers ORDER BY number', []))].flat()).toEqual([1, 2, 3, 4, 6])
})
