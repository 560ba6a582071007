// `plinth console`, with its input from a pipe.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plinth } from '@plinth/test-kit/command-process'
import { testAll } from '@plinth/test-kit/extent'
import { preparedFolder } from '@plinth/test-kit/service-process'
import { expect, onTestFinished, test } from 'vitest'

test('the console reads and writes records of every resource', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-console-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = `
    const made = await records.create(continents, { pk: 'ZZ', name: 'Zealandia' })
    console.log(made.version, await records.count(continents, { where: { name: 'Zealandia' } }), await records.count(films))
  `
  const { code, out } = await plinth(['console', `--app.dataDir=${folder}`, '--app.log.level=error'], script)
  expect([code, out]).toEqual([0, '1 1 0\n'])
})

const consoleOn = async (script: string) => {
  const folder = await preparedFolder()
  return plinth(['console', `--app.dataDir=${folder}`, '--app.demo=true', '--app.log.level=error'], script)
}

testAll('from a pipe, results are printed as at the prompt, until .exit', async () => {
  const script = `await records.count(films, { where: { title: 'None' } });
const names = async () => {
  const found = await records
    .find(countries, { where: { pk: 'GR' } })
  return found.map(one => one.name)
}
await names()
.exit
await records.count(nothing)
`
  expect(await consoleOn(script)).toEqual({ code: 0, out: "0\n[ 'Greece' ]\n", err: '' })
})

testAll('from a pipe, the first error ends it', async () => {
  const failed = await consoleOn('await records.get(countries, "??")\nconsole.log("not reached")\n')
  expect([failed.code, failed.out]).toEqual([1, ''])
  expect(failed.err).toContain('Not found')
  const unfinished = await consoleOn('console.log("not reached")\nrecords.find(')
  expect([unfinished.code, unfinished.out]).toEqual([1, ''])
  expect(unfinished.err).toContain('SyntaxError')
})
