// How many files of the service a request runs through, by the coverage of V8: a measure of how much there is to read.

import { Session } from 'node:inspector/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite')
})
afterAll(() => service.stop())

const source = /\/packages\/plinth\/src\/(.+\.ts)$/

/** The files of which a function ran. Work in the background may add some, so the smallest set of several counts. */
const filesOf = async (request: () => Promise<unknown>): Promise<readonly string[]> => {
  const session = new Session()
  session.connect()
  onTestFinished(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const runs: string[][] = []
  for (let run = 0; run < 5; run++) {
    await session.post('Profiler.takePreciseCoverage')
    await request()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    runs.push(ran.flatMap(({ url }) => source.exec(url)?.[1] ?? []).sort())
  }
  await session.post('Profiler.stopPreciseCoverage')
  return runs.reduce((least, files) => (files.length < least.length ? files : least))
}

/** The goal is 40. The numbers only shrink: merge what is one idea, and lower them. */
test.each([
  ['a page', '/api/rest/countries?filter=name==G*&sort=-name', 54],
  ['a record', '/api/rest/countries/GR', 43],
])('reading %s runs through few files', async (_, path, most) => {
  const nobody = service.as('nobody')
  await nobody.get(path)
  const files = await filesOf(() => nobody.get(path))
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most)
})
