// A full disk: writes fail completely and are answered with an error, reads go on, and nothing acknowledged is lost.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { emptyFolder, launch } from '@plinth/test-kit/service-process'
import { upload } from '@plinth/test-kit/uploads'
import { expect, test } from 'vitest'
import { asJson, damagesOf, localitiesOf } from './localities.ts'

const listOf = (round: number) =>
  Array.from({ length: 200 }, (_, at) => ({ pk: `d${round}-${at}`, name: `${round} ${'x'.repeat(190)}` }))

test('what does not fit on the disk is refused whole', { timeout: 300_000 }, async () => {
  const folder = await emptyFolder()
  expect(await (await launch({ folder })).end('SIGTERM')).toBe(0)

  const limited = await launch({ folder, maxFileBlocks: 10_000 })
  const taken: number[] = []
  let refused = await limited.admin.post('/api/rest/localities', listOf(0), asJson)
  for (let round = 1; refused.status === 201; round++) {
    taken.push(round - 1)
    refused = await limited.admin.post('/api/rest/localities', listOf(round), asJson)
  }
  expect([refused.status, refused.body?.code]).toEqual([503, 'unavailable'])
  expect(refused.text).not.toMatch(/SQLITE|disk I\/O|plinth\.db/)
  // Requests that wait together fail together, and each gets an error.
  const together = await Promise.all(
    [1001, 1002, 1003].map(round => limited.admin.post('/api/rest/localities', listOf(round), asJson)),
  )
  expect(together.map(answer => answer.status)).toEqual([503, 503, 503])
  const whole = taken.flatMap(round => listOf(round).map(({ pk }) => pk)).sort()
  expect([...(await localitiesOf(limited)).keys()].sort()).toEqual(whole)
  expect(await limited.end('SIGTERM')).toBe(0)

  const roomy = await launch({ folder })
  expect([...(await localitiesOf(roomy)).keys()].sort()).toEqual(whole)
  expect((await roomy.admin.post('/api/rest/localities', listOf(2000), asJson)).status).toBe(201)
  expect(damagesOf(folder)).toEqual([])
  expect(await roomy.end('SIGTERM')).toBe(0)
})

test('an upload that does not fit on the disk is 503, and leaves nothing behind', { timeout: 300_000 }, async () => {
  const folder = await emptyFolder()
  expect(await (await launch({ folder })).end('SIGTERM')).toBe(0)

  const limited = await launch({ folder, maxFileBlocks: 10_000 })
  const to = '/api/rest/users/00000000-0000-7000-8000-000000000001/files'
  const refused = await upload(limited, { as: 'admin', to }, { 'large.bin': new Uint8Array(9_000_000) })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)])
  expect(await refused.json()).toMatchObject({ code: 'unavailable', detail: 'The file cannot be written now.' })
  expect(await readdir(join(folder, 'uploads'))).toEqual([])
  expect((await upload(limited, { as: 'admin', to }, { 'small.txt': 'fits' })).status).toBe(201)
  expect(await limited.end('SIGTERM')).toBe(0)
})
