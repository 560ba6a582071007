// `plinth export` and `plinth import` as a person runs them.

import { execFile, spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newData } from '@plinth/test-kit/prepared-data'
import { buildProgram, type Program } from '@plinth/test-kit/program'
import { launch, preparedFolder } from '@plinth/test-kit/service-process'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { waitingFor } from '../../src/testing/waiting.ts'

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
  const exported = await run('export', 'countries', '--fields', 'pk,name', '--filter', 'pk==DE', '--format', 'ndjson')
  expect(exported).toEqual({ stdout: '{"pk":"DE","name":"Germany"}\n', stderr: '1 records exported.\n' })

  const file = join(folder, 'countries.csv')
  await run('export', 'countries', '--fields=pk,name', '--sort=pk', '--out', file)
  const text = await readFile(file, 'utf8')
  expect(text).toMatch(/^pk,name\r\n[\s\S]*\r\nDE,Germany\r\n/)
  await writeFile(file, text.replace('DE,Germany', 'DE,Allemagne').replace('FR,France', 'FR,'))
  const imported = await run('import', 'countries', file, '--key', 'pk')
  expect(imported.stdout).toMatch(/^0 created, 1 changed, \d+ unchanged, 1 refused\.\n$/)
  expect(imported.stderr).toMatch(/^line \d+: name is required\n/)

  expect((await run('import', 'nothing', file)).stderr).toContain("There is no resource 'nothing'")
  expect((await run('import', 'continent', file)).stderr).toContain("Did you mean 'continents'?")
  expect((await run('import', 'countries', file, '--mode', 'update')).stderr).toContain('needs a key')
})

/** The command, and what it has said on standard error so far. */
const begin = (...args: string[]) => {
  const child = spawn(process.execPath, [program.file, ...args, '--app.log.level=error'])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return { said: () => said, ended: waitingFor('the command to end', ended) }
}

test.each([
  ['a check', ['--dry-run'], 0],
  ['an import', [], 6000],
] as const)('while %s of many rows goes on, the service on the same file writes', async (_, options, left) => {
  const own = await preparedFolder()
  const service = await launch({ folder: own })
  const file = join(own, 'hosts.csv')
  await writeFile(file, ['name', ...Array.from({ length: 6000 }, (_, at) => `imported${at}.example`)].join('\n'))
  const command = begin('import', 'hosts', file, ...options, `--app.dataDir=${own}`)
  let isOver = false
  const ended = command.ended.finally(() => {
    isOver = true
  })
  const statuses: number[] = []
  let beside = 0
  while (!isOver) {
    const hasBegun = command.said().includes('rows')
    const { status } = await service.admin.post('/api/rest/hosts', { name: `written${statuses.length}.example` })
    statuses.push(status)
    if (hasBegun && !isOver) beside += 1
  }
  expect([await ended, command.said()]).toEqual([0, expect.stringContaining('rows')])
  expect(new Set(statuses)).toEqual(new Set([201]))
  expect(beside).toBeGreaterThan(1)
  const { body } = await service.admin.get('/api/rest/hosts?filter=name==imported*&_ps=1', {
    Accept: 'application/json',
  })
  expect(body.page.totalElements).toBe(left)
})
