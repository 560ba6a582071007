// `plinth export` and `plinth import` as a person runs them.

import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newData } from '@plinth/test-kit/prepared-data'
import { buildProgram, type Program } from '@plinth/test-kit/program'
import { afterAll, beforeAll, expect, test } from 'vitest'

let program: Program
let folder: string
beforeAll(async () => {
  program = await buildProgram('exchange')
  folder = (await newData('sqlite', {}, {})).folder
})
afterAll(async () => {
  await program.remove()
  await rm(folder, { recursive: true, force: true })
})

const run = async (...args: string[]) => {
  const all = [program.file, ...args, `--app.dataDir=${folder}`, '--app.log.level=error']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, all).catch(error => error)
  return { stdout: String(stdout), stderr: String(stderr) }
}

test('countries are exported, changed and imported again', async () => {
  const shown = await run('export', 'countries', '--fields', 'pk,name', '--filter', 'pk==DE', '--format', 'ndjson')
  expect(shown).toEqual({ stdout: '{"pk":"DE","name":"Germany"}\n', stderr: '1 records exported.\n' })

  const file = join(folder, 'countries.csv')
  await run('export', 'countries', '--fields=pk,name', '--sort=pk', '--out', file)
  const text = await readFile(file, 'utf8')
  expect(text).toMatch(/^pk,name\r\n[\s\S]*\r\nDE,Germany\r\n/)
  await writeFile(file, text.replace('DE,Germany', 'DE,Allemagne').replace('FR,France', 'FR,'))
  const imported = await run('import', 'countries', file, '--key', 'pk')
  expect(imported.stdout).toMatch(/^0 created, 1 changed, \d+ unchanged, 1 refused\.\n$/)
  expect(imported.stderr).toMatch(/^line \d+: name is required\n/)

  expect((await run('import', 'nothing', file)).stderr).toContain("There is no resource 'nothing'")
  expect((await run('import', 'countries', file, '--mode', 'update')).stderr).toContain('needs a key')
})
