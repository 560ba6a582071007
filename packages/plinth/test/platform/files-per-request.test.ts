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

/** The test runner reads what a module exports through such functions. To read a constant runs no code of its file. */
const exportGetter = /^\(\) => \{ ?try \{ ?return \w+ ?\} ?catch/

/** The files of which a function ran. Work in the background may add some, so the smallest set of several counts. */
const filesOf = async (request: () => Promise<unknown>): Promise<readonly string[]> => {
  const session = new Session()
  session.connect()
  onTestFinished(() => session.disconnect())
  await session.post('Profiler.enable')
  await session.post('Debugger.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const runs: string[][] = []
  for (let run = 0; run < 5; run++) {
    await session.post('Profiler.takePreciseCoverage')
    await request()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files: string[] = []
    for (const { url, scriptId, functions } of result) {
      const file = source.exec(url)?.[1]
      const ran = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0))
      if (file === undefined || ran.length === 0) continue
      const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
      if (
        ran.some(({ ranges: [whole] }) => !exportGetter.test(scriptSource.slice(whole?.startOffset, whole?.endOffset)))
      )
        files.push(file)
    }
    runs.push(files.sort())
  }
  await session.post('Profiler.stopPreciseCoverage')
  return runs.reduce((least, files) => (files.length < least.length ? files : least))
}

/** The numbers only shrink: merge what is one idea, and lower them. */
test.each([
  ['a page', '/api/rest/countries?filter=name==G*&sort=-name', 40],
  ['a record', '/api/rest/countries/GR', 32],
])('reading %s runs through few files', async (_, path, most) => {
  const nobody = service.as('nobody')
  await nobody.get(path)
  const files = await filesOf(() => nobody.get(path))
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most)
})
